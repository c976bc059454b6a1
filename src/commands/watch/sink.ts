import type { StreamRecord } from '../../formats/format.ts';

/** How a watch ended: by itself, by a failure, or by a signal or key. */
export type Ending = 'over' | 'failed' | 'ended';

/** A destination of the records of a watch. */
export interface Sink {
  /** Called after every poll, with an empty list where no record is new. */
  write(records: readonly StreamRecord[]): Promise<void> | void;
  close?(ending: Ending): Promise<void> | void;
  /** Whether an interrupted watch waits for `close` too, which then has to end soon. */
  readonly isAwaited?: true;
}
