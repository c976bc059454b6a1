import stringWidth from 'string-width';
import { formatDate } from '../../../domain/dates.ts';
import { formatCount } from '../../../domain/text.ts';
import { SPEED_UNITS } from '../../../domain/units.ts';
import type { AlertEventKind } from '../../../domain/watching/alert.ts';
import { formatLength } from '../../../formats/humanReadable.ts';
import { drawTable } from '../../../formats/textTable.ts';
import { ALERT_MARK, firstThatFits, OUTDATED_MARK, type Scene, type ScreenStyle } from './scene.ts';

const DOT = ' · ';

/** Texts are not cut below this width in cells, since they would not be readable. */
const READABLE = 12;

/** The first line: number of stations, time, and time until the next poll. */
export function writeHeader(scene: Scene, style: ScreenStyle): string {
  const { time, zone } = readClock(scene.now, scene.writeDate);
  const clock = `${time} ${zone}`;
  const { long, short } = describePoll(scene);
  const isKnown = scene.stations.length > 0 || scene.lastGoodMs !== undefined;
  const stations = isKnown ? [formatCount(scene.stations.length, 'station')] : [];
  const shortest = time.slice(0, 5);
  const filter = scene.filter === undefined ? [] : [`/${scene.filter}${scene.isTyping ? '_' : ''}`];
  const variants = [
    ['vane watch', ...stations, clock, long],
    [...stations, clock, long],
    [...stations, clock, short],
    [clock, long],
    [clock, short],
    [time, short],
    [time],
    [shortest],
  ].map((pieces) => [...filter, ...pieces].filter((piece) => piece !== '').join(DOT));
  return firstThatFits(variants, style) ?? shortest;
}

function describePoll({ nextPollMs, now }: Scene): { long: string; short: string } {
  if (nextPollMs === 'never') return { long: '', short: '' };
  if (nextPollMs === undefined) return { long: 'polling…', short: 'polling…' };
  // Round the time up, so that 0 s means that the poll is due.
  const left = formatLength(Math.max(0, Math.ceil((nextPollMs - now) / 1000)));
  return { long: `next poll in ${left}`, short: `poll in ${left}` };
}

/** The line about the alert: its condition, and the number of stations that meet it. */
export function writeCondition({ condition = '', stations }: Scene, style: ScreenStyle): string {
  const tested = stations.filter((station) => station.condition !== undefined).length;
  const alerted = stations.filter(({ isAlerting }) => isAlerting).length;
  const share = `${DOT}${alerted} of ${tested}`;
  const tails = [`${DOT}true at ${alerted} of ${formatCount(tested, 'station')}`, share, ''];
  const line = writeWithTail(condition, tails, style);
  return alerted > 0 ? style.chalk.bold(line) : line;
}

/** The line about failed polls: number, reason, and the time of the values that are still shown. */
export function writeFailure(
  { failures, lastGoodMs, writeDate }: Scene,
  style: ScreenStyle,
): string {
  if (failures === undefined) return '';
  const head = `${formatCount(failures.inARow, 'poll')} failed`;
  const kept =
    lastGoodMs === undefined ? '' : `; values of ${readClock(lastGoodMs, writeDate).time}`;
  const tails = [kept && `${kept}, marked ${OUTDATED_MARK}`, kept, ''];
  const reason = failures.reason.trim().replace(/\.$/, '');
  const enough = head.length + READABLE;
  const line =
    reason === '' || style.columns < enough
      ? head
      : writeWithTail(`${head}: ${reason}`, tails, style, enough);
  return style.chalk.red(line);
}

/**
 * Appends one of several tails to a text so that both fit the window. Prefers the first tail that
 * fits after the whole text. If only the empty one fits, the text is cut instead, and gets the
 * first tail that leaves `enough` cells for it.
 * @param tails the longest first, and an empty one last
 */
function writeWithTail(
  text: string,
  tails: readonly string[],
  style: ScreenStyle,
  enough = READABLE,
): string {
  const textWidth = stringWidth(style.write(text));
  const fits = (least: number) => (tail: string) => stringWidth(tail) + least <= style.columns;
  const written = tails.map(style.write);
  const tail =
    written.filter((end) => end !== '').find(fits(textWidth)) ??
    written.find(fits(Math.min(enough, textWidth))) ??
    '';
  return style.cut(text, style.columns - stringWidth(tail)) + tail;
}

/** Says why the screen shows no station; empty if the line about failed polls says it. */
export function writeEmptyReason(
  { lastGoodMs, failures, filter, opened }: Scene,
  style: ScreenStyle,
): string {
  if (opened) return 'The station no longer matches.';
  if (filter) return 'No station matches; Esc shows all.';
  if (lastGoodMs !== undefined) return 'No station matches.';
  return failures ? '' : style.write('waiting for the first response…');
}

type SceneEvent = Scene['events'][number];

/** The line about an event: its time, the station and what changed. */
export function writeEvent(event: SceneEvent, { writeDate }: Scene, style: ScreenStyle): string {
  const { who, what, full } = describeEvent(event, writeDate);
  const fitting =
    firstThatFits([full, `${who}: ${what}`], style) ?? writeWithTail(who, [`: ${what}`, ''], style);
  return event.kind === 'true' ? style.chalk.bold(fitting) : fitting;
}

/** The text of an event after the station's name. `short` omits the condition. */
const EVENT_WORDS: Record<AlertEventKind, (condition: string) => [full: string, short: string]> = {
  true: (condition) => [`${condition} is true`, 'is true'],
  false: (condition) => [`${condition} is no longer true`, 'no longer true'],
  stale: (condition) => [
    `no recent measurement to tell whether ${condition}`,
    'no recent measurement',
  ],
};

/**
 * The texts of an event: `who` contains its time and station, `what` the change without the
 * condition, and `full` everything.
 */
export function describeEvent(
  { kind, condition, atMs, name }: SceneEvent,
  writeDate: Scene['writeDate'],
): { who: string; what: string; full: string } {
  const who = `${readClock(atMs, writeDate).time} ${name.trim()}`;
  const [full, what] = EVENT_WORDS[kind](condition);
  return { who, what, full: `${who}: ${full}` };
}

/** The time of day, such as `14:03:12`, and its zone: `UTC` or an offset such as `+02:00`. */
function readClock(ms: number, writeDate: Scene['writeDate']): { time: string; zone: string } {
  const [, time = '', zone = ''] =
    /T([\d:]+)(?:\.\d+)?(Z|[+-][\d:]+)$/.exec(writeDate(formatDate(ms))) ?? [];
  return { time, zone: zone === 'Z' ? 'UTC' : zone };
}

/**
 * The line about hidden stations: how many are above and below. The keys follow if there is room.
 */
export function writeHiddenCount(
  top: number,
  end: number,
  scene: Scene,
  style: ScreenStyle,
): string {
  const hidden = [...scene.stations.slice(0, top), ...scene.stations.slice(end)];
  const alerting = hidden.filter(({ isAlerting }) => isAlerting).length;
  const marked = alerting === 0 ? '' : `, ${alerting} of them marked ${ALERT_MARK}`;
  const below = hidden.length - top;
  const shortest = top === 0 ? `… ${below} more` : `… ${top} above, ${below} below`;
  const more = (top === 0 ? `… and ${below} more` : shortest) + marked;
  const variants = [...describeKeys(scene).map((keys) => `${more}${DOT}${keys}`), more, shortest];
  return style.chalk.dim(firstThatFits(variants, style) ?? style.write(shortest));
}

/** The line with the keys and their actions; empty if the window is too narrow. */
export function writeKeys(scene: Scene, style: ScreenStyle): string {
  const fitting = firstThatFits(describeKeys(scene), style);
  return fitting === undefined ? '' : style.chalk.dim(fitting);
}

function describeKeys({ hasKeys, unit, order, isTyping, opened }: Scene): string[] {
  if (!hasKeys) return [];
  if (isTyping) return ['Enter keeps the search · Esc clears it', 'Esc clears the search'];
  const [changesUnit, changesOrder] = [`u unit (${SPEED_UNITS[unit].label})`, `s order (${order})`];
  const variants = opened
    ? [['Esc returns', changesUnit, 'q quits'], ['Esc returns', 'q quits'], ['Esc returns']]
    : [
        ['q quits', changesUnit, changesOrder, '↑ ↓ Enter open', '/ search', '? keys'],
        ['q quits', changesUnit, changesOrder, '? keys'],
        ['q quits', changesOrder, '? keys'],
        ['q quits', '? keys'],
        ['q quits'],
      ];
  return variants.map((keys) => keys.join(DOT));
}

/** The help that the key `?` shows: each key with its action. */
export function listKeyHelp({ unit, order }: Scene, style: ScreenStyle): string[] {
  const keys = [
    ['q', 'quits'],
    ['s', `changes the order (${order})`],
    ['u', `changes the unit (${SPEED_UNITS[unit].label})`],
    ['↑ ↓ or k j', 'choose a station'],
    ['Page Up, Down', 'move by a page'],
    ['Home, End', 'choose the first or last'],
    ['Enter', 'opens the chosen station'],
    ['/', 'searches names and ids'],
    ['Esc', 'clears the search'],
    ['any key', 'closes this list'],
  ];
  return drawTable(keys.map((line) => line.map(style.write)));
}
