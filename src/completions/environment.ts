import { DEFAULT_BASE_URL } from '../defaults.ts';

/** The variables that vane reads, and what each is for; a test holds the README to it. */
export const ENVIRONMENT: readonly (readonly [names: readonly string[], meaning: string])[] = [
  [
    ['VANE_BASE_URL'],
    `address of the service, as with \`--base-url\` (default \`${DEFAULT_BASE_URL}\`)`,
  ],
  [
    ['VANE_CONFIG'],
    'the configuration file (default: `vane config path`; without a home there is none)',
  ],
  [['VANE_CACHE_DIR'], "folder of the cache (default: vane's in the system's place for caches)"],
  [['VANE_CACHE_MAX_SIZE'], 'how large it may grow (default `1GiB`)'],
  [
    ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'],
    "where code is kept that vane starts sooner with (default: the system's folder for temporary files), and that none is",
  ],
  [['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'], 'proxies to go through, in either case'],
  [['NO_COLOR', 'FORCE_COLOR'], 'no colour, or colour also into a pipe'],
  [['LC_ALL', 'LC_CTYPE', 'LANG'], 'without UTF-8 in it the screen of `watch` is ASCII'],
];
