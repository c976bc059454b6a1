import type { Period } from '../../domain/period.ts';
import { SERVICE_COLUMNS } from '../../domain/readings/archiveColumns.ts';
import { type Columns, makeColumns } from '../../domain/readings/columns.ts';
import type { SpeedUnit } from '../../domain/units.ts';

/** Readings of one station in a file, in the order of the file. */
export interface StationColumns {
  readonly station: number;
  /** May be empty: then all readings of the station lie outside the selected period. */
  readonly columns: Columns;
}

/** Rows of a station's first piece: a file may contain many stations. */
const MIN_ROWS = 256;

/** Rows of the largest piece. */
const MAX_ROWS = 8192;

/** Collects rows of a file by station, and turns them into pieces. */
export class StationColumnsCollector {
  readonly #collectors = new Map<number, StationRowCollector>();
  readonly #bounds: Partial<Period>;
  #full: StationColumns[] = [];

  /** @param bounds rows outside this period are left out */
  constructor(bounds: Partial<Period>) {
    this.#bounds = bounds;
  }

  /** The collector of a station's rows. */
  of(station: number): StationRowCollector {
    const known = this.#collectors.get(station);
    if (known) return known;
    const collector = new StationRowCollector(this.#bounds, (columns) => {
      this.#full.push({ station, columns });
    });
    this.#collectors.set(station, collector);
    return collector;
  }

  /** The pieces that have become full since the last call. */
  takeFull(): readonly StationColumns[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** The last pieces; each station has at least one piece, even if it is empty. */
  finish(): readonly StationColumns[] {
    for (const collector of this.#collectors.values()) collector.finish();
    return this.takeFull();
  }
}

/** Collects the rows of one station. */
export class StationRowCollector {
  readonly #start: number;
  readonly #stop: number;
  readonly #onPiece: (columns: Columns) => void;
  #capacity = MIN_ROWS;
  #count = 0;
  /** One column of `#capacity` numbers after the other. */
  #values = new Float64Array(SERVICE_COLUMNS.length * MIN_ROWS);
  #writtenIn: SpeedUnit | undefined;

  constructor(
    { start = -Infinity, stop = Infinity }: Partial<Period>,
    onPiece: (columns: Columns) => void,
  ) {
    this.#start = start;
    this.#stop = stop;
    this.#onPiece = onPiece;
  }

  /**
   * Adds a row.
   * @param row a number for each of {@link SERVICE_COLUMNS}
   * @param writtenIn the unit of the file, see {@link Columns}
   */
  add(row: Float64Array, writtenIn: SpeedUnit | undefined): void {
    const time = row[0] as number;
    if (time < this.#start || time >= this.#stop) return;
    if (writtenIn !== this.#writtenIn) {
      if (this.#count > 0) this.#flush();
      this.#writtenIn = writtenIn;
    }
    for (let place = 0, at = this.#count; place < row.length; place++, at += this.#capacity) {
      this.#values[at] = row[place] as number;
    }
    if (++this.#count < this.#capacity) return;
    this.#flush();
    this.#capacity = Math.min(2 * this.#capacity, MAX_ROWS);
    this.#values = new Float64Array(SERVICE_COLUMNS.length * this.#capacity);
  }

  finish(): void {
    this.#flush();
  }

  #flush(): void {
    const [count, capacity, values] = [this.#count, this.#capacity, this.#values];
    const isFull = count === capacity;
    const column = (_: string, place: number): Float64Array => {
      const [from, to] = [place * capacity, place * capacity + count];
      return isFull ? values.subarray(from, to) : values.slice(from, to);
    };
    this.#onPiece(makeColumns(count, column, this.#writtenIn));
    this.#count = 0;
  }
}
