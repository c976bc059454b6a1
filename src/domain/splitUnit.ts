/** What an export can be split by. */
export const SPLIT_UNITS = ['year', 'month'] as const;
export type SplitUnit = (typeof SPLIT_UNITS)[number];
