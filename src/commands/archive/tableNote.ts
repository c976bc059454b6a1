import { formatDate } from '../../domain/dates.ts';
import { convertSpeed, round2, SPEED_UNITS } from '../../domain/units.ts';
import { formatTime } from '../../formats/forPeople.ts';
import { formatShare } from '../../formats/summary/cells.ts';
import type { ArchiveRequest } from './request.ts';
import type { StationSummaries, StationSummary } from './stationSummaries.ts';

/**
 * The note under the table of an archive: mean, strongest gust, coverage and position.
 * @param asked how many stations were asked for
 */
export function describeSummaries(
  summaries: StationSummaries,
  { output, columns }: Pick<ArchiveRequest, 'output' | 'columns'>,
  asked: number,
): string[] {
  const stations = summaries.stations();
  const wind = [...describeMean(stations, output), ...describeGust(stations, output, asked)];
  const share =
    sum(stations, ({ summary }) => summary.coverage ?? 1) / Math.max(1, stations.length);
  const { position, hasMoved } = summaries;
  const isPositionHidden = columns === undefined && asked === 1;
  const place =
    isPositionHidden && position ? ` Position${hasMoved ? ' at first' : ''}: ${position}.` : '';
  const sentence = wind.join(', ');
  return [
    ...(sentence === '' ? [] : [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`]),
    `Readings cover ${formatShare(share, 'less than 1 %')} of the period.${place}`,
  ];
}

type Output = ArchiveRequest['output'];

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
  asked: number,
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
      (asked > 1 ? ` (station ${strongest.station})` : ''),
  ];
}

function describeSpeed(kmh: number, unit: Output['unit']): string {
  return `${round2(convertSpeed(kmh, unit) ?? 0)} ${SPEED_UNITS[unit].label}`;
}

function sum<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
