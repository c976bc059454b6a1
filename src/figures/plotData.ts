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
  /** The position; undefined for a station that was never located. */
  readonly position: Position | undefined;
  /** Readings in chunks, ascending by time. */
  readonly readings: readonly Columns[];
}

/** The data of a picture, the same for every kind. */
export interface PlotData extends Pick<Provenance, 'license' | 'attribution'> {
  readonly stations: readonly PlotStation[];
  /** The period asked for; its stop is at most now. */
  readonly period: Period;
  /** IANA name of the zone of times, or `utc`. */
  readonly zone: string;
  readonly unit: SpeedUnit;
}

/** Values of the cells of calendar and pattern: speeds, or how long a condition held. */
export const CELL_VALUES = ['mean', 'gust', 'hours'] as const;
export type CellValue = (typeof CELL_VALUES)[number];

/** Options of a picture; each kind of picture uses the options that concern it. */
export interface PlotOptions {
  /** Thresholds that the picture marks, km/h. */
  readonly marksKmh: readonly number[];
  readonly where:
    | {
        readonly text: string;
        /** Whether the condition holds for a row; undefined where unknown values leave it open. */
        readonly holds: (columns: Columns, row: number) => boolean | undefined;
      }
    | undefined;
  /** Number of sectors of the rose. */
  readonly sectors: StatisticsOptions['sectors'];
  /** The lowest speed of each class of the rose but the first, ascending, km/h. */
  readonly classesKmh: readonly number[];
  /** An average below this speed is calm, km/h. */
  readonly calmKmh: number;
  readonly value: CellValue;
}

/** A colour and its meaning. */
export interface LegendEntry {
  readonly role: Role;
  readonly sign: string;
  readonly label: string;
}

/** A kind of picture with its data, ready to be drawn once for each station. */
export interface Drawing {
  /** The subject of the picture, which follows the name of the station in the title. */
  readonly subject: string;
  /** Further pieces of the subtitle, after period, zone and unit. */
  readonly facts: readonly string[];
  readonly legend: readonly LegendEntry[];
  /** Sentences beneath the picture. */
  readonly notes: readonly string[];
  /** Least size of the picture of one station, px. */
  readonly leastWidth: number;
  readonly leastHeight: number;
  /** The greatest height that the picture of one station can fill, px; undefined for any. */
  readonly mostHeight?: number;
  /** Draws the picture of one station into a box. @param index of the station in the data */
  draw(index: number, box: Box): Mark[];
  readonly table: FigureTable;
}
