import { type Columns, possibleColumns } from '../domain/columns.ts';
import { countOf } from '../domain/text.ts';
import type { Reporter } from '../output/reporter.ts';

/**
 * Where readings become statistics, a picture or steps of --every: impossible values are missing from
 * here on. An export of the readings themselves has them as they came.
 */
export class PossibleReadings {
  #impossible = 0;

  /** Takes readings, and returns them without impossible values. */
  take(columns: Columns): Columns {
    const { possible, impossible } = possibleColumns(columns);
    this.#impossible += impossible;
    return possible;
  }

  /** Notes how many values were impossible. */
  note({ note }: Reporter): void {
    if (this.#impossible === 0) return;
    const isOne = this.#impossible === 1;
    note(
      `${countOf(this.#impossible, 'impossible value')} ${isOne ? 'counts' : 'count'} as missing: ` +
        'speeds below 0 or over 450 km/h, directions outside 0 to 360.',
    );
  }
}

/**
 * Notes at which stations readings without an average came.
 * @param missing their number, by station
 */
export function noteWithoutAverage(missing: ReadonlyMap<number, number>, { note }: Reporter): void {
  const stations = [...missing].filter(([, count]) => count > 0);
  const total = stations.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return;
  const [only, ...others] = stations;
  const owner = others.length === 0 ? `station ${only?.[0]}` : `${stations.length} stations`;
  note(
    `${countOf(total, 'reading')} of ${owner} ${total === 1 ? 'has' : 'have'} no mean: ` +
      'coverage and hours leave such readings out.',
  );
}
