import type { Columns } from '../../domain/columns.ts';
import type { Condition } from '../../domain/condition/condition.ts';
import { gustFactor } from '../../domain/watching/diagnostics.ts';

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Tests a condition on the rows of an archive. Calm air has no direction. */
export function whereOf(condition: Condition, calmKmh: number) {
  return (columns: Columns, row: number): boolean | undefined => {
    const avgKmh = known(columns.windSpeedAvg[row]);
    const maxKmh = known(columns.windSpeedMax[row]);
    const isCalm = avgKmh !== null && avgKmh < calmKmh;
    return condition.holds({
      avgKmh,
      maxKmh,
      minKmh: known(columns.windSpeedMin[row]),
      gustFactor: gustFactor({ avgKmh, maxKmh }),
      dirDeg: isCalm ? null : known(columns.windHeading[row]),
      ageMs: null,
      state: 'unknown',
      distanceKm: null,
      trendKmhPerHour: null,
    });
  };
}
