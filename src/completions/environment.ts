import { DEFAULT_BASE_URL } from '../defaults.ts';

/** The variables that vane reads, and what each is for; a test compares the README with it. */
export const ENVIRONMENT: readonly (readonly [names: readonly string[], meaning: string])[] = [
  [
    ['VANE_BASE_URL'],
    `address of the service, as with \`--base-url\` (default \`${DEFAULT_BASE_URL}\`)`,
  ],
  [
    ['VANE_CONFIG'],
    'the configuration file (default: `vane config path`; without a home there is none)',
  ],
  [['VANE_CACHE_DIR'], 'folder of the cache (default: `vane cache path`)'],
  [['VANE_CACHE_MAX_SIZE'], 'largest size of the cache (default `1GiB`)'],
  [
    ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'],
    'folder for compiled code, which shortens the start on Node 22.8 and later (default: `compiled` in the folder of the cache), and a switch that turns it off',
  ],
  [
    ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    'proxies, and hosts to reach without one; lower case works too',
  ],
  [['NO_COLOR', 'FORCE_COLOR'], 'no colour; colour also in a pipe'],
  [['LC_ALL', 'LC_CTYPE', 'LANG'], 'locale; without UTF-8 in it `watch` draws its screen in ASCII'],
];
