import type { StreamRecord } from '../../formats/stream/stream.ts';

/** Somewhere that what a watch brings goes to. */
export interface Outlet {
  /** What a poll has brought; nothing when it has brought nothing. */
  tell(records: readonly StreamRecord[]): Promise<void> | void;
  /** @param isOver whether the watch came to its own end, and was not broken off */
  close(isOver: boolean): Promise<void> | void;
}
