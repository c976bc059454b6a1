import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { colourOfSpeed } from '../domain/palette.ts';
import type { SelectedStation } from '../domain/selection.ts';
import {
  measurementAgeMs,
  OLD_MEASUREMENT_MS,
  positionOf,
  type Station,
} from '../domain/station.ts';
import { formatCount, printable, printableLines } from '../domain/text.ts';
import { convertSpeedExactly, isCalm, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { observationOfStation } from '../domain/watching/observe.ts';
import type { CardStyle } from './blocks.ts';
import { wrapText } from './fitText.ts';
import type { OutputCapabilities, StationList } from './format.ts';
import {
  formatAge,
  formatHeading,
  formatSpeed,
  formatTime,
  MISSING_VALUE_SIGN,
  orMissingValueSign,
} from './humanReadable.ts';
import { COLUMN_GAP, renderLines, type TableCell, type TableColumn } from './textTable.ts';

type Column = TableColumn<SelectedStation>;

/**
 * Writes the table of `vane live` or `vane meta`. For a single station, `vane meta` writes a list
 * of facts.
 */
export function* renderStations(
  list: StationList,
  look: OutputCapabilities,
  style: CardStyle,
): Generator<string> {
  const [only, ...others] = list.stations;
  if (list.withMeta && only && others.length === 0) {
    yield renderStationCard(only.station, list, style);
    return;
  }
  const columns = list.withMeta ? metaColumns(list) : liveColumns(list, createChalk(look));
  const { maxLines = Number.POSITIVE_INFINITY } = look;
  // Reserve a line for the column names, and one for a note about stations left out.
  const isCut = list.stations.length + 1 > maxLines;
  const shown = isCut ? list.stations.slice(0, Math.max(1, maxLines - 2)) : list.stations;
  yield `${renderLines(columns, shown, style).join('\n')}\n`;
  if (!isCut) return;
  const more = formatCount(list.stations.length - shown.length, 'more station');
  yield style.write(`… ${more}: --limit, --near, --name, or -f table\n`);
}

/**
 * Creates the colours of the output: the 16 standard colours, which terminal themes keep readable,
 * or none.
 */
export const createChalk = ({ colour }: OutputCapabilities): ChalkInstance =>
  new Chalk({ level: colour ? 1 : 0 });

/** The columns of `vane live`: the wind first, the state of the station last. */
function liveColumns(list: StationList, chalk: ChalkInstance): Column[] {
  const speed = (head: keyof typeof SPEEDS, rank: number): Column =>
    speedColumn(head, { rank, unit: list.unit, chalk });
  const columns: Column[] = [
    ...firstColumns(list),
    speed('avg', 0),
    speed('gust', 3),
    speed('lull', 5),
    { ...DIRECTION_COLUMN, rank: 2 },
    // Keep the age longest in narrow windows: without it, an old measurement looks current.
    { head: 'age', rank: 1, cell: (selected) => ageCell(selected, list.now) },
    ...(list.conditions?.size ? [conditionColumn(list, chalk)] : []),
    textColumn('state', 6, ({ status }) => status.state),
    { head: 'signal', rank: 7, cell: (selected) => signalCell(selected, chalk) },
  ];
  return columns.map((column) => ({
    ...column,
    cell(selected) {
      const cell = column.cell(selected);
      return isOld(selected, list.now) ? { ...cell, paint: chalk.dim } : cell;
    },
  }));
}

/** The columns of `vane meta` for several stations. */
function metaColumns(list: StationList): Column[] {
  const description = textColumn('description', 2, ({ meta }) => meta.description);
  const position = (head: 'latitude' | 'longitude'): Column => ({
    ...textColumn(head, 4, (station) => positionOf(station)?.[head]),
    isDecimal: true,
  });
  return [
    ...firstColumns(list),
    { ...description, room: { comfortable: 20, tight: 8 } },
    textColumn('votes', 5, ({ meta: { rating } }) =>
      rating ? `+${rating.upvotes} −${rating.downvotes}` : null,
    ),
    position('latitude'),
    position('longitude'),
    textColumn('updated', 6, ({ meta }) => meta.date && formatTime(list.writeDate(meta.date))),
    textColumn('state', 1, ({ status }) => status.state),
  ];
}

function textColumn(
  head: string,
  rank: number,
  read: (station: Station) => number | string | null | undefined,
): Column {
  return { head, rank, cell: ({ station }) => textCell(read(station)) };
}

/** The first columns of every table of stations: id, name and, if known, distance. */
function firstColumns({ stations }: StationList): Column[] {
  const columns: Column[] = [
    // Never drop the id: it distinguishes stations with similar names.
    { ...textColumn('id', 0, ({ id }) => id), isDecimal: true },
    {
      ...textColumn('name', 0, ({ meta }) => meta.name.trim()),
      room: { roomy: 30, comfortable: 18, tight: 6 },
    },
  ];
  if (stations[0]?.distanceKm === undefined) return columns;
  const cell = ({ distanceKm }: SelectedStation): TableCell => textCell(distanceKm?.toFixed(1));
  return [...columns, { head: 'km', isDecimal: true, rank: 4, cell }];
}

/**
 * A cell with a text of the service, without control characters. A missing value becomes {@link
 * MISSING_VALUE_SIGN}.
 */
export function textCell(value: number | string | null | undefined): TableCell {
  return { text: printable(orMissingValueSign(value)) };
}

const SPEEDS = { avg: 'avg', gust: 'max', lull: 'min' } as const;

/**
 * Creates a column of speeds, coloured by their Beaufort force.
 * @param write formats a speed in km/h in the chosen unit
 */
export function speedColumn(
  head: keyof typeof SPEEDS,
  { rank, unit, chalk }: { rank: number; unit: SpeedUnit; chalk: ChalkInstance },
  write = (speedKmh: number) => formatSpeed(convertSpeedExactly(speedKmh, unit), unit),
): Column {
  return {
    head: `${head} ${SPEED_UNITS[unit].label}`,
    ...(head !== 'avg' && { brief: { head } }),
    isDecimal: true,
    rank,
    cell({ station: { measurements } }) {
      const speedKmh = measurements[`wind_speed_${SPEEDS[head]}`];
      if (speedKmh === null) return { text: MISSING_VALUE_SIGN };
      return { text: write(speedKmh), paint: paintSpeed(speedKmh, chalk) };
    },
  };
}

/** A column with the direction the wind comes from, or `calm`. Its short form has no degrees. */
export const DIRECTION_COLUMN = {
  head: 'direction',
  brief: {
    head: 'from',
    text: (text: string) =>
      text.endsWith('°') ? text.slice(0, text.lastIndexOf(' ')).trimEnd() : text,
  },
  cell({ station: { measurements } }: SelectedStation): TableCell {
    const { wind_heading: headingDeg, wind_speed_avg: speedKmh } = measurements;
    if (isCalm(speedKmh)) return { text: 'calm' };
    return { text: headingDeg === null ? MISSING_VALUE_SIGN : formatHeading(headingDeg) };
  },
};

function isOld({ station }: SelectedStation, now: number): boolean {
  return (measurementAgeMs(station, now) ?? 0) > OLD_MEASUREMENT_MS;
}

function ageCell(selected: SelectedStation, now: number): TableCell {
  const ageMs = measurementAgeMs(selected.station, now);
  if (ageMs === undefined) return { text: MISSING_VALUE_SIGN };
  return { text: formatAge(ageMs) + (isOld(selected, now) ? ' old' : '') };
}

/** A column that says whether each favourite's condition is true; `–` if unknown. */
function conditionColumn({ conditions, now }: StationList, chalk: ChalkInstance): Column {
  return {
    head: 'when',
    rank: 1,
    cell({ station, distanceKm }) {
      const condition = conditions?.get(station.id);
      if (condition === undefined) return { text: '' };
      const holds = condition.holds(observationOfStation(station, distanceKm, now));
      if (holds) return { text: 'yes', paint: chalk.bold };
      return { text: holds === undefined ? MISSING_VALUE_SIGN : 'no' };
    },
  };
}

function signalCell({ station: { status } }: SelectedStation, chalk: ChalkInstance): TableCell {
  // Stations whose signal is not measured send 0 or -1.
  if (status.snr === null || status.snr <= 0) return { text: MISSING_VALUE_SIGN };
  const paint = status.snr < 10 ? chalk.red : status.snr > 20 ? chalk.green : undefined;
  return { text: `${status.snr} dB`, paint };
}

/** Colours a speed by its Beaufort force. `vane live --help` lists the colours. */
export function paintSpeed(speedKmh: number, chalk: ChalkInstance): ChalkInstance {
  return chalk[colourOfSpeed(speedKmh).ansi];
}

/**
 * Writes the facts about one station, one per line, as for `vane meta 110`. Set `isNamed` to false
 * if the lines above already name the station.
 */
export function renderStationCard(
  station: Station,
  list: Pick<StationList, 'writeDate' | 'now'>,
  {
    columns = Number.POSITIVE_INFINITY,
    paintHead,
    paintLabel,
    write,
    isNamed = true,
  }: CardStyle & { readonly isNamed?: boolean },
): string {
  const { id, meta, location, measurements, status } = station;
  const when = (date: string | null | undefined): string =>
    date
      ? `${formatTime(list.writeDate(date))} (${formatAge(list.now - Date.parse(date))} ago)`
      : MISSING_VALUE_SIGN;
  const power = status.state === 'off' ? 'off, shut down by its switch' : status.state;
  const facts: [name: string, value: string][] = [
    ...(isNamed ? [['station', String(id)] as [string, string]] : []),
    ...(meta.picture ? [['picture', meta.picture] as [string, string]] : []),
    ['votes', describeVotes(meta.rating)],
    ['position', describePosition(station)],
    ['last located', when(location.date)],
    ['last measured', when(measurements.date)],
    ['last contact', when(status.date)],
    ['power state', power ?? 'unknown'],
    ['last edited', when(meta.date)],
  ];
  const labelWidth = Math.max(...facts.map(([name]) => name.length)) + COLUMN_GAP.length;
  const room = columns - labelWidth;
  const wrap = (text: string, width = columns): string[] => wrapText(write(text), width);
  const lines = facts.flatMap(([name, value]) => {
    const [first = '', ...more] = wrap(printable(value), room);
    // Keep the long address of a picture whole, below its label.
    if (stringWidth(first) > room) return [paintLabel(name), COLUMN_GAP + first];
    const label = paintLabel(name) + ' '.repeat(labelWidth - name.length);
    return [label + first, ...more.map((line) => ' '.repeat(labelWidth) + line)];
  });
  return [
    ...(isNamed ? wrap(printable(meta.name.trim())).map((line) => paintHead(line)) : []),
    ...(meta.description
      ? printableLines(meta.description.trim()).flatMap((line) => wrap(line))
      : []),
    '',
    ...lines,
    '',
  ].join('\n');
}

function describeVotes(rating: Station['meta']['rating']): string {
  if (rating === undefined) return MISSING_VALUE_SIGN;
  const { upvotes, downvotes } = rating;
  return upvotes + downvotes === 0 ? 'none' : `${upvotes} up, ${downvotes} down`;
}

function describePosition(station: Station): string {
  const position = positionOf(station);
  if (!position) return 'never located';
  const doubt = station.location.success ? '' : ' (last known, no longer confirmed)';
  return `${position.latitude}, ${position.longitude}${doubt}`;
}
