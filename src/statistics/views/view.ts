import type { SpeedClasses, SpeedList } from '../../domain/condition/speeds.ts';
import type {
  DocumentBlock,
  DocumentRow,
  RowField,
  StationTitle,
  ValueWriter,
} from '../../domain/document.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import type {
  GroupKey,
  GroupStatistics,
  RowConditionTest,
  StatisticsOptions,
} from '../statistics.ts';

/** The statistics of one station: a list of groups, such as months, in order. */
export interface StationStatistics extends StationTitle {
  readonly groups: readonly GroupStatistics[];
  /** Number of readings without an average. */
  readonly missing: number;
}

/** A group, and the station that it belongs to. */
export interface StationGroup extends GroupStatistics {
  readonly station: StationStatistics;
}

export const stationGroups = (station: StationStatistics): readonly StationGroup[] =>
  station.groups.map((group) => ({ ...group, station }));

/** A view of statistics, with its options read: what to compute, its rows and its table. */
export interface ChosenView {
  /** The keys that group the readings. */
  readonly by: readonly GroupKey[];
  /** What to compute besides the summary of each group. */
  readonly wanted: Partial<Pick<StatisticsOptions, 'classesKmh' | 'where' | 'above' | 'spells'>>;
  /** The fields of each row. */
  readonly fields: readonly RowField[];
  /** The rows of a station, with values in the order of `fields`. */
  rows(station: StationStatistics): Iterable<DocumentRow>;
  /** The view for people, as blocks. */
  blocks(
    stations: AsyncIterable<StationStatistics>,
    write: ValueWriter,
  ): AsyncIterable<DocumentBlock>;
  /** Lists of speeds that json writes before the rows, by name, such as speed classes; in the chosen unit. */
  readonly speeds?: Readonly<Record<string, readonly number[]>>;
  /** Whether csv writes the field names even if there are no rows. */
  readonly isNamedEmpty?: boolean;
  /**
   * The words for a note about a station that has readings but nothing to show in this view, such
   * as `No spell`; undefined if there is something to show.
   */
  nothingIn?(station: StationStatistics): string | undefined;
  /**
   * What a note about low coverage calls the groups; undefined if the view handles coverage itself.
   */
  readonly groupWord: 'row' | 'group' | undefined;
}

/** What views need to read their options. Functions that read text throw UsageError. */
export interface ViewContext {
  readonly by: readonly GroupKey[];
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly readSpeeds: (flag: string, text: string) => SpeedList;
  readonly readClasses: (text: string | undefined) => SpeedClasses;
  readonly readCondition: (text: string) => RowConditionTest;
  readonly readDurationMs: (flag: string, text: string) => number;
}

/** An option of `vane stats`. */
interface ViewOption {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

/** A kind of view with its options. `F` is the type of their values on the command line. */
export interface ViewKind<F> {
  readonly options: readonly ViewOption[];
  /** The option that chooses the view; undefined if the options do not choose it. */
  chosenBy(flags: F): string | undefined;
  /**
   * Refuses options that would have no effect.
   * @throws UsageError
   */
  refuse?(flags: F, by: readonly GroupKey[]): void;
  /**
   * Reads the options of a chosen view.
   * @throws UsageError
   */
  read(flags: F, context: ViewContext): ChosenView;
}

/**
 * Maximum number of rows of a table. All rows stay in memory, 4 kB each, until the column widths
 * are known.
 */
const MAX_TABLE_ROWS = 300_000;

/**
 * Refuses a table with too many rows.
 * @throws UsageError
 */
export function refuseLongTable(rows: number): void {
  if (rows <= MAX_TABLE_ROWS) return;
  const most = MAX_TABLE_ROWS.toLocaleString('en');
  throw new UsageError(
    `The table would have over ${most} rows; write csv with -f csv, or choose a shorter period or longer groups.`,
  );
}
