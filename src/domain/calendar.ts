import { createRequire } from 'node:module';
import type * as luxon from 'luxon';

let loaded: typeof luxon | undefined;

/** luxon, when something first needs it: with its look for the system's locale that takes 25 ms. */
export function calendar(): typeof luxon {
  loaded ??= createRequire(import.meta.url)('luxon') as typeof luxon;
  return loaded;
}
