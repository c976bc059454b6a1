import type { Columns } from '../../../domain/columns.ts';

/** Readings of a batch: few, since each of many stations may have one. */
const MOST = 2048;

/** Times and values of a reading in km/h and degrees; NaN is not known. */
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

/** Gathers readings by station, and passes them on as columns that ascend by time. */
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

  /** Passes on what is left. */
  end(): void {
    for (const [station, batch] of this.#batches) this.#flush(station, batch);
    this.#batches.clear();
  }

  #flush(station: number, batch: Batch): void {
    const { count } = batch;
    if (count > 0) this.#take(station, columnsOf(batch));
    batch.count = 0;
  }
}

function columnsOf({ count, ...arrays }: Batch): Columns {
  const { time } = arrays;
  let order: Uint32Array | undefined;
  for (let row = 1; row < count; row++) {
    if ((time[row] as number) >= (time[row - 1] as number)) continue;
    order = Uint32Array.from({ length: count }, (_, index) => index);
    order.sort((a, b) => (time[a] as number) - (time[b] as number));
    break;
  }
  const copy = (values: Float64Array): Float64Array =>
    order ? Float64Array.from(order, (row) => values[row] as number) : values.slice(0, count);
  const unknown = new Float64Array(count).fill(Number.NaN);
  return {
    count,
    time: copy(time),
    latitude: unknown,
    longitude: unknown,
    windSpeedMin: copy(arrays.min),
    windSpeedAvg: copy(arrays.avg),
    windSpeedMax: copy(arrays.max),
    windHeading: copy(arrays.heading),
    pressure: unknown,
  };
}
