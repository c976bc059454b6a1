import { ColumnReader, readingsOf } from '../../domain/columnReader.ts';
import type { Columns } from '../../domain/columns.ts';
import { formatDate, HOUR_MS } from '../../domain/dates.ts';
import type { Archive } from '../../domain/envelope.ts';
import { periodUntil } from '../../domain/period.ts';
import { countOf } from '../../domain/text.ts';
import { CALM_BELOW_KMH, convertSpeed, round2, SPEED_UNITS } from '../../domain/units.ts';
import { formatShare, formatTime } from '../../formats/forPeople.ts';
import type { ChunkRequest } from '../../service/chunks.ts';
import { type Gap, Statistics, type WindSummary } from '../../statistics/statistics.ts';
import type { ArchiveOptions } from './options.ts';

export interface StationSummary {
  readonly station: number;
  readonly summary: WindSummary;
  /** Gaps of over six hours between readings, the first {@link MAX_GAPS} of them. */
  readonly longGaps: readonly Gap[];
  readonly longGapCount: number;
}

const LONG_GAP_MS = 6 * HOUR_MS;
/** Most gaps that are kept: ten years may have 14,600 gaps of over six hours. */
const MAX_GAPS = 1000;

/** Computes the statistics of each station of an export, whose rows come station by station. */
export class StationSummaries {
  readonly #options: Pick<ArchiveOptions, 'period' | 'now' | 'output'>;
  readonly #reader = new ColumnReader();
  readonly #finished: StationSummary[] = [];
  #open: { readonly station: number; readonly statistics: Statistics } | undefined;
  /** The first position among the rows, as text: latitude and longitude. */
  position: string | undefined;
  hasMoved = false;

  constructor(options: Pick<ArchiveOptions, 'period' | 'now' | 'output'>) {
    this.#options = options;
  }

  /**
   * Takes the next rows of a station, or the first rows of the next station.
   * @param archive undefined where the request for the rows failed
   */
  take({ station, period }: ChunkRequest, archive: Archive | undefined): void {
    if (station !== this.#open?.station) {
      this.#finish();
      this.#open = { station, statistics: this.#statisticsFrom(period.start) };
    }
    if (archive === undefined) return;
    const columns = readingsOf(archive.rows, this.#reader);
    this.#open.statistics.add(columns);
    this.#takePositions(columns);
  }

  /**
   * Empty statistics of a station.
   * @param start of the station's first request: with --append, only the rest is requested
   */
  #statisticsFrom(start: number): Statistics {
    const { period, now, output } = this.#options;
    return new Statistics({
      period: periodUntil(now, { start, stop: period.stop }),
      zone: output.zone,
      by: [],
      calmKmh: CALM_BELOW_KMH,
      sectors: 16,
      classesKmh: undefined,
      where: undefined,
    });
  }

  #takePositions({ count, latitude, longitude }: Columns): void {
    for (let row = 0; row < count; row++) {
      const [north, east] = [latitude[row] as number, longitude[row] as number];
      if (Number.isNaN(north) || Number.isNaN(east)) continue;
      const position = `${north}, ${east}`;
      this.position ??= position;
      this.hasMoved ||= position !== this.position;
    }
  }

  #finish(): void {
    if (this.#open === undefined) return;
    const { station, statistics } = this.#open;
    const gaps = statistics.gaps(LONG_GAP_MS);
    const longGaps = gaps.slice(0, MAX_GAPS);
    for (const { summary } of statistics.groups()) {
      this.#finished.push({ station, summary, longGaps, longGapCount: gaps.length });
    }
    this.#open = undefined;
  }

  /** Completes the statistics of the last station, and returns those of all stations. */
  stations(): readonly StationSummary[] {
    this.#finish();
    return this.#finished;
  }
}

/**
 * The note under the table of an archive: mean, strongest gust, coverage and position.
 * @param stationCount how many stations were requested
 */
export function describeSummaries(
  summaries: StationSummaries,
  { output, columns }: Pick<ArchiveOptions, 'output' | 'columns'>,
  stationCount: number,
): string[] {
  const stations = summaries.stations();
  const wind = [...describeMean(stations, output), ...describeGust(stations, output, stationCount)];
  const share =
    sum(stations, ({ summary }) => summary.coverage ?? 1) / Math.max(1, stations.length);
  const { position, hasMoved } = summaries;
  const isPositionHidden = columns === undefined && stationCount === 1;
  const place =
    isPositionHidden && position ? ` Position${hasMoved ? ' at first' : ''}: ${position}.` : '';
  const sentence = wind.join(', ');
  const missing = sum(stations, ({ summary }) => summary.missing);
  const others = missing === 0 ? '' : `; ${countOf(missing, 'reading')} without a mean left out`;
  return [
    ...(sentence === '' ? [] : [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`]),
    `Readings cover ${formatShare(share, 'less than 1 %')} of the period${others}.${place}`,
  ];
}

type Output = ArchiveOptions['output'];

/** The mean of all readings, so that a station with more readings has more weight. */
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
  return `${round2(convertSpeed(kmh, unit) ?? 0)} ${SPEED_UNITS[unit].label}`;
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
