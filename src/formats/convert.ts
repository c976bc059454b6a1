import type { Json } from '../domain/json.ts';
import { Rows } from '../domain/rows.ts';
import type { SelectedStation } from '../domain/selection.ts';
import type { Station } from '../domain/station.ts';
import { SPEED_NAMES } from '../domain/stationFields.ts';
import { convertSpeed, SPEED_UNIT_NAMES, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { ArchiveChunk, StationList } from './format.ts';

/** A station with its speeds and dates as asked for, under the interface's own names. */
export function convertStation(
  station: Station,
  { unit, writeDate }: Pick<StationList, 'unit' | 'writeDate'>,
): Station {
  const date = (iso: string | null) => (iso === null ? null : writeDate(iso));
  const { meta, location, measurements, status } = station;
  const speeds = Object.fromEntries(
    SPEED_NAMES.map((name) => [name, convertSpeed(measurements[name], unit)]),
  );
  return {
    ...station,
    meta: meta.date === undefined ? meta : { ...meta, date: date(meta.date) },
    location: { ...location, date: date(location.date) },
    measurements: { ...measurements, ...speeds, date: date(measurements.date) },
    status: { ...status, date: date(status.date) },
  };
}

/**
 * The name of a speed where the format has no place for its unit: `wind_speed_avg_kn`. In the
 * service's own km/h it keeps the service's own name.
 */
export function speedName(name: string, unit: SpeedUnit): string {
  return (SPEED_NAMES as readonly string[]).includes(name) ? name + SPEED_UNITS[unit].suffix : name;
}

/** Like {@link convertStation}, the speeds named by {@link speedName}. */
export function convertAndNameStation(
  station: Station,
  list: Pick<StationList, 'unit' | 'writeDate'>,
): Station & { readonly measurements: Readonly<Record<string, Json>> } {
  const converted = convertStation(station, list);
  const measurements = Object.fromEntries(
    Object.entries(converted.measurements).map(([name, value]) => [
      speedName(name, list.unit),
      value,
    ]),
  );
  return { ...converted, measurements } as Station & { measurements: Record<string, Json> };
}

const UNIT_OF_LABEL = new Map(SPEED_UNIT_NAMES.map((unit) => [SPEED_UNITS[unit].label, unit]));

/** The columns of an archive, the speeds among them named by {@link speedName}. */
export function namesWithUnits(legend: readonly string[], units: readonly string[]): string[] {
  return legend.map((name, index) =>
    speedName(name, UNIT_OF_LABEL.get(units[index] ?? '') ?? 'kmh'),
  );
}

/** The columns of an archive named for layouts without a units line, each by a name of its own. */
export function plainNames(legend: readonly string[], units: readonly string[]): string[] {
  return uniqueNames(namesWithUnits(legend, units));
}

/**
 * Numbers names that come again: `gust`, `gust_2`.
 * @param fold what two names have in common that are one to a reader
 */
export function uniqueNames(
  names: readonly string[],
  fold: (name: string) => string = (name) => name,
): string[] {
  const taken = new Set<string>();
  const turns = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    let turn = turns.get(name) ?? 1;
    while (taken.has(fold(unique))) unique = `${name}_${++turn}`;
    turns.set(name, turn);
    taken.add(fold(unique));
    return unique;
  });
}

/** A distance as it is written down: to 10 m, as stations are located no better. */
export function roundDistanceKm(distanceKm: number): number {
  return Math.round(distanceKm * 100) / 100;
}

/** A station as it is written where it stands alone: {@link convertAndNameStation}, and how far it is. */
export function describeStation(
  { station, distanceKm }: SelectedStation,
  list: Pick<StationList, 'unit' | 'writeDate'>,
) {
  return {
    ...convertAndNameStation(station, list),
    ...(distanceKm !== undefined && { distance_km: roundDistanceKm(distanceKm) }),
  };
}

/** A chunk whose first column is its station, for rows of several stations in one place. */
export function prependStation(chunk: ArchiveChunk): ArchiveChunk {
  const { station, legend, units, rows } = chunk;
  // Only LF ends a line here; a pattern's ^ would also take the U+2028 of a text for an end.
  const inside = rows.lines.slice(0, -1).replaceAll('\n', `\n${station},`);
  const lines = rows.count === 0 ? '' : `${station},${inside}\n`;
  return {
    ...chunk,
    legend: ['station', ...legend],
    units: ['id', ...units],
    rows: Rows.ofLines(lines, rows.count),
  };
}
