import type { Period } from '../../domain/period.ts';
import { SERVICE_COLUMNS } from '../../domain/readings/archiveColumns.ts';
import { makeColumns, type ReadingColumns } from '../../domain/readings/columns.ts';
import type { SpeedUnit } from '../../domain/units.ts';

/** Readings of one station in a file, in the order of the file. */
export interface StationColumns {
  readonly station: number;
  /** The readings. They may be empty if all are outside the selected period. */
  readonly columns: ReadingColumns;
}

/** Size of a station's first piece in rows. It is small, since a file may contain many stations. */
const MIN_ROWS = 256;

/** Size of the largest pieces in rows. */
const MAX_ROWS = 8192;

/** Collects the rows of a file by station. */
export class StationColumnsCollector {
  readonly #collectors = new Map<number, StationRowCollector>();
  readonly #bounds: Partial<Period>;
  #full: StationColumns[] = [];

  /** @param bounds rows outside this period are left out */
  constructor(bounds: Partial<Period>) {
    this.#bounds = bounds;
  }

  /** The collector for a station's rows. */
  of(station: number): StationRowCollector {
    const known = this.#collectors.get(station);
    if (known) return known;
    const collector = new StationRowCollector(this.#bounds, (columns) => {
      this.#full.push({ station, columns });
    });
    this.#collectors.set(station, collector);
    return collector;
  }

  /** Removes and returns the pieces that are full. */
  takeFull(): readonly StationColumns[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** The remaining pieces. Each station has at least one piece, which may be empty. */
  finish(): readonly StationColumns[] {
    for (const collector of this.#collectors.values()) collector.finish();
    return this.takeFull();
  }
}

/** Collects the rows of one station. */
export class StationRowCollector {
  readonly #start: number;
  readonly #stop: number;
  readonly #onPiece: (columns: ReadingColumns) => void;
  #capacity = MIN_ROWS;
  #count = 0;
  /** The values, column by column, each of length `#capacity`. */
  #values = new Float64Array(SERVICE_COLUMNS.length * MIN_ROWS);
  #writtenIn: SpeedUnit | undefined;

  constructor(
    { start = -Infinity, stop = Infinity }: Partial<Period>,
    onPiece: (columns: ReadingColumns) => void,
  ) {
    this.#start = start;
    this.#stop = stop;
    this.#onPiece = onPiece;
  }

  /**
   * Adds a row.
   * @param row a number for each of {@link SERVICE_COLUMNS}
   * @param writtenIn the unit of the file's speeds, see {@link ReadingColumns}
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
