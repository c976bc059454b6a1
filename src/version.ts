import about from '../package.json' with { type: 'json' };

/** The version of vane, as in its package.json. */
export const VERSION: string = about.version;
