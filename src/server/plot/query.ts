import { SECTOR_COUNTS } from '../../domain/compass.ts';
import { DAY_MS, loadLuxon, parseZone, subtractDuration } from '../../domain/dates.ts';
import { THEME_NAMES, type Theme } from '../../domain/palette.ts';
import { cutPeriodAtNow, type Period } from '../../domain/period.ts';
import { EARLIEST_START } from '../../domain/readPeriod.ts';
import { formatCount } from '../../domain/text.ts';
import { CALM_BELOW_KMH, SPEED_UNIT_NAMES, type SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { CELL_VALUES, type FigureOptions, readFigureOptions } from '../../figures/figureOptions.ts';
import {
  defaultFigurePeriod,
  type FigureKind,
  figureSizePx,
  MAX_PANELS,
  maxStationsInFigure,
  minimumSizePx,
  PANEL_KEYS,
  type PanelKey,
  panelsPerStation,
} from '../../figures/kinds.ts';
import {
  invalidArgument,
  type QueryArguments,
  queryArgument,
  RequestError,
  readArchiveStation,
  readQueryPeriod,
} from '../../wire/requests.ts';

export const PLOT_FORMATS = ['svg', 'png'] as const;

export const PLOT_ARGUMENTS = [
  'start',
  'stop',
  'units',
  'tz',
  'mark',
  'where',
  'value',
  'sectors',
  'classes',
  'by',
  'theme',
  'width',
  'height',
] as const;

type PlotArgument = (typeof PLOT_ARGUMENTS)[number];

/** Wrong names that people use for arguments, with the right ones. */
const MISNOMERS = {
  unit: 'units',
  knots: 'units=kn',
  from: 'start',
  to: 'stop',
  last: 'start',
  year: 'start and stop',
  timezone: 'tz',
} as const;

/** Maximum period of a picture in days, as the sum over its stations. */
const MAX_PLOT_DAYS = 366;

/** Minimum and maximum width and height of a picture, px. A dial may be smaller. */
export const PICTURE_SIZE_LIMITS_PX = {
  width: { min: 200, max: 2000 },
  height: { min: 120, max: 2000 },
} as const;

export const SECTOR_ARGUMENTS = SECTOR_COUNTS.map(String);

export interface PlotQuery {
  readonly stations: readonly number[];
  readonly kind: FigureKind;
  readonly format: (typeof PLOT_FORMATS)[number];
  /** The period of the picture. It does not extend into the future. */
  readonly period: Period;
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly options: FigureOptions;
  /** The theme of the picture; undefined for the format's default. */
  readonly theme: Theme | undefined;
  readonly width: number;
  readonly height: number;
  /** Whether a height was requested, so that the picture must have exactly that height. */
  readonly isBound: boolean;
}

/**
 * Reads station ids separated by commas.
 * @param by see {@link FigureOptions.by}
 */
function readStations(segment: string, by: PanelKey | undefined): readonly number[] {
  const ids = new Set(segment.split(',').map(readArchiveStation));
  const most = maxStationsInFigure(by);
  if (ids.size <= most) return [...ids];
  if (by === undefined) throw invalidArgument(`A picture has room for ${MAX_PANELS} stations.`);
  throw invalidArgument(
    `A picture has room for ${MAX_PANELS} panels; with by=${by} that is ${formatCount(most, 'station')}.`,
  );
}

/**
 * Reads a request for a picture.
 * @param segment the part of the path that names the stations
 * @throws RequestError that names the argument
 */
export function readPlotQuery(
  kind: FigureKind,
  format: PlotQuery['format'],
  segment: string,
  query: QueryArguments,
  now: number,
): PlotQuery {
  refuseMisnomers(query);
  const by = oneOf('by', query, PANEL_KEYS);
  const stations = readStations(segment, by);
  const zone = readZone(query);
  const unit = oneOf('units', query, SPEED_UNIT_NAMES) ?? 'kmh';
  return {
    stations,
    kind,
    format,
    zone,
    period: readPeriod(kind, by, query, zone, now, stations.length),
    unit,
    options: readOptions(kind, by, query, unit, zone),
    theme: oneOf('theme', query, THEME_NAMES),
    ...figureSizePx(kind, stations.length * panelsPerStation(by), {
      width: readPx('width', kind, query),
      height: readPx('height', kind, query),
    }),
  };
}

/**
 * Refuses {@link MISNOMERS}, since the picture would silently ignore them. Other unknown arguments
 * are allowed: pages add some, such as `t`, to bypass caches.
 */
function refuseMisnomers(query: QueryArguments): void {
  for (const [name, right] of Object.entries(MISNOMERS)) {
    if (query[name] === undefined) continue;
    throw invalidArgument(`There is no argument ${name}; use ${right}.`);
  }
}

function readOptions(
  kind: FigureKind,
  by: PanelKey | undefined,
  query: QueryArguments,
  unit: SpeedUnit,
  zone: string,
): FigureOptions {
  const texts = {
    mark: argumentOrUndefined('mark', query),
    where: argumentOrUndefined('where', query),
    classes: argumentOrUndefined('classes', query),
    value: oneOf('value', query, CELL_VALUES),
    sectors: oneOf('sectors', query, SECTOR_ARGUMENTS),
    by,
  };
  try {
    return readFigureOptions(kind, texts, unit, zone, CALM_BELOW_KMH);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw invalidArgument(error.message.replaceAll(/--(?=[a-z])/g, ''));
  }
}

function argumentOrUndefined(name: PlotArgument, query: QueryArguments): string | undefined {
  return queryArgument(query, name) || undefined;
}

function readPeriod(
  kind: FigureKind,
  by: PanelKey | undefined,
  query: QueryArguments,
  zone: string,
  now: number,
  stations: number,
): Period {
  const maxMs = Math.floor(MAX_PLOT_DAYS / stations) * DAY_MS;
  const from = argumentOrUndefined('start', query);
  const stop = argumentOrUndefined('stop', query);
  if (kind === 'now' && (from ?? stop) !== undefined) {
    const name = from === undefined ? 'stop' : 'start';
    throw invalidArgument(`now shows the latest measurement, so it has no ${name}.`);
  }
  const to = stop ?? 'now';
  const read = readQueryPeriod(from ?? EARLIEST_START, to, now, { zone, isTyped: true });
  const length = loadLuxon().Duration.fromISO(defaultFigurePeriod(kind, by));
  const latest = Math.min(read.stop, now);
  const usual = Math.max(subtractDuration(latest, length, zone), latest - maxMs);
  const period = cutPeriodAtNow(now, {
    start: from === undefined ? usual : read.start,
    stop: read.stop,
  });
  if (period.stop - period.start > maxMs) {
    const several = stations > 1 ? ` of all its stations, so ${maxMs / DAY_MS} of each` : '';
    const message = `A picture covers at most ${MAX_PLOT_DAYS} days${several}; move start closer to stop.`;
    throw new RequestError('request_too_large', message);
  }
  return period;
}

function oneOf<T extends string>(
  name: PlotArgument,
  query: QueryArguments,
  choices: readonly T[],
): T | undefined {
  const text = argumentOrUndefined(name, query);
  const choice = choices.find((one) => one === text);
  if (text === undefined || choice !== undefined) return choice;
  throw invalidArgument(`${name} must be one of ${choices.join(', ')}.`);
}

/**
 * Reads `utc`, an IANA zone or `UTC+2`. Other text is refused, since luxon would keep it in memory
 * for good.
 */
function readZone(query: QueryArguments): string {
  const text = argumentOrUndefined('tz', query) ?? 'utc';
  const zone = /^utc([+-]\d{1,2}(:?\d{2})?)?$/i.test(text) ? parseZone(text) : ianaZone(text);
  if (zone !== undefined) return zone.toLowerCase() === 'utc' ? 'utc' : zone;
  throw invalidArgument('tz must be a time zone such as Europe/Paris, UTC+2, or utc.');
}

/** The name of a zone as the tz database spells it; undefined if there is no such zone. */
function ianaZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function readPx(
  name: 'width' | 'height',
  kind: FigureKind,
  query: QueryArguments,
): number | undefined {
  const text = argumentOrUndefined(name, query);
  if (text === undefined) return undefined;
  const px = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  const { max, ...usual } = PICTURE_SIZE_LIMITS_PX[name];
  const min = minimumSizePx(kind, usual.min);
  if (px >= min && px <= max) return px;
  throw invalidArgument(`${name} must be a whole number of pixels from ${min} to ${max}.`);
}
