import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import type { SortKey } from '../../../domain/selection.ts';
import type { Station } from '../../../domain/station.ts';
import { printable, toAscii } from '../../../domain/text.ts';
import type { SpeedUnit } from '../../../domain/units.ts';
import type { AlertEvent } from '../../../domain/watching/alert.ts';
import { cutText } from '../../../formats/fitText.ts';
import type { WatchSnapshot } from '../watchStore.ts';

/** Follows the age of values that are kept because the last poll failed. */
export const OUTDATED_MARK = '?';
/** Follows the id of the chosen station. */
export const CHOSEN_MARK = '>';
/** Precedes the name of a station for which the alert's condition holds. */
export const ALERT_MARK = '!';

/**
 * All that the screen of `vane watch` shows at one moment. Its stations are in the order in which
 * the screen lists them.
 */
export interface Scene extends WatchSnapshot {
  readonly unit: SpeedUnit;
  /** The time at which the screen is drawn, milliseconds since 1970. */
  readonly now: number;
  /** Events of the alert, the latest last. */
  readonly events: readonly (AlertEvent & { readonly name: string; readonly id: number })[];
  /** The condition of the alert, after the word `when` or `until`. */
  readonly condition: string | undefined;
  /** Converts a date of the service, which is in UTC, to the chosen zone. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether vane reads keys from the terminal. */
  readonly hasKeys: boolean;
  /** The order of stations within each group: those with an alert, others, and gone ones last. */
  readonly order: SortKey;
  /** Index of the first station that the screen shows; too large an index means the last page. */
  readonly top: number;
  /** Whether the screen shows the list of keys in place of the stations. */
  readonly showsKeys: boolean;
  /** The id of the station that the user chose with up and down. */
  readonly chosen?: number | undefined;
  /** The text that names or ids must contain; undefined without a filter. */
  readonly filter?: string | undefined;
  /** Whether the user is typing the filter, so that keys are letters of it. */
  readonly isTyping?: boolean;
  /** The station that fills the screen; undefined while the screen lists all. */
  readonly opened?: OpenedStation | undefined;
}

/** A station that fills the screen. */
export interface OpenedStation {
  readonly id: number;
  /** The station with its description, and its last 24 hours; undefined while they load. */
  readonly details?: StationDetails | undefined;
  /** Why there are no details. */
  readonly trouble?: string | undefined;
}

/** The card and the last 24 hours of a station, which Enter requests from the service. */
export interface StationDetails {
  readonly station: Station;
  /** Draws the last 24 hours as lines that fill a room. */
  readonly draw: (unit: SpeedUnit, window: TerminalWindow) => string[];
}

/** The terminal window that the screen must fit. */
export interface TerminalWindow {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** How many colours pictures have, as a level of chalk. */
  readonly colours?: 0 | 1 | 2 | 3;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** How text is written in a window: its width, colours and characters. */
export interface ScreenStyle {
  readonly chalk: ChalkInstance;
  readonly isUnicode: boolean;
  /** Width of the window in cells. */
  readonly columns: number;
  readonly ellipsis: string;
  /** Writes a text on one line, without control characters, as the terminal can show it. */
  readonly write: (text: string) => string;
  /** Writes a text and cuts it to `width` cells, by default to the width of the window. */
  readonly cut: (text: string, width?: number) => string;
}

/** How text is written in a given window. */
export function screenStyleFor({ colour, isUnicode, columns }: TerminalWindow): ScreenStyle {
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

/** The first of several texts that fits the window uncut, in characters that the terminal shows. */
export function firstThatFits(texts: readonly string[], style: ScreenStyle): string | undefined {
  return texts.map(style.write).find((text) => stringWidth(text) <= style.columns);
}
