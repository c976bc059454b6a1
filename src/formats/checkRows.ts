import { formatDate } from '../domain/dates.ts';
import { LEVELS, TEST_NAMES } from '../domain/quality/limits.ts';
import type { CheckList } from './format.ts';

/** Checks as objects for programs: one for each station, or for each month of it. */
export function checkRows({ stations, writeDate }: CheckList) {
  return stations.flatMap(({ station, parts }) =>
    parts.map(({ month, verdict, coverage, last, readings, tests }) => ({
      station,
      ...(month !== undefined && { month }),
      verdict,
      coverage,
      last: last === null ? null : writeDate(formatDate(last)),
      readings,
      tests,
    })),
  );
}

/** Like {@link checkRows}, but each count has a field of its own, such as `spike_suspect`. */
export function flatCheckRows(list: CheckList) {
  return checkRows(list).map(({ tests, ...row }) => {
    const counts = TEST_NAMES.flatMap((test) =>
      LEVELS.map((level) => [`${test}_${level}`, tests[test][level]] as const),
    );
    return { ...row, ...Object.fromEntries(counts) };
  });
}
