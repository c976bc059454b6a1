/** What the manual page adds to the help of `vane cache`. */
export const NOTES = `\
Several vanes may use the cache at once. The folder is $VANE_CACHE_DIR, else the
one of the system. Past $VANE_CACHE_MAX_SIZE (default 1GiB) the answers unused for
longest go first.`;
