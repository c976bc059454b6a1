import type { SelectedStation } from '../../domain/selection.ts';
import type { RecentMeasurements } from '../../domain/watching/recentMeasurements.ts';

/** A station that a watch shows. */
export interface WatchedStation {
  readonly recent: RecentMeasurements;
  readonly distanceKm: SelectedStation['distanceKm'];
  /** The condition of the station's alert after its option's name, such as `when avg > 15kn`. */
  readonly condition: string | undefined;
  /** Whether the alert's condition holds for the station now. */
  readonly isAlerting: boolean;
}

/** The stations of a watch and the state of its polling, at one moment. */
export interface WatchSnapshot {
  /** The selected stations, including those that have left the network since. */
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

/** Holds the latest snapshot of a watch, and tells subscribers about changes. */
export interface WatchStore {
  get(): WatchSnapshot;
  /** Replaces parts of the snapshot, then calls each subscriber. */
  update(change: Partial<WatchSnapshot>): void;
  /**
   * Calls `listener` after each update.
   * @returns a function that ends the subscription
   */
  subscribe(listener: () => void): () => void;
}

/** Creates the store of a watch before its first poll. */
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
