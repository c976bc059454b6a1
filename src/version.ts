import { createRequire } from 'node:module';

// Not by node:fs: loaded as a module, that brings up streams and promises of files, for 4 ms.
const require = createRequire(import.meta.url);

/** The version of vane, as in its package.json. */
export const VERSION: string = require('../package.json').version;
