import type { SelectedStation } from '../../domain/selection.ts';
import type { RecentMeasurements } from '../../domain/watching/recentMeasurements.ts';

/** A station that a watch shows. */
export interface WatchedStation {
  readonly track: RecentMeasurements;
  readonly distanceKm: SelectedStation['distanceKm'];
  /** The condition of the station's alert, after the word `when` or `until`. */
  readonly condition: string | undefined;
  /** Whether the alert's condition holds for the station now. */
  readonly isAlerting: boolean;
}

/** What a watch knows at one moment. */
export interface WatchSnapshot {
  /** The selected stations, and those that have left the network since. */
  readonly stations: readonly WatchedStation[];
  /**
   * When the next poll is due, milliseconds since 1970; undefined while a poll runs, `never` after
   * the last poll.
   */
  readonly nextPollMs: number | 'never' | undefined;
  /** Number of polls that failed since the last success, and why the latest of them failed. */
  readonly failures: { readonly inARow: number; readonly reason: string } | undefined;
  /** Time of the last successful poll, milliseconds since 1970; undefined before the first. */
  readonly lastGoodMs: number | undefined;
}

/** The newest snapshot of a watch, for those who show it. */
export interface WatchStore {
  get(): WatchSnapshot;
  /** Replaces parts of the snapshot, then calls each subscriber. */
  update(change: Partial<WatchSnapshot>): void;
  /** Calls `listener` after each update. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

/** The store of a watch that has not polled yet. */
export function createWatchStore(): WatchStore {
  const listeners = new Set<() => void>();
  let snapshot: WatchSnapshot = {
    stations: [],
    nextPollMs: undefined,
    failures: undefined,
    lastGoodMs: undefined,
  };
  return {
    get: () => snapshot,
    update(change) {
      snapshot = { ...snapshot, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
