import type { StreamRecord } from '../../formats/format.ts';

/** How a watch ended: `over` by itself, `failed` by an error, `ended` by a signal or a key. */
export type Ending = 'over' | 'failed' | 'ended';

/** A destination of the records of a watch. */
export interface Sink {
  /** Called after every poll; the list is empty after a poll without new records. */
  write(records: readonly StreamRecord[]): Promise<void> | void;
  close?(ending: Ending): Promise<void> | void;
  /** Whether even an interrupted watch waits for `close`; such a `close` has to end soon. */
  readonly isAwaited?: true;
}
