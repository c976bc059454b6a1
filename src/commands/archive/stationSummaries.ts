import { formatDate, HOUR_MS } from '../../domain/dates.ts';
import { cutPeriodAtNow } from '../../domain/period.ts';
import { firstRowsOfTimes, type ReadingColumns } from '../../domain/readings/columns.ts';
import { formatCount } from '../../domain/text.ts';
import { CALM_BELOW_KMH, convertSpeed, roundTo2Decimals, SPEED_UNITS } from '../../domain/units.ts';
import { formatShare, formatTime } from '../../formats/humanReadable.ts';
import { listGaps } from '../../statistics/coverage.ts';
import { joinWindReadings, type WindReadings, windReadingsOf } from '../../statistics/readings.ts';
import {
  computeStatistics,
  type Gap,
  type GroupStatistics,
  type WindSummary,
} from '../../statistics/statistics.ts';
import type { ArchiveOptions } from './options.ts';

export interface StationSummary {
  readonly station: number;
  readonly summary: WindSummary;
  /** Gaps of over six hours between readings; only the first {@link MAX_GAPS}. */
  readonly longGaps: readonly Gap[];
  readonly longGapCount: number;
}

/** The first position of the stations of an export, as text. */
export interface FirstPosition {
  readonly position: string | undefined;
  /** Whether a later row has a different position. */
  readonly hasMoved: boolean;
}

const LONG_GAP_MS = 6 * HOUR_MS;
/** Maximum number of gaps to keep: ten years may have 14,600 gaps of over six hours. */
const MAX_GAPS = 1000;

/** The statistics of one station of an export, and its first position. */
export interface DescribedStation extends StationSummary, FirstPosition {}

/** Computes the statistics of one station of an export. */
export class StationSummarizer {
  readonly #options;
  readonly #parts: WindReadings[] = [];
  /** The time of the latest row, to skip further rows of the same time. */
  #latest = Number.NaN;
  #position: string | undefined;
  #hasMoved = false;

  /** @param start start of the first requested period, milliseconds since 1970 */
  constructor(
    { period, now, output }: Pick<ArchiveOptions, 'period' | 'now' | 'output'>,
    start: number,
  ) {
    this.#options = {
      period: cutPeriodAtNow(now, { start, stop: period.stop }),
      zone: output.zone,
      by: [],
      calmKmh: CALM_BELOW_KMH,
      sectors: 16,
      classesKmh: undefined,
      where: undefined,
    } as const;
  }

  /** Adds the next readings. */
  add(columns: ReadingColumns): void {
    this.#parts.push(windReadingsOf(firstRowsOfTimes(columns, this.#latest), this.#options));
    this.#latest = columns.time.at(-1) ?? this.#latest;
    this.#addPositions(columns);
  }

  #addPositions({ count, latitude, longitude }: ReadingColumns): void {
    for (let row = 0; row < count; row++) {
      const [north, east] = [latitude[row] as number, longitude[row] as number];
      if (Number.isNaN(north) || Number.isNaN(east)) continue;
      const position = `${north}, ${east}`;
      this.#position ??= position;
      this.#hasMoved ||= position !== this.#position;
    }
  }

  /** Finishes the summary after the last reading. */
  finish(station: number): DescribedStation {
    const readings = joinWindReadings(this.#parts);
    const [{ summary }] = computeStatistics(readings, this.#options) as [GroupStatistics];
    const gaps = listGaps(readings, this.#options.period, LONG_GAP_MS);
    const longGaps = gaps.slice(0, MAX_GAPS);
    const [position, hasMoved] = [this.#position, this.#hasMoved];
    return { station, summary, longGaps, longGapCount: gaps.length, position, hasMoved };
  }
}

/**
 * The note below the table of an archive: mean, strongest gust, coverage and position.
 * @param stationCount number of stations that have readings or an empty chunk
 */
export function describeSummaries(
  stations: readonly StationSummary[],
  { position, hasMoved }: FirstPosition,
  { output, columns }: Pick<ArchiveOptions, 'output' | 'columns'>,
  stationCount: number,
): string[] {
  const wind = [...describeMean(stations, output), ...describeGust(stations, output, stationCount)];
  const share =
    sum(stations, ({ summary }) => summary.coverage ?? 1) / Math.max(1, stations.length);
  const isPositionHidden = columns === undefined && stationCount === 1;
  const place =
    isPositionHidden && position ? ` Position${hasMoved ? ' at first' : ''}: ${position}.` : '';
  const sentence = wind.join(', ');
  const missing = sum(stations, ({ summary }) => summary.missing);
  const others =
    missing === 0 ? '' : `; ${formatCount(missing, 'reading')} without a mean left out`;
  return [
    ...(sentence === '' ? [] : [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`]),
    `Readings cover ${formatShare(share, 'less than 1 %')} of the period${others}.${place}`,
  ];
}

type Output = ArchiveOptions['output'];

/** The mean of all readings. A station with more readings has more weight. */
function describeMean(stations: readonly StationSummary[], { unit }: Output): string[] {
  const countOf = ({ summary }: StationSummary) => summary.readings - summary.missing;
  const count = sum(stations, countOf);
  if (count === 0) return [];
  const total = sum(stations, (station) => countOf(station) * (station.summary.mean ?? 0));
  return [`mean ${describeSpeed(total / count, unit)}`];
}

function describeGust(
  stations: readonly StationSummary[],
  { unit, zone, writeDate }: Output,
  stationCount: number,
): string[] {
  let strongest: StationSummary | undefined;
  for (const station of stations) {
    const gust = station.summary.maxGust ?? Number.NEGATIVE_INFINITY;
    if (gust > (strongest?.summary.maxGust ?? Number.NEGATIVE_INFINITY)) strongest = station;
  }
  const { maxGust = null, maxGustAt = null } = strongest?.summary ?? {};
  if (strongest === undefined || maxGust === null || maxGustAt === null) return [];
  const time = formatTime(writeDate(formatDate(maxGustAt)));
  return [
    `strongest gust ${describeSpeed(maxGust, unit)} at ${time}` +
      (zone === 'utc' ? ' UTC' : '') +
      (stationCount > 1 ? ` (station ${strongest.station})` : ''),
  ];
}

function describeSpeed(kmh: number, unit: Output['unit']): string {
  return `${roundTo2Decimals(convertSpeed(kmh, unit) ?? 0)} ${SPEED_UNITS[unit].label}`;
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
