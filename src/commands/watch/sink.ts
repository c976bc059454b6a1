import type { WatchRecord, WatchRecordStyle } from '../../formats/format.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';

/** How a watch ended: `over` by itself, `failed` by an error, `ended` by a signal or a key. */
export type WatchEnding = 'over' | 'failed' | 'ended';

/** A destination of the records of a watch. */
export interface WatchSink {
  /** Receives the new records after every poll; the list is empty if there are none. */
  write(records: readonly WatchRecord[]): Promise<void> | void;
  /** @throws UnavailableError that counts messages which were not delivered */
  close?(ending: WatchEnding): Promise<void> | void;
  /** Set where an interrupted watch still waits for `close`, which then has to end soon. */
  readonly isAwaited?: true;
}

/** The styles of records for programs, and of the templates `--line` and `--post-text`. */
export interface RecordStyles {
  readonly forPrograms: WatchRecordStyle;
  readonly forPeople: WatchRecordStyle;
}

export interface SinkTools {
  readonly io: Io;
  readonly reporter: Reporter;
}
