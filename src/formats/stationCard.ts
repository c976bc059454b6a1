import stringWidth from 'string-width';
import { positionOf, type Station } from '../domain/station.ts';
import { printable, printableLines } from '../domain/text.ts';
import type { StationList } from './format.ts';
import { formatAge, NOTHING, orNothing } from './forPeople.ts';
import type { CardStyle } from './summary/card.ts';
import { GAP, wrapText } from './textTable.ts';

/** Describes one station for `vane meta 110`, with one fact on each line. */
export function renderStationCard(
  station: Station,
  list: StationList,
  { columns = Number.POSITIVE_INFINITY, paintHead, paintLabel, write }: CardStyle,
): string {
  const { id, meta, location, measurements, status } = station;
  const when = (date: string | null | undefined): string =>
    date ? `${list.writeDate(date)} (${formatAge(list.now - Date.parse(date))} ago)` : NOTHING;
  const power = status.state === 'off' ? 'off, shut down by its switch' : status.state;
  const facts: [name: string, value: string][] = [
    ['station', String(id)],
    ['picture', orNothing(meta.picture)],
    ['votes', meta.rating ? `${meta.rating.upvotes} up, ${meta.rating.downvotes} down` : NOTHING],
    ['position', describePosition(station)],
    ['located', when(location.date)],
    ['measured', when(measurements.date)],
    ['contact', when(status.date)],
    ['power', power ?? 'unknown'],
    ['updated', when(meta.date)],
  ];
  const labelWidth = Math.max(...facts.map(([name]) => name.length)) + GAP.length;
  const room = columns - labelWidth;
  const wrap = (text: string, width = columns): string[] => wrapText(write(text), width);
  const lines = facts.flatMap(([name, value]) => {
    const [first = '', ...more] = wrap(printable(value), room);
    // The long address of a picture stays whole, below its label.
    if (stringWidth(first) > room) return [paintLabel(name), GAP + first];
    const label = paintLabel(name) + ' '.repeat(labelWidth - name.length);
    return [label + first, ...more.map((line) => ' '.repeat(labelWidth) + line)];
  });
  return [
    ...wrap(printable(meta.name.trim())).map((line) => paintHead(line)),
    ...(meta.description
      ? printableLines(meta.description.trim()).flatMap((line) => wrap(line))
      : []),
    '',
    ...lines,
    '',
  ].join('\n');
}

function describePosition(station: Station): string {
  const position = positionOf(station);
  if (!position) return 'never located';
  const doubt = station.location.success ? '' : ' (last known, no longer confirmed)';
  return `${position.latitude}, ${position.longitude}${doubt}`;
}
