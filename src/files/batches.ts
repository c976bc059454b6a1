import { type Columns, makeColumns } from '../domain/columns.ts';
import type { SpeedUnit } from '../domain/units.ts';
import { UsageError } from '../errors.ts';

/** Most readings that wait to be passed on, for each station: a file may have many stations. */
const MOST = 256;

/** A reading without any known value. */
export const UNKNOWN = {
  time: Number.NaN,
  latitude: Number.NaN,
  longitude: Number.NaN,
  windSpeedMin: Number.NaN,
  windSpeedAvg: Number.NaN,
  windSpeedMax: Number.NaN,
  windHeading: Number.NaN,
};

/** A reading: milliseconds since 1970, speeds in km/h, degrees; NaN marks an unknown value. */
export type Values = Record<keyof typeof UNKNOWN, number>;

const NAMES = Object.keys(UNKNOWN) as (keyof Values)[];

interface Batch {
  count: number;
  /** The unit of the files that the readings are from, see {@link Columns}. */
  writtenIn: SpeedUnit | undefined;
  readonly columns: Columns;
}

const newBatch = (): Batch => ({
  count: 0,
  writtenIn: undefined,
  columns: makeColumns(MOST, () => new Float64Array(MOST).fill(Number.NaN)),
});

/** Gathers readings by station, and passes them on in batches, as columns in the order of the file. */
export class Batches {
  readonly #batches = new Map<number, Batch>();
  readonly #stations = new Set<number>();
  readonly #take: (station: number, columns: Columns) => void;
  readonly #wanted: ReadonlySet<number> | undefined;
  readonly #mostStations: number;

  /**
   * Gathers readings of the `wanted` stations, or of all.
   * @param maxStations most stations of all files together: each takes tens of kB of memory
   */
  constructor(
    take: (station: number, columns: Columns) => void,
    wanted?: ReadonlySet<number>,
    maxStations = 5000,
  ) {
    this.#take = take;
    this.#wanted = wanted;
    this.#mostStations = maxStations;
  }

  /** Adds a reading. @throws UsageError for too many stations */
  add(station: number, values: Values, writtenIn: SpeedUnit | undefined): void {
    const batch = this.#batches.get(station) ?? (this.#admits(station) ? newBatch() : undefined);
    if (batch === undefined) return;
    if (batch.writtenIn !== writtenIn) this.#flush(station, batch);
    batch.writtenIn = writtenIn;
    if (batch.count === 0) this.#batches.set(station, batch);
    for (const name of NAMES) batch.columns[name][batch.count] = values[name];
    if (++batch.count === MOST) this.#flush(station, batch);
  }

  /**
   * Passes on readings that come as columns, after the readings that were added earlier.
   * @throws UsageError for too many stations
   */
  addColumns(station: number, columns: Columns): void {
    if (!this.#admits(station)) return;
    const batch = this.#batches.get(station);
    if (batch) this.#flush(station, batch);
    this.#take(station, columns);
  }

  /** Whether there were readings of a station. */
  has(station: number): boolean {
    return this.#stations.has(station);
  }

  /** Passes on the readings of all stations that wait in their batches. */
  end(): void {
    for (const [station, batch] of this.#batches) this.#flush(station, batch);
    this.#batches.clear();
  }

  #admits(station: number): boolean {
    if (this.#stations.has(station)) return true;
    if (this.#wanted && !this.#wanted.has(station)) return false;
    if (this.#stations.size === this.#mostStations) {
      const most = this.#mostStations.toLocaleString('en');
      throw new UsageError(
        `The files of --from have more than ${most} stations; name the stations that you want.`,
      );
    }
    this.#stations.add(station);
    return true;
  }

  #flush(station: number, batch: Batch): void {
    const { count, columns, writtenIn } = batch;
    const filled = makeColumns(count, (name) => columns[name].slice(0, count), writtenIn);
    if (count > 0) this.#take(station, filled);
    batch.count = 0;
  }
}
