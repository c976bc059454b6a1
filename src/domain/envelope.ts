import type { Rows } from './rows.ts';
import type { Station } from './station.ts';
import { placeOfDifference, quoteExcerpt } from './text.ts';

/** Source and license of the data, which every response carries. */
export interface Provenance {
  /** Address of the service's reference page. */
  readonly doc: string;
  /** Address of the data license. */
  readonly license: string;
  /** Text that credits the contributors. */
  readonly attribution: string;
}

/** A JSON response of the Live interface. */
interface Envelope<T> extends Provenance {
  readonly data: T;
}

export type LiveStation = Envelope<Station>;
export type LiveStations = Envelope<readonly Station[]>;

/** An archive without its rows; `legend` and `units` are the names and units of the columns. */
export interface ArchiveHead extends Provenance {
  readonly legend: readonly string[];
  readonly units: readonly string[];
}

/** The history of one station over a period. */
export interface Archive extends ArchiveHead {
  readonly rows: Rows;
}

/** Most characters shown of a unit. */
const MAX_SHOWN_LENGTH = 40;

/**
 * A sentence on a unit that differs in a later part of an archive, as only that of the pressure may;
 * undefined where the units are the same, or the part has no rows.
 */
export function describeUnitChange(
  first: Pick<ArchiveHead, 'legend' | 'units'>,
  later: Pick<Archive, 'units' | 'rows'>,
  station: number,
): string | undefined {
  const place = placeOfDifference(first.units, later.units);
  if (place === -1 || later.rows.count === 0) return undefined;
  const [before, after] = [first, later].map(({ units }) =>
    quoteExcerpt(units[place] ?? '', MAX_SHOWN_LENGTH),
  );
  return (
    `The unit of ${first.legend[place]} changes from ${before} to ${after} at station ${station}; ` +
    'the values are not converted, and all stand under the first unit.'
  );
}
