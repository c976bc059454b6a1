import type { Columns } from '../domain/columns.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';

/** The values that a calendar or pattern can show: a speed, or how long a condition held. */
export const CELL_VALUES = ['mean', 'gust', 'hours'] as const;
export type CellValue = (typeof CELL_VALUES)[number];

/** Options of all kinds of picture; each kind uses only some of them. */
export interface PlotOptions {
  /** Speeds that the picture marks with a line, km/h. */
  readonly marksKmh: readonly number[];
  readonly where:
    | {
        readonly text: string;
        /** Whether the condition holds for a reading; undefined if unknown for lack of values. */
        readonly holds: (columns: Columns, row: number) => boolean | undefined;
      }
    | undefined;
  /** Number of sectors of a wind rose. */
  readonly sectors: StatisticsOptions['sectors'];
  /** The lowest speed of each class of speed in a wind rose but the first, ascending, km/h. */
  readonly classesKmh: readonly number[];
  /** A reading whose average speed lies below this one is calm, km/h. */
  readonly calmKmh: number;
  readonly value: CellValue;
}
