import { type Condition, parseCondition } from '../domain/condition/condition.ts';
import { parseRowCondition } from '../domain/condition/rowCondition.ts';
import { ConditionError } from '../domain/condition/scanner.ts';
import { parseSpeedIn, parseSpeedList, SPEED_LIST_FORM } from '../domain/condition/speeds.ts';
import type { ReadingColumns } from '../domain/readings/columns.ts';
import { joinAlternatives, printable, showPlaceInText } from '../domain/text.ts';
import { BEAUFORT_FROM_KMH, type SpeedUnit } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';
import type { FigureKind, PanelKey } from './kinds.ts';

/**
 * The values that cells and roses can show: a mean, a gust or, in cells only, the hours of a
 * condition.
 */
export const CELL_VALUES = ['mean', 'gust', 'hours'] as const;
type CellValue = (typeof CELL_VALUES)[number];

/** The options of all kinds of pictures. Each kind uses only some of them. */
export interface FigureOptions {
  /** Speeds to mark with a line, km/h. */
  readonly marksKmh: readonly number[];
  readonly where:
    | {
        readonly text: string;
        /**
         * Whether the condition is true for a reading; undefined if missing values leave it open.
         */
        readonly holds: (columns: ReadingColumns, row: number) => boolean | undefined;
      }
    | undefined;
  /** The condition that colours a dial while it is true. */
  readonly heldNow?: Condition | undefined;
  /** Number of sectors of a wind rose. */
  readonly sectors: StatisticsOptions['sectors'];
  /** The lower bounds of the speed classes of a wind rose, except the first, ascending, km/h. */
  readonly classesKmh: readonly number[];
  /** A reading with a lower average is calm, km/h. */
  readonly calmKmh: number;
  readonly value: CellValue;
  /** The parts of the year that each get a panel; undefined for one panel per station. */
  readonly by: PanelKey | undefined;
}

/** Options of pictures as text, from a command line or a URL. */
export interface FigureOptionTexts {
  readonly mark?: string | undefined;
  readonly where?: string | undefined;
  readonly value?: CellValue | undefined;
  readonly sectors?: string | undefined;
  readonly classes?: string | undefined;
  readonly by?: PanelKey | undefined;
}

/** The options that apply only to some kinds of pictures, with these kinds. */
const OF_KINDS = {
  mark: ['series'],
  sectors: ['rose'],
  classes: ['rose'],
  value: ['rose', 'calendar', 'pattern'],
  where: ['series', 'rose', 'calendar', 'pattern', 'now'],
  by: ['rose', 'pattern'],
} as const satisfies Record<keyof FigureOptionTexts, readonly FigureKind[]>;

/**
 * Reads the options of a picture.
 * @param unit the default unit of speeds
 * @param zone the time zone of hours in a condition
 * @throws UsageError that names the option as a flag, also for an option without effect
 */
export function readFigureOptions(
  kind: FigureKind,
  texts: FigureOptionTexts,
  unit: SpeedUnit,
  zone: string,
  calmKmh: number,
): FigureOptions {
  refuseUseless(kind, texts);
  const isOfNow = kind === 'now';
  const { mark, where, value, sectors = '16', classes, by } = texts;
  const readMark = (text: string) =>
    accept(parseSpeedIn(text.trim(), unit), '--mark', 'a speed such as 1kn', text);
  return {
    calmKmh,
    marksKmh: mark?.split(',').map(readMark) ?? [],
    where: isOfNow
      ? undefined
      : readWhere(where, (text) => {
          return { text, holds: parseRowCondition(text, calmKmh, zone) };
        }),
    heldNow: isOfNow
      ? readWhere(where, (text) => parseCondition(text, NOT_IN_DIALS, zone))
      : undefined,
    sectors: Number(sectors) as FigureOptions['sectors'],
    classesKmh:
      classes === undefined
        ? BEAUFORT_FROM_KMH
        : accept(parseSpeedList(classes, unit), '--classes', SPEED_LIST_FORM, classes).kmh,
    value: value ?? (where === undefined || kind === 'rose' ? 'mean' : 'hours'),
    by,
  };
}

function accept<T>(read: T | undefined, option: string, expected: string, text: string): T {
  if (read !== undefined) return read;
  throw new UsageError(`${option} takes ${expected}, not “${printable(text)}”.`);
}

const NOT_IN_DIALS = { distance: '“distance” needs a place, which a picture has none of.' };

function readWhere<T>(text: string | undefined, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new UsageError(`--where: ${error.message}`, showPlaceInText(text, error.at));
  }
}

function refuseUseless(kind: FigureKind, texts: FigureOptionTexts): void {
  const { value, where } = texts;
  if (value === 'hours' && kind === 'rose') {
    throw new UsageError('--value hours works with --kind calendar or pattern, not with rose.');
  }
  if (value === 'hours' && where === undefined) {
    throw new UsageError("--value hours needs --where with a condition, such as 'avg > 15kn'.");
  }
  if (value !== undefined && value !== 'hours' && where !== undefined && kind !== 'rose') {
    throw new UsageError(`--where needs --value hours, not --value ${value}.`);
  }
  for (const [name, kinds] of Object.entries(OF_KINDS)) {
    const isUseful = kinds.some((one) => one === kind);
    if (texts[name as keyof FigureOptionTexts] === undefined || isUseful) continue;
    throw new UsageError(
      `--${name} works with --kind ${joinAlternatives(kinds)}, not with ${kind}.`,
    );
  }
}
