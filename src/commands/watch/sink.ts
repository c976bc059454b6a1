import type { WatchRecord, WatchRecordStyle } from '../../formats/format.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';

/** How a watch ended: `over` normally, `failed` by an error, `ended` by a signal or a key. */
export type WatchEnding = 'over' | 'failed' | 'ended';

/** Receives the records of a watch and shows or sends them. */
export interface WatchSink {
  /** Receives the new records after every poll. The list is empty if there are none. */
  write(records: readonly WatchRecord[]): Promise<void> | void;
  /** @throws UnavailableError that counts the messages that were not delivered */
  close?(ending: WatchEnding): Promise<void> | void;
  /** Whether an interrupted watch still waits for `close`, which must then end quickly. */
  readonly isAwaited?: true;
}

/** How values are written: for programs, and in the templates of `--line` and `--post-text`. */
export interface RecordStyles {
  readonly forPrograms: WatchRecordStyle;
  readonly forPeople: WatchRecordStyle;
}

export interface SinkTools {
  readonly io: Io;
  readonly reporter: Reporter;
}
