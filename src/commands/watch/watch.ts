import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import type { WatchOptions } from './options.ts';
import { createWatchState, type WatchState } from './watchState.ts';
import { createWatchStore, type WatchStore } from './watchStore.ts';

/** What a watch needs from an open session. */
export type WatchSession = Pick<Session, 'service' | 'serviceName' | 'reporter' | 'signal'>;

/** A running watch: its options, its state, and the session that it uses. */
export interface Watch extends WatchSession {
  readonly options: WatchOptions;
  readonly io: Io;
  readonly store: WatchStore;
  readonly state: WatchState;
  /** Aborted by the key `q` to end the watch. */
  readonly quit: AbortController;
  /** Aborts when a signal interrupts the command, and when `quit` aborts. */
  readonly signal: AbortSignal;
}

/** Creates a watch before its first request. */
export function createWatch(options: WatchOptions, session: WatchSession, io: Io): Watch {
  const store = createWatchStore();
  const quit = new AbortController();
  return {
    ...{ ...session, options, io, store, quit },
    state: createWatchState(options, store, io.now()),
    signal: AbortSignal.any([session.signal, quit.signal]),
  };
}
