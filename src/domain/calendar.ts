import { createRequire } from 'node:module';
import type * as luxon from 'luxon';

let loaded: typeof luxon | undefined;

/** luxon, loaded at first use: most commands need none of it. */
export function calendar(): typeof luxon {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('luxon') as typeof luxon;
    // vane formats nothing by locale, and finding the system's locale takes 20 ms.
    loaded.Settings.defaultLocale = 'en-US';
  }
  return loaded;
}
