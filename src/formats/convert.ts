import { Rows } from '../domain/rows.ts';
import type { SelectedStation } from '../domain/selection.ts';
import { SPEED_NAMES } from '../domain/stationFields.ts';
import {
  convertSpeed,
  round2,
  SPEED_UNIT_NAMES,
  SPEED_UNITS,
  type SpeedUnit,
} from '../domain/units.ts';
import type { ArchiveChunk, ValueStyle } from './format.ts';

/**
 * A station with speeds and dates in the chosen unit and zone, and with the field names of the
 * service. A known distance is rounded to 10 m, since positions of stations are no more exact.
 */
export function convertStation(
  { station, distanceKm }: SelectedStation,
  { unit, writeDate }: ValueStyle,
) {
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
    ...(distanceKm !== undefined && { distance_km: round2(distanceKm) }),
  };
}

/** Like {@link convertStation}, but names of speeds tell the unit, as {@link speedName} does. */
export function convertAndNameStation(selected: SelectedStation, style: ValueStyle) {
  const station = convertStation(selected, style);
  const measurements = Object.fromEntries(
    Object.entries(station.measurements).map(([name, value]) => [
      speedName(name, style.unit),
      value,
    ]),
  );
  return { ...station, measurements };
}

/**
 * The name of a field where the format has no other place for its unit: `wind_speed_avg_kn`. The
 * name stays the service's own for a speed in km/h, and for a field that is no speed.
 */
export function speedName(name: string, unit: SpeedUnit): string {
  return (SPEED_NAMES as readonly string[]).includes(name) ? name + SPEED_UNITS[unit].suffix : name;
}

/** Units of speed by their labels, such as `m/s`. */
export const UNIT_OF_LABEL: ReadonlyMap<string, SpeedUnit> = new Map(
  SPEED_UNIT_NAMES.map((unit) => [SPEED_UNITS[unit].label, unit]),
);

/**
 * The names of an archive's columns in a format without a line of units: the names of speeds tell
 * the unit, as {@link speedName} does.
 */
export function plainNames({ legend, units }: Pick<ArchiveChunk, 'legend' | 'units'>): string[] {
  return legend.map((name, i) => speedName(name, UNIT_OF_LABEL.get(units[i] ?? '') ?? 'kmh'));
}

/** A chunk with a column `station` inserted at an index; the unchanged chunk without an index. */
export function insertStation(chunk: ArchiveChunk, place: number | undefined): ArchiveChunk {
  if (place === undefined) return chunk;
  const { station, legend, units, rows } = chunk;
  const cells = legend.map((_, index) => `$${index + 1}`).toSpliced(place, 0, String(station));
  const lines =
    place === 0
      ? `\n${rows.lines}`.replaceAll('\n', `\n${station},`).slice(1, -`${station},`.length)
      : fillTemplate(rows.lines, legend.length, `${cells.join()}\n`);
  return {
    ...chunk,
    legend: legend.toSpliced(place, 0, 'station'),
    units: units.toSpliced(place, 0, 'id'),
    rows: Rows.ofLines(lines, rows.count),
  };
}

/**
 * Rewrites lines of comma-separated cells by a template. No cell may hold a comma of its own.
 * @param width how many cells a line has, at most 99
 * @param template of a new line; `$1` to `$99` stand for the cells of the old line
 */
export function fillTemplate(lines: string, width: number, template: string): string {
  const cells = new Array(width).fill('([^,\\n]*)').join(',');
  // `^` would also match after other line breaks, and so take quadratic time in a file of them.
  return lines.replace(new RegExp(`(?<![^\\n])${cells}\\n`, 'g'), template);
}
