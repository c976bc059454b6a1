import type { StreamRecord } from '../../formats/format.ts';

/** Whether a watch came to its own end, failed, or was ended by somebody who waits for it. */
export type Ending = 'over' | 'failed' | 'ended';

/** Somewhere that what a watch brings goes to. */
export interface Sink {
  /** What a poll has brought; nothing when it has brought nothing. */
  tell(records: readonly StreamRecord[]): Promise<void> | void;
  close(ending: Ending): Promise<void> | void;
}
