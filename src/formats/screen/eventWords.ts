import type { AlarmEvent, EventKind } from '../../domain/watching/event.ts';
import { readClock } from './times.ts';

/** The words for an event that follow the name of its station. */
const WORDS: Record<EventKind, { full: (condition: string) => string; short: string }> = {
  true: { full: (condition) => `${condition} holds`, short: 'holds' },
  false: { full: (condition) => `${condition} no longer holds`, short: 'no longer holds' },
  stale: {
    full: (condition) => `no recent measurement to tell whether ${condition}`,
    short: 'no recent measurement',
  },
};

/** Puts an event into words: time, station and change, in full or without the condition. */
export function wordEvent(
  { kind, condition, atMs, name }: AlarmEvent & { readonly name: string },
  writeDate: (isoUtc: string) => string,
) {
  const who = `${readClock(atMs, writeDate).time} ${name.trim()}`;
  const { full, short } = WORDS[kind];
  return { who, what: short, full: `${who}: ${full(condition)}`, short: `${who}: ${short}` };
}
