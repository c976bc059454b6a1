import type { Columns } from '../domain/columns.ts';
import type { Provenance } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import type { Position } from '../domain/station.ts';
import type { SpeedUnit } from '../domain/units.ts';
import type { StatisticsOptions } from '../statistics/statistics.ts';
import type { FigureTable, Mark, Role } from './figure.ts';
import type { Box } from './style.ts';

export const KINDS = ['series', 'rose', 'calendar', 'pattern'] as const;
export type Kind = (typeof KINDS)[number];

/** Default width and height of a picture of each kind, px. */
export const DEFAULT_SIZES: Readonly<Record<Kind, readonly [width: number, height: number]>> = {
  series: [960, 400],
  rose: [560, 600],
  calendar: [960, 420],
  pattern: [960, 440],
};

/** Most stations in one picture. */
export const MAX_STATIONS = 12;

/** A station with its readings. */
export interface PlotStation {
  readonly id: number;
  readonly name: string;
  /** Position of the station; undefined for a station that was never located. */
  readonly position: Position | undefined;
  /** Readings in chunks, ascending by time. */
  readonly readings: readonly Columns[];
}

/** The data that a picture of any kind is drawn from. */
export interface PlotData extends Pick<Provenance, 'license' | 'attribution'> {
  readonly stations: readonly PlotStation[];
  /** The period of the picture, which ends now at the latest. */
  readonly period: Period;
  /** IANA name of the time zone of the picture, or `utc`. */
  readonly zone: string;
  readonly unit: SpeedUnit;
}

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

/** A colour in a legend, and what it stands for. */
export interface LegendEntry {
  readonly role: Role;
  readonly sign: string;
  readonly label: string;
}

/** A picture of one kind with its data, which draws one panel for each station. */
export interface Drawing {
  /** The subject of the picture; the title has it after the name of the station. */
  readonly subject: string;
  /** Texts of the subtitle that follow its period, time zone and unit. */
  readonly facts: readonly string[];
  readonly legend: readonly LegendEntry[];
  /** Sentences that explain the picture, written beneath it. */
  readonly notes: readonly string[];
  /** Least width and height of the panel of one station, px. */
  readonly leastWidth: number;
  readonly leastHeight: number;
  /** The greatest height that the panel of one station can fill, px; undefined for any height. */
  readonly mostHeight?: number;
  /**
   * Draws the panel of one station within a box.
   * @param index place of the station in the data
   */
  draw(index: number, box: Box): Mark[];
  readonly table: FigureTable;
}
