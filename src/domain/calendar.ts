import { createRequire } from 'node:module';
import type * as luxon from 'luxon';

let loaded: typeof luxon | undefined;

/** luxon, when something first needs it. */
export function calendar(): typeof luxon {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('luxon') as typeof luxon;
    // Nothing here is written by locale, and to look for the system's takes 20 ms.
    loaded.Settings.defaultLocale = 'en-US';
  }
  return loaded;
}
