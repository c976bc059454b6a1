import { SECTOR_COUNTS } from '../../domain/compass.ts';
import { before, calendar, DAY_MS, parseZone } from '../../domain/dates.ts';
import { THEME_NAMES, type Theme } from '../../domain/palette.ts';
import { type Period, periodUntil } from '../../domain/period.ts';
import { EARLIEST_START } from '../../domain/readPeriod.ts';
import { SPEED_UNIT_NAMES, type SpeedUnit } from '../../domain/units.ts';
import { DEFAULT_SIZES, type Kind } from '../../figures/kinds.ts';
import type { PlotOptions } from '../../figures/plotData.ts';
import {
  argument,
  invalid,
  type Query,
  RequestError,
  readQueryPeriod,
} from '../../wire/requests.ts';

export const PLOT_FORMATS = ['svg', 'png'] as const;

export const PLOT_ARGUMENTS = [
  'start',
  'stop',
  'units',
  'tz',
  'sectors',
  'theme',
  'width',
  'height',
] as const;

export type PlotArgument = (typeof PLOT_ARGUMENTS)[number];

/** Longest period of a picture, days. */
export const MAX_PLOT_DAYS = 366;

/** Least and greatest width and height of a picture, px. */
export const PICTURE_PX = { least: 200, most: 2000 } as const;

export const SECTORS = SECTOR_COUNTS.map(String);

/** How long before `stop` a picture begins if the request has no `start`, in ISO 8601. */
export const DEFAULT_PERIODS: Readonly<Record<Kind, string>> = {
  series: 'P1D',
  rose: 'P30D',
  calendar: 'P1Y',
  pattern: 'P1Y',
};

export interface PlotQuery {
  readonly kind: Kind;
  readonly format: (typeof PLOT_FORMATS)[number];
  /** The period of the picture, which never ends after now. */
  readonly period: Period;
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly sectors: PlotOptions['sectors'];
  /** The picture's theme; undefined for the default theme of its format. */
  readonly theme: Theme | undefined;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the query of a request for a picture.
 * @throws RequestError with a sentence that names the argument
 */
export function readPlotQuery(
  kind: Kind,
  format: PlotQuery['format'],
  query: Query,
  now: number,
): PlotQuery {
  const zone = readZone(query);
  const [width, height] = DEFAULT_SIZES[kind];
  return {
    kind,
    format,
    zone,
    period: readPeriod(kind, query, zone, now),
    unit: oneOf('units', query, SPEED_UNIT_NAMES) ?? 'kmh',
    sectors: Number(oneOf('sectors', query, SECTORS) ?? 16) as PlotOptions['sectors'],
    theme: oneOf('theme', query, THEME_NAMES),
    width: readPx('width', query) ?? width,
    height: readPx('height', query) ?? height,
  };
}

function argumentOrUndefined(name: PlotArgument, query: Query): string | undefined {
  return argument(query, name) || undefined;
}

function readPeriod(kind: Kind, query: Query, zone: string, now: number): Period {
  const from = argumentOrUndefined('start', query);
  const to = argumentOrUndefined('stop', query) ?? 'now';
  const read = readQueryPeriod(from ?? EARLIEST_START, to, now, zone);
  const length = calendar().Duration.fromISO(DEFAULT_PERIODS[kind]);
  const start = from === undefined ? before(Math.min(read.stop, now), length, zone) : read.start;
  const period = periodUntil(now, { start, stop: read.stop });
  if (period.stop - period.start > MAX_PLOT_DAYS * DAY_MS) {
    const message = `A picture covers at most ${MAX_PLOT_DAYS} days; start is longer before stop.`;
    throw new RequestError('request_too_large', message);
  }
  return period;
}

function oneOf<T extends string>(
  name: PlotArgument,
  query: Query,
  choices: readonly T[],
): T | undefined {
  const text = argumentOrUndefined(name, query);
  const choice = choices.find((one) => one === text);
  if (text === undefined || choice !== undefined) return choice;
  throw invalid(`${name} must be one of ${choices.join(', ')}.`);
}

/** Reads `utc`, an IANA zone or `UTC+2`; luxon would keep any other text in memory for good. */
function readZone(query: Query): string {
  const text = argumentOrUndefined('tz', query) ?? 'utc';
  const zone = /^utc([+-]\d{1,2}(:?\d{2})?)?$/i.test(text) ? parseZone(text) : ianaZone(text);
  if (zone !== undefined) return zone.toLowerCase() === 'utc' ? 'utc' : zone;
  throw invalid('tz must be a time zone such as Europe/Paris, UTC+2, or utc.');
}

/** The name of a zone as the tz database spells it; undefined for a zone that does not exist. */
function ianaZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function readPx(name: 'width' | 'height', query: Query): number | undefined {
  const text = argumentOrUndefined(name, query);
  if (text === undefined) return undefined;
  const px = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (px >= PICTURE_PX.least && px <= PICTURE_PX.most) return px;
  throw invalid(
    `${name} must be a whole number of pixels from ${PICTURE_PX.least} to ${PICTURE_PX.most}.`,
  );
}
