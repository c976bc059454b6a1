import { readFileSync } from 'node:fs';

/** The version of vane, as in its package.json. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
