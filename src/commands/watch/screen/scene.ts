import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import type { StationSortKey } from '../../../domain/selection.ts';
import type { Station } from '../../../domain/station.ts';
import { printable, toAscii } from '../../../domain/text.ts';
import type { SpeedUnit } from '../../../domain/units.ts';
import type { AlertEvent } from '../../../domain/watching/alert.ts';
import { cutText } from '../../../formats/fitText.ts';
import type { WatchSnapshot } from '../watchStore.ts';

/** Shown after the age of values that are outdated because the last poll failed. */
export const OUTDATED_MARK = '?';
/** Shown after the id of the chosen station. */
export const CHOSEN_MARK = '>';
/** Shown before the name of a station that meets the alert's condition. */
export const ALERT_MARK = '!';

/**
 * Everything that the screen of `vane watch` shows at one moment. Stations are in the order of the
 * screen.
 */
export interface Scene extends WatchSnapshot {
  readonly unit: SpeedUnit;
  /** The time of drawing, milliseconds since 1970. */
  readonly now: number;
  /** Events of the alert, the latest last. */
  readonly events: readonly (AlertEvent & { readonly name: string; readonly id: number })[];
  /** The condition of the alert after its option's name, such as `when avg > 15kn`. */
  readonly condition: string | undefined;
  /** Converts a date of the service, which is in UTC, to the chosen zone. */
  readonly writeDate: (isoUtc: string) => string;
  /** Whether vane reads keys from the terminal. */
  readonly hasKeys: boolean;
  /**
   * The order of stations within each group. Groups are: stations with an alert, others, and gone
   * ones.
   */
  readonly order: StationSortKey;
  /** Index of the first visible station. An index that is too large means the last page. */
  readonly top: number;
  /** Whether the screen shows the list of keys instead of the stations. */
  readonly showsKeys: boolean;
  /** The id of the station chosen with up and down. */
  readonly chosen?: number | undefined;
  /** The text that names or ids must contain; undefined without a filter. */
  readonly filter?: string | undefined;
  /** Whether the user is typing the filter, so that keys add letters to it. */
  readonly isTyping?: boolean;
  /** The station that fills the screen; undefined while the screen lists all. */
  readonly opened?: OpenedStation | undefined;
}

/** A station that fills the screen. */
export interface OpenedStation {
  readonly id: number;
  /** The station with its metadata and last 24 hours; undefined while they are loading. */
  readonly details?: StationDetails | undefined;
  /** Why the details could not be loaded. */
  readonly trouble?: string | undefined;
}

/** The details of a station, which the key Enter requests from the service. */
export interface StationDetails {
  readonly station: Station;
  /** Draws the last 24 hours as lines that fill the given size. */
  readonly draw: (unit: SpeedUnit, window: TerminalWindow) => string[];
}

/** The size and abilities of the terminal window. */
export interface TerminalWindow {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** The number of colours of pictures, as a level of chalk. */
  readonly colours?: 0 | 1 | 2 | 3;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** How to write text in a window: width, colours and characters. */
export interface ScreenStyle {
  readonly chalk: ChalkInstance;
  readonly isUnicode: boolean;
  /** Width of the window in cells. */
  readonly columns: number;
  readonly ellipsis: string;
  /**
   * Puts a text on one line, without control characters, in characters that the terminal can show.
   */
  readonly write: (text: string) => string;
  /** Like `write`, and cuts the text to `width` cells, by default the width of the window. */
  readonly cut: (text: string, width?: number) => string;
}

/** Chooses how to write text in a window. */
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

/**
 * The first of several texts that fits the window without being cut, in characters that the
 * terminal can show.
 */
export function firstThatFits(texts: readonly string[], style: ScreenStyle): string | undefined {
  return texts.map(style.write).find((text) => stringWidth(text) <= style.columns);
}
