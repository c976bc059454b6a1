import { formatDate } from '../domain/dates.ts';
import { parseGeoBox, parsePosition } from '../domain/geo.ts';
import {
  DAYS_AGO_BY_WORD,
  MAX_PERIOD_MS,
  type Period,
  RELATIVE_START_WORDS,
  TYPED_START_WORDS,
} from '../domain/period.ts';
import { PeriodError, readPeriod } from '../domain/readPeriod.ts';
import type { StationSelection } from '../domain/selection.ts';
import { parseDistanceKm } from '../domain/units.ts';
import type { ErrorCode } from './errorBody.ts';
import { isCallbackName } from './jsonp.ts';

/** The endpoints of the interface of station services, by their names in URL paths. */
export const ENDPOINTS = ['live', 'live-with-meta', 'archive'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The endpoint for the latest measurements, with or without the stations' metadata. */
export const liveEndpoint = (withMeta: boolean): Endpoint => (withMeta ? 'live-with-meta' : 'live');

/** The URL path for the latest measurements of one station, or of all. */
export function livePath(station: number | 'all', withMeta: boolean): string {
  return `/v1/${liveEndpoint(withMeta)}/${station}`;
}

/** The URL path and query for a station's history in a period of at most 31 days. */
export function archivePath(
  station: number,
  { start, stop }: Period,
  format: ArchiveResponseFormat,
): string {
  const query = `start=${formatDate(start)}&stop=${formatDate(stop)}&format=${format}`;
  return `/v1/archive/${station}?${query}`;
}

export const ARCHIVE_RESPONSE_FORMATS = ['json', 'csv', 'txt'] as const;
export type ArchiveResponseFormat = (typeof ARCHIVE_RESPONSE_FORMATS)[number];

/**
 * A request that the interface of station services does not allow. `code` is the error code to
 * respond with.
 */
export class RequestError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates the error for an invalid argument. */
export const invalidArgument = (message: string): RequestError =>
  new RequestError('invalid_argument', message);

/**
 * The arguments of a query by name, as the client sent them. An argument that was given several
 * times is an array.
 */
export type QueryArguments = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Maximum length of an argument; the longest callback has 128 characters. */
const MAX_ARGUMENT_LENGTH = 200;

/**
 * Reads the station in the path of a live request.
 * @throws RequestError `missing_argument` for anything but an integer or `all`
 */
export function readLiveStation(segment: string): number | 'all' {
  if (segment === 'all') return 'all';
  return readInteger(segment, 'missing_argument', 'The station id must be an integer or "all".');
}

/**
 * Reads the station in the path of an archive request.
 * @throws RequestError `missing_argument` for an empty text, `invalid_argument` for any other text
 *   but an integer
 */
export function readArchiveStation(segment: string): number {
  const message = 'The station id must be an integer: one request covers one station.';
  return readInteger(segment, segment === '' ? 'missing_argument' : 'invalid_argument', message);
}

function readInteger(text: string, code: ErrorCode, message: string): number {
  if (!/^-?\d+$/.test(text)) throw new RequestError(code, message);
  return Number(text);
}

/**
 * Reads `callback`, the name of the function that a JSONP response calls.
 * @throws RequestError `invalid_argument` for a name that is not a dotted identifier
 */
export function readCallback(query: QueryArguments): string | undefined {
  const name = queryArgument(query, 'callback');
  if (name !== undefined && !isCallbackName(name)) {
    throw invalidArgument(
      'callback must be the name of a function: letters, digits, _ $ . and [digits], at most 128 characters.',
    );
  }
  return name;
}

interface ArchiveQuery extends Period {
  readonly format: ArchiveResponseFormat;
  /**
   * The function that a JSONP response calls; undefined for plain JSON, and for csv and txt, which
   * ignore `callback`.
   */
  readonly callback: string | undefined;
}

/**
 * Reads the query of an archive request.
 * @throws RequestError with the error code that the interface defines
 */
export function readArchiveQuery(query: QueryArguments, now: number): ArchiveQuery {
  const [from, to] = [required(query, 'start'), required(query, 'stop')];
  const { start, stop } = readQueryPeriod(from, to, now);
  const wanted = queryArgument(query, 'format') ?? 'json';
  const format = ARCHIVE_RESPONSE_FORMATS.find((name) => name === wanted);
  if (format === undefined)
    throw invalidArgument(`format must be one of ${ARCHIVE_RESPONSE_FORMATS.join(', ')}.`);
  const callback = format === 'json' ? readCallback(query) : undefined;
  if (stop - start > MAX_PERIOD_MS) {
    throw new RequestError('request_too_large', 'More than 31 days requested.');
  }
  return { start, stop, format, callback };
}

export interface StationsQuery extends Pick<StationSelection, 'near' | 'radiusKm' | 'box'> {
  /** Ids of the requested stations; undefined for all stations. */
  readonly ids: readonly number[] | undefined;
}

/**
 * Reads which stations are requested: by `id`, which may be repeated, `near` with `radius`, and
 * `bbox`.
 * @throws RequestError with the error code that the interface defines
 */
export function readStationsQuery(query: QueryArguments): StationsQuery {
  const ids = query.id === undefined ? undefined : [query.id].flat();
  const near = queryArgument(query, 'near');
  const radius = queryArgument(query, 'radius');
  const box = queryArgument(query, 'bbox');
  if ((near === undefined) !== (radius === undefined)) {
    throw new RequestError('missing_argument', 'near and radius need each other.');
  }
  const idForm = 'id must be an integer; it is repeated for each station.';
  return {
    ids: ids?.map((id) => readInteger(checkLength('id', id), 'invalid_argument', idForm)),
    near: parseOptional(near, parsePosition, 'near must be latitude,longitude such as 45.96,6.24.'),
    radiusKm: parseOptional(radius, parseDistanceKm, 'radius must be a distance such as 25km.'),
    box: parseOptional(
      box,
      parseGeoBox,
      'bbox must be west,south,east,north such as 5.5,45,7.5,46.5.',
    ),
  };
}

/**
 * Parses an argument; undefined if it is missing.
 * @throws RequestError `invalid_argument` with `message` if `parse` refuses the text
 */
function parseOptional<T>(
  text: string | undefined,
  parse: (text: string) => T | undefined,
  message: string,
): T | undefined {
  const value = text === undefined ? undefined : parse(text);
  if (text === undefined || value !== undefined) return value;
  throw invalidArgument(message);
}

/**
 * The value of an argument; undefined if it is missing.
 * @throws RequestError `invalid_argument` if it is given twice or too long
 */
export function queryArgument(query: QueryArguments, name: string): string | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string') return checkLength(name, value);
  throw invalidArgument(`${name} is repeated.`);
}

function checkLength(name: string, text: string): string {
  if (text.length <= MAX_ARGUMENT_LENGTH) return text;
  throw invalidArgument(`${name} is longer than ${MAX_ARGUMENT_LENGTH} characters.`);
}

function required(query: QueryArguments, name: string): string {
  const value = queryArgument(query, name);
  if (value === undefined || value === '') {
    throw new RequestError('missing_argument', `The argument ${name} is missing.`);
  }
  return value;
}

/** In which forms {@link readQueryPeriod} accepts dates. */
interface DateForms {
  /** The time zone of dates without an offset. */
  readonly zone: string;
  /** Whether to accept the additional forms of the command line, such as `7d`. */
  readonly isTyped?: boolean;
}

/**
 * Reads the start and stop of a query.
 * @throws RequestError `invalid_argument` for text in another form, or a stop before the start
 */
export function readQueryPeriod(
  start: string,
  stop: string,
  now: number,
  { zone, isTyped = false }: DateForms = { zone: 'utc' },
): Period {
  // An unescaped "+" in a query arrives as a space. In the forms of the command line, `2024-05-01
  // 12:00` is a date and its time.
  const restore = (text: string): string =>
    isTyped && /^[\d-]+ \d{1,2}:\d{2}$/.test(text) ? text : text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  try {
    return readPeriod(restore(start), restore(stop), { now, zone, isTyped }).period;
  } catch (error) {
    if (!(error instanceof PeriodError)) throw error;
    const { fault } = error;
    if (fault === 'order') throw invalidArgument('stop is earlier than start.');
    const words = fault === 'stop' ? ['now'] : isTyped ? TYPED_START_WORDS : RELATIVE_START_WORDS;
    const typed = isTyped ? [...DAYS_AGO_BY_WORD.keys()] : [];
    const length = isTyped && fault === 'start' ? ', a length of time such as 7d' : '';
    throw invalidArgument(
      `${fault} must be an ISO 8601 date such as 2024-05-01T12:00Z${length}, or ${[...typed, ...words].join(', ')}.`,
    );
  }
}
