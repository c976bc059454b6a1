import { type FlatValue, liveColumns, liveValues } from '../flat.ts';
import type { StreamRecord, StreamStyle } from './stream.ts';

/** The columns of `vane live`, then what there is to say of an event where some records are one. */
export function streamColumns({ unit, withEvents }: StreamStyle): string[] {
  return [...liveColumns(unit), ...(withEvents ? ['event', 'condition'] : [])];
}

/**
 * What a record has in {@link streamColumns}. Fields that the interface does not name are left
 * out: the names are written before anybody knows which will come.
 */
export function streamValues({ station, event }: StreamRecord, style: StreamStyle): FlatValue[] {
  const values = liveValues(station, style);
  return style.withEvents ? [...values, event?.kind ?? null, event?.condition ?? null] : values;
}
