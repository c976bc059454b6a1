import type { ChalkInstance } from 'chalk';
import { positionOf, type Station } from '../../domain/station.ts';
import { printable, printableLines } from '../../domain/text.ts';
import type { StationList } from '../format.ts';
import { drawTable } from './draw.ts';
import { formatAge, NOTHING, orNothing } from './words.ts';

const POWER: Readonly<Record<string, string>> = {
  on: 'on',
  off: 'off, shut down by its switch',
};

/** Describes one station, a fact a line, for `vane meta 110`. */
export function renderCard(station: Station, list: StationList, chalk: ChalkInstance): string {
  const { id, meta, location, measurements, status } = station;
  const when = (date: string | null | undefined): string =>
    date ? `${list.writeDate(date)} (${formatAge(list.now - Date.parse(date))} ago)` : NOTHING;
  const facts: [name: string, value: string][] = [
    ['station', String(id)],
    ['picture', orNothing(meta.picture)],
    ['votes', meta.rating ? `${meta.rating.upvotes} up, ${meta.rating.downvotes} down` : NOTHING],
    ['position', describePosition(station)],
    ['located', when(location.date)],
    ['measured', when(measurements.date)],
    ['contact', when(status.date)],
    ['power', status.state === null ? 'unknown' : (POWER[status.state] ?? status.state)],
    ['updated', when(meta.date)],
  ];
  return [
    chalk.bold(printable(meta.name.trim())),
    ...(meta.description ? printableLines(meta.description.trim()) : []),
    '',
    ...drawTable(facts.map(([name, value]) => [chalk.dim(name), printable(value)])),
    '',
  ].join('\n');
}

function describePosition(station: Station): string {
  const position = positionOf(station);
  if (!position) return 'never located';
  const doubt = station.location.success ? '' : ' (last known, no longer confirmed)';
  return `${position.latitude}, ${position.longitude}${doubt}`;
}
