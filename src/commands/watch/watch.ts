import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import type { WatchOptions } from './options.ts';
import { createWatchState, type WatchState } from './watchState.ts';
import { createWatchStore, type WatchStore } from './watchStore.ts';

/** What a watch uses of an open session. */
export type WatchSession = Pick<Session, 'service' | 'serviceName' | 'reporter' | 'signal'>;

/** A running watch, for its sinks and for those who send its requests. */
export interface Watch extends WatchSession {
  readonly options: WatchOptions;
  readonly io: Io;
  readonly store: WatchStore;
  readonly state: WatchState;
  /** Ends the watch, as the key `q` does. */
  readonly quit: AbortController;
  /** Aborts when a signal interrupts the command, and with `quit`. */
  readonly signal: AbortSignal;
}

/** Creates a watch that has sent no request yet. */
export function createWatch(options: WatchOptions, session: WatchSession, io: Io): Watch {
  const store = createWatchStore();
  const quit = new AbortController();
  return {
    ...{ ...session, options, io, store, quit },
    state: createWatchState(options, store, io.now()),
    signal: AbortSignal.any([session.signal, quit.signal]),
  };
}
