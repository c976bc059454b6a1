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

/** The statistics of one station, as a list of groups in order, such as months. */
export interface StationStatistics extends StationTitle {
  readonly groups: readonly GroupStatistics[];
  /** Number of readings without an average. */
  readonly missing: number;
}

/** A group with the station that it belongs to. */
export interface StationGroup extends GroupStatistics {
  readonly station: StationStatistics;
}

export const stationGroups = (station: StationStatistics): readonly StationGroup[] =>
  station.groups.map((group) => ({ ...group, station }));

/** An answer to one question about the wind: what is computed, its rows, and its table. */
export interface ChosenView {
  /** The keys that group the readings. */
  readonly by: readonly GroupKey[];
  /** What is computed besides the summary of each group. */
  readonly wanted: Partial<Pick<StatisticsOptions, 'classesKmh' | 'where' | 'above' | 'spells'>>;
  /** The values of each row. */
  readonly fields: readonly RowField[];
  /** The rows of a station, each with the values of `fields`. */
  rows(station: StationStatistics): Iterable<DocumentRow>;
  /** The view for people. */
  blocks(
    stations: AsyncIterable<StationStatistics>,
    write: ValueWriter,
  ): AsyncIterable<DocumentBlock>;
  /** Lists of speeds for the head of json, in the chosen unit. */
  readonly speeds?: Readonly<Record<string, readonly number[]>>;
  /** Whether csv has the names of the fields even without a row. */
  readonly isNamedEmpty?: boolean;
  /**
   * What a note says of a station that has readings, but nothing of this view, such as `No spell`;
   * else undefined.
   */
  nothingIn?(station: StationStatistics): string | undefined;
  /**
   * What a note on thin coverage calls the groups; undefined for a view that judges the coverage
   * itself.
   */
  readonly groupWord: 'row' | 'group' | undefined;
}

/** What a view reads its options with. Functions that read text throw UsageError. */
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

/** A kind of view, with its options. `F` has the values of the options, as the command line has them. */
export interface ViewKind<F> {
  readonly options: readonly ViewOption[];
  /** The name of the option that chooses the view, if the options choose it. */
  chosenBy(flags: F): string | undefined;
  /** Refuses options that would have no effect. @throws UsageError */
  refuse?(flags: F, by: readonly GroupKey[]): void;
  /** Reads the options of a chosen view. @throws UsageError */
  read(flags: F, context: ViewContext): ChosenView;
}

/** Most rows of a table, whose widths are known once all of its rows are: each takes 4 kB of memory. */
const MAX_TABLE_ROWS = 300_000;

/** Refuses a table of too many rows. @throws UsageError */
export function refuseLongTable(rows: number): void {
  if (rows <= MAX_TABLE_ROWS) return;
  const most = MAX_TABLE_ROWS.toLocaleString('en');
  throw new UsageError(
    `The table would have over ${most} rows; write csv with -f csv, or choose a shorter period or longer groups.`,
  );
}
