import stringWidth from 'string-width';
import { formatDate, HOUR_MS } from '../domain/dates.ts';
import { printable } from '../domain/text.ts';
import { exactSpeed, isForceScale, SPEED_UNITS } from '../domain/units.ts';
import { cutText } from './fitText.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { formatTime, NOTHING, writeZone } from './humanReadable.ts';
import type { TableStyle } from './textTable.ts';

/** By how much clocks are set back: an hour, half of one on Lord Howe Island. */
const TURNS_MS = [HOUR_MS, -HOUR_MS, HOUR_MS / 2, -HOUR_MS / 2];

/** Functions that write statistics for people, in the unit and zone of an output. */
export interface StatisticsWords {
  /** The label of the unit, such as `km/h`. */
  readonly unit: string;
  /** A time, milliseconds since 1970, with seconds. */
  time(ms: number | null): string;
  /** A time to the minute, with the offset if the clock shows that minute twice. */
  minute(ms: number): string;
  /** A speed in km/h, in the unit. */
  speed(kmh: number | null | undefined): string;
  /** Writes a difference of speeds or a parameter of their distribution; no value in Beaufort. */
  spread(kmh: number | null): string;
  /**
   * Station with the keys of a group, and period, on two lines that are cut to the window; on three
   * where the window is narrow.
   */
  title(statistics: StationStatistics, keys: readonly string[], style: TableStyle): string[];
  days(value: number | null | undefined): string;
  factor(value: number | null | undefined): string;
  /** A number without decimals. */
  whole(value: number | null | undefined): string;
  /** A number of things, with separators between thousands. */
  count(value: number): string;
}

/**
 * Functions that write statistics for people: speeds with one decimal, as WMO-No. 8 requires, but
 * Beaufort forces whole.
 */
export function wordsFor({ unit, zone, writeDate }: StatisticsList): StatisticsWords {
  const isForce = isForceScale(unit);
  const decimals = (digits: number) => (value: number | null | undefined) =>
    value === null || value === undefined ? NOTHING : value.toFixed(digits);
  const time = (ms: number | null): string =>
    ms === null ? NOTHING : formatTime(writeDate(formatDate(ms)));
  const clock = (ms: number): string => time(ms).slice(0, 16);
  /** A time to the minute; at midnight only the date. */
  const moment = (ms: number): string => clock(ms).replace(/ 00:00$/, '');
  /** A time to the minute, with the offset if the clock shows that minute twice. */
  const minute = (ms: number): string => {
    const isTwice = TURNS_MS.some((turn) => clock(ms + turn) === clock(ms));
    return clock(ms) + (isTwice ? time(ms).slice(20).replace(/:00$/, '') : '');
  };
  return {
    unit: SPEED_UNITS[unit].label,
    time,
    minute,
    speed: (kmh: number | null | undefined) =>
      decimals(isForce ? 0 : 1)(exactSpeed(kmh ?? null, unit)),
    spread: (kmh: number | null) => (isForce ? NOTHING : decimals(1)(exactSpeed(kmh, unit))),
    title(
      { station, name, period }: StationStatistics,
      keys: readonly string[],
      { columns = Number.POSITIVE_INFINITY, paintHead, write }: TableStyle,
    ): string[] {
      const head = printable(name ? `Station ${station}, ${name.trim()}` : `Station ${station}`);
      const end = write(['', ...keys].join(', '));
      const start = cutText(write(head), columns - stringWidth(end), write('…'));
      const span = `${moment(period.start)} to ${moment(period.stop)}`;
      const zoneName = writeZone(zone);
      const line = `${span} ${zoneName}`;
      return [paintHead(start + end), ...(line.length <= columns ? [line] : [span, zoneName])];
    },
    days: decimals(1),
    factor: decimals(2),
    whole: decimals(0),
    count: (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 }),
  };
}
