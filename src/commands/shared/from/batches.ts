import { type Columns, pickRows } from '../../../domain/columns.ts';

/** Most readings that wait to be passed on, for each station: a file may have many stations. */
const MOST = 256;

/** A reading: milliseconds since 1970, speeds in km/h, degrees; NaN marks an unknown value. */
export interface Values {
  time: number;
  min: number;
  avg: number;
  max: number;
  heading: number;
}

const NAMES = ['time', 'min', 'avg', 'max', 'heading'] as const;

type Batch = Record<(typeof NAMES)[number], Float64Array> & { count: number };

const newBatch = (): Batch => ({
  count: 0,
  time: new Float64Array(MOST),
  min: new Float64Array(MOST),
  avg: new Float64Array(MOST),
  max: new Float64Array(MOST),
  heading: new Float64Array(MOST),
});

/** Gathers readings by station, and passes them on in batches, as columns that ascend by time. */
export class Batches {
  readonly #batches = new Map<number, Batch>();
  readonly #take: (station: number, columns: Columns) => void;

  constructor(take: (station: number, columns: Columns) => void) {
    this.#take = take;
  }

  add(station: number, values: Values): void {
    const batch = this.#batches.get(station) ?? newBatch();
    if (batch.count === 0) this.#batches.set(station, batch);
    for (const name of NAMES) batch[name][batch.count] = values[name];
    if (++batch.count === MOST) this.#flush(station, batch);
  }

  /** Passes on readings that come as columns, after the readings that were added earlier. */
  addColumns(station: number, columns: Columns): void {
    const batch = this.#batches.get(station);
    if (batch) this.#flush(station, batch);
    this.#take(station, inOrder(columns));
  }

  /** Passes on the readings of all stations that are still held back. */
  end(): void {
    for (const [station, batch] of this.#batches) this.#flush(station, batch);
    this.#batches.clear();
  }

  #flush(station: number, batch: Batch): void {
    const { count } = batch;
    if (count > 0) this.#take(station, inOrder(toColumns(batch)));
    batch.count = 0;
  }
}

function toColumns({ count, time, min, avg, max, heading }: Batch): Columns {
  const unknown = new Float64Array(count).fill(Number.NaN);
  return {
    count,
    time: time.slice(0, count),
    latitude: unknown,
    longitude: unknown,
    windSpeedMin: min.slice(0, count),
    windSpeedAvg: avg.slice(0, count),
    windSpeedMax: max.slice(0, count),
    windHeading: heading.slice(0, count),
    pressure: unknown,
  };
}

/** Sorts rows by time; rows with equal times keep their order. */
function inOrder(columns: Columns): Columns {
  const { count, time } = columns;
  const isLater = (ms: number, row: number): boolean =>
    row === 0 || ms >= (time[row - 1] as number);
  if (time.every(isLater)) return columns;
  const order = Int32Array.from({ length: count }, (_, row) => row);
  return pickRows(
    columns,
    order.sort((a, b) => (time[a] as number) - (time[b] as number)),
  );
}
