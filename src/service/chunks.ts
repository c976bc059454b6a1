import { formatDate } from '../domain/dates.ts';
import type { Archive } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import { type Period, planChunks } from '../domain/period.ts';
import type { Reading } from '../domain/reading.ts';
import { Rows } from '../domain/rows.ts';
import type { StationService } from './service.ts';

export interface ChunkOptions {
  readonly signal: AbortSignal;
  /** No chunk that begins after this moment is asked for: nothing was measured there yet. */
  readonly now: number;
}

/**
 * One station's history over any period, as the answers to one request for each 31 days, in
 * order and tidied: rows ascend, lie in `start ≤ time < stop` and never come twice, however
 * the service treats its bounds. Columns are those of the first answer.
 * @throws every failure of a StationService
 */
export async function* fetchArchive(
  service: StationService,
  station: number,
  period: Period,
  { signal, now }: ChunkOptions,
): AsyncGenerator<Archive> {
  let legend: readonly string[] | undefined;
  for (const chunk of planChunks(period)) {
    if (chunk.start > now && legend !== undefined) return;
    const answer = await service.archive(station, chunk, { signal });
    legend ??= answer.legend;
    const archive = alignColumns(answer, legend);
    yield { ...archive, rows: tidyRows(archive.rows, chunk) };
  }
}

/** Gives an answer the columns of `legend`: a service may start to send another one in mid-period. */
function alignColumns(archive: Archive, legend: readonly string[]): Archive {
  if (archive.legend.length === legend.length && archive.legend.every((n, i) => n === legend[i])) {
    return archive;
  }
  const places = legend.map((name) => archive.legend.indexOf(name));
  const readings = archive.rows.readings.map(
    (row) => places.map((place) => row[place] ?? null) as Json[] as unknown as Reading,
  );
  return { ...archive, legend, rows: Rows.ofReadings(readings) };
}

/**
 * Rows of a period in order, without those outside it or already there. Two different readings
 * of one time are both kept.
 */
export function tidyRows(rows: Rows, period: Period): Rows {
  const ordered = orderRows(rows, period);
  let previous = '';
  for (const time of ordered.times()) {
    if (time === previous) return Rows.ofReadings(ordered.readings.filter(isFirstOfItsKind));
    previous = time;
  }
  return ordered;
}

/** Rows of a period by time, without those outside it; the same ones where that is so already. */
export function orderRows(rows: Rows, { start, stop }: Period): Rows {
  // The service's dates are of one form, so they compare as text.
  const [first, end] = [formatDate(start), formatDate(stop)];
  let previous = first;
  for (const time of rows.times()) {
    if (time < previous || time >= end) return sortRows(rows, first, end);
    previous = time;
  }
  return rows;
}

function sortRows(rows: Rows, first: string, end: string): Rows {
  const inside = rows.readings.filter(([time]) => time >= first && time < end);
  return Rows.ofReadings(inside.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)));
}

function isFirstOfItsKind(reading: Reading, index: number, ordered: readonly Reading[]): boolean {
  const text = JSON.stringify(reading);
  for (let i = index - 1; i >= 0 && ordered[i]?.[0] === reading[0]; i--) {
    if (JSON.stringify(ordered[i]) === text) return false;
  }
  return true;
}
