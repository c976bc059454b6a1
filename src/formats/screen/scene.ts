import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import type { SelectedStation, SortKey } from '../../domain/selection.ts';
import { printable, toAscii } from '../../domain/text.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import type { AlarmEvent } from '../../domain/watching/alarm.ts';
import type { Track } from '../../domain/watching/track.ts';
import { cutText } from '../textTable.ts';

/** The mark after the age of values that a failed poll could not renew. */
export const KEPT_MARK = '?';
/** The mark before the name of a station whose alarm holds. */
export const ALARM_MARK = '!';

/** A station on the screen. */
export interface Watched {
  readonly track: Track;
  readonly distanceKm: SelectedStation['distanceKm'];
  /** Whether the condition of the alarm holds for the station now. */
  readonly isAlarmed: boolean;
}

/** Everything that the screen shows at one moment. */
export interface Scene {
  /** Stations in the order of the screen. */
  readonly stations: readonly Watched[];
  readonly unit: SpeedUnit;
  /** The time at which the screen is drawn, milliseconds since 1970. */
  readonly now: number;
  /**
   * When the next poll is due, milliseconds since 1970; undefined while a poll runs, `never` if no
   * poll follows.
   */
  readonly nextPollMs: number | 'never' | undefined;
  /**
   * Number of polls that failed since the last successful one, and the reason of the latest
   * failure.
   */
  readonly failures: { readonly inARow: number; readonly reason: string } | undefined;
  /** Time of the last successful poll; undefined before the first. */
  readonly lastGoodMs: number | undefined;
  /** Changes of alarms, the latest last. */
  readonly events: readonly (AlarmEvent & { readonly name: string })[];
  /** The condition of the alarm, as the user wrote it. */
  readonly condition: string | undefined;
  /** Writes a date of the interface in the zone that the user chose. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether vane reads keys from the terminal. */
  readonly hasKeys: boolean;
  /** The order within each group of stations: alarmed stations come first, gone stations last. */
  readonly order: SortKey;
  /** Index of the first station shown; an index beyond the last page shows the last page. */
  readonly top: number;
  /** Whether the list of keys is shown in place of the stations. */
  readonly showsKeys: boolean;
}

/** The terminal that the screen must fit. */
export interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** How text is written in one window: its width, colours and characters. */
export interface Style {
  readonly chalk: ChalkInstance;
  readonly isUnicode: boolean;
  /** Width of the window in cells. */
  readonly columns: number;
  readonly ellipsis: string;
  /** Text on one line, safe for a terminal and in characters that the terminal shows. */
  readonly write: (text: string) => string;
  /** Text of `write`, cut to a number of cells: the width of the window unless `width` is given. */
  readonly cut: (text: string, width?: number) => string;
}

/** The style that suits a window. */
export function styleFor({ colour, isUnicode, columns }: Window): Style {
  const write = (text: string): string => (isUnicode ? printable(text) : toAscii(printable(text)));
  const ellipsis = write('…');
  return {
    chalk: new Chalk({ level: colour ? 1 : 0 }),
    isUnicode,
    columns,
    ellipsis,
    write,
    cut: (text, width = columns) => cutText(write(text), width, ellipsis),
  };
}

/** The first text that fits the window without a cut, written in its style. */
export function findFitting(texts: readonly string[], style: Style): string | undefined {
  return texts.map(style.write).find((text) => stringWidth(text) <= style.columns);
}
