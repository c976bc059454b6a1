import type { ReadingColumns } from '../readings/columns.ts';
import { parseCondition } from './condition.ts';
import { FIELDS_NOT_IN_HISTORY } from './fields.ts';

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/**
 * Parses a condition on the rows of an archive.
 * @param calmKmh a row with a lower average is calm and has no direction
 * @param zone the time zone of the field `hour`
 * @returns a function that tests one row; its result is undefined if a missing value leaves it open
 * @throws ConditionError
 */
export function parseRowCondition(text: string, calmKmh: number, zone: string) {
  const condition = parseCondition(text, FIELDS_NOT_IN_HISTORY, zone);
  return (columns: ReadingColumns, row: number): boolean | undefined => {
    const avgKmh = known(columns.windSpeedAvg[row]);
    const latitude = known(columns.latitude[row]);
    const longitude = known(columns.longitude[row]);
    const isCalm = avgKmh !== null && avgKmh < calmKmh;
    return condition.holds({
      avgKmh,
      maxKmh: known(columns.windSpeedMax[row]),
      minKmh: known(columns.windSpeedMin[row]),
      timeMs: columns.time[row] as number,
      position: latitude === null || longitude === null ? undefined : { latitude, longitude },
      writtenIn: columns.writtenIn,
      dirDeg: isCalm ? null : known(columns.windHeading[row]),
    });
  };
}
