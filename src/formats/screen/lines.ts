import stringWidth from 'string-width';
import { SPEED_UNITS } from '../../domain/units.ts';
import { ALARM_MARK, KEPT_MARK } from './columns.ts';
import { wordEvent } from './eventWords.ts';
import type { Scene, Watched } from './screen.ts';
import { type Style, writeFitting } from './style.ts';
import { formatElapsed, readClock } from './times.ts';

const DOT = ' · ';

/** Text of less than this is not worth its line. */
const READABLE = 12;

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** How many stations, what time, and when values will be asked for again. */
export function writeHeader(scene: Scene, width: number, style: Style): string {
  const { time, zone } = readClock(scene.now, scene.writeDate);
  const clock = `${time} ${zone}`;
  const { long, short } = describePoll(scene);
  const isKnown = scene.stations.length > 0 || scene.lastGoodMs !== undefined;
  const stations = isKnown ? [count(scene.stations.length, 'station')] : [];
  const variants = [
    ['vane watch', ...stations, clock, long],
    [...stations, clock, long],
    [...stations, clock, short],
    [clock, long],
    [clock, short],
    [time, short],
    [time],
    [time.slice(0, 5)],
  ];
  return writeFitting(
    variants.map((pieces) => pieces.filter((piece) => piece !== '').join(DOT)),
    width,
    style,
  );
}

function describePoll({ nextPollMs, now }: Scene): { long: string; short: string } {
  if (nextPollMs === 'never') return { long: '', short: '' };
  if (nextPollMs === undefined) return { long: 'polling…', short: 'polling…' };
  // Rounded up: at 0 s the poll is due, not to come.
  const left = formatElapsed(Math.ceil((nextPollMs - now) / 1000) * 1000);
  return { long: `next poll in ${left}`, short: `poll in ${left}` };
}

/** What is watched for, and at how many stations it holds. */
export function writeCondition(
  { condition = '', stations }: Scene,
  width: number,
  style: Style,
): string {
  const held = stations.filter(({ isAlarmed }) => isAlarmed).length;
  const share = `${held} of ${stations.length}`;
  const tails = [`${DOT}holds at ${share} stations`, `${DOT}${share}`, ''];
  const line = writeWithTail(`when ${condition}`, tails, width, style);
  return held > 0 ? style.chalk.bold(line) : line;
}

/** That polls failed, why, and what became of the values. */
export function writeFailure(
  { failures, lastGoodMs, writeDate }: Scene,
  width: number,
  style: Style,
): string {
  if (failures === undefined) return '';
  const head = `${count(failures.inARow, 'poll')} failed`;
  const kept =
    lastGoodMs === undefined ? '' : `; values of ${readClock(lastGoodMs, writeDate).time}`;
  const tails = [kept && `${kept}, marked ${KEPT_MARK}`, kept, ''];
  const reason = failures.reason.trim().replace(/\.$/, '');
  const line =
    reason === '' || width < head.length + READABLE
      ? style.cut(head, width)
      : writeWithTail(`${head}: ${reason}`, tails, width, style, head.length + READABLE);
  return style.chalk.red(line);
}

/**
 * Text with the first of the tails that leaves it whole, or else cut with the first that leaves
 * `enough` of it. The last tail is empty.
 */
function writeWithTail(
  text: string,
  tails: readonly string[],
  width: number,
  style: Style,
  enough = READABLE,
): string {
  const textWidth = stringWidth(style.write(text));
  const fits = (least: number) => (tail: string) => stringWidth(tail) + least <= width;
  const written = tails.map(style.write);
  const tail =
    written.filter((end) => end !== '').find(fits(textWidth)) ??
    written.find(fits(Math.min(enough, textWidth))) ??
    '';
  return style.cut(text, width - stringWidth(tail)) + tail;
}

/** Why there is no table; nothing where that polls failed says it. */
export function writeNone({ lastGoodMs, failures }: Scene, width: number, style: Style): string {
  if (lastGoodMs !== undefined) return style.cut('No station matches.', width);
  return failures ? '' : style.cut('asking…', width);
}

/** What happened to an alarm, and when. */
export function writeEvent(
  event: Scene['events'][number],
  { writeDate }: Scene,
  width: number,
  style: Style,
): string {
  const { who, what, full, short } = wordEvent(event, writeDate);
  const fitting =
    [full, short].map(style.write).find((text) => stringWidth(text) <= width) ??
    writeWithTail(who, [`: ${what}`, ''], width, style);
  return event.kind === 'true' ? style.chalk.bold(fitting) : fitting;
}

/** What the stations that have no room come to, and the keys where they fit beside it. */
export function writeMore(
  hidden: readonly Watched[],
  scene: Scene,
  width: number,
  style: Style,
): string {
  const alarmed = hidden.filter(({ isAlarmed }) => isAlarmed).length;
  const marked = alarmed === 0 ? '' : `, ${alarmed} of them marked ${ALARM_MARK}`;
  const more = `… and ${hidden.length} more${marked}`;
  const variants = keysOf(scene).map((keys) => `${more}${DOT}${keys}`);
  return style.chalk.dim(
    writeFitting([...variants, more, `… ${hidden.length} more`], width, style),
  );
}

/** What keys do, where there is room to say it as a whole. */
export function writeKeys(scene: Scene, width: number, style: Style): string {
  const fitting = keysOf(scene)
    .map(style.write)
    .find((text) => stringWidth(text) <= width);
  return fitting === undefined ? '' : style.chalk.dim(fitting);
}

function keysOf({ hasKeys, unit }: Scene): string[] {
  if (!hasKeys) return [];
  return [`q quits${DOT}u changes the unit (${SPEED_UNITS[unit].label})`, 'q quits'];
}
