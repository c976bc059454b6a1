import type { ChalkInstance } from 'chalk';
import type { SelectedStation } from '../../domain/selection.ts';
import { measurementAgeMs, OLD_MEASUREMENT_MS, positionOf } from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { beaufort, convertSpeed, isCalm, SPEED_UNITS } from '../../domain/units.ts';
import type { StationList } from '../format.ts';
import type { Cell, TableColumn } from './render.ts';
import { formatAge, formatHeading, NOTHING, orNothing } from './words.ts';

type Column = TableColumn<SelectedStation>;

/** Columns of `vane live`: the wind first, the state of the station last. */
export function liveColumns(list: StationList, chalk: ChalkInstance): Column[] {
  const { label } = SPEED_UNITS[list.unit];
  const speed = (head: string, rank: number, name: 'avg' | 'max' | 'min'): Column => ({
    head: `${head} ${label}`,
    isDecimal: true,
    rank,
    cell: ({ station }) => {
      const speedKmh = station.measurements[`wind_speed_${name}`];
      if (speedKmh === null) return { text: NOTHING };
      return {
        text: String(convertSpeed(speedKmh, list.unit)),
        paint: paintSpeed(speedKmh, chalk),
      };
    },
  });
  const columns: Column[] = [
    idColumn,
    nameColumn,
    ...distanceColumns(list),
    speed('avg', 0, 'avg'),
    speed('gust', 3, 'max'),
    speed('lull', 5, 'min'),
    { head: 'direction', rank: 2, cell: directionCell },
    // Left out last, since an old measurement without its age looks like the present wind.
    { head: 'age', rank: 1, cell: (selected) => ageCell(selected, list.now) },
    { head: 'state', rank: 6, cell: ({ station }) => textCell(station.status.state) },
    { head: 'signal', rank: 7, cell: (selected) => signalCell(selected, chalk) },
  ];
  return columns.map((column) => ({ ...column, cell: dimWhenOld(column.cell, list.now, chalk) }));
}

/** Columns of `vane meta` for several stations. */
export function metaColumns(list: StationList): Column[] {
  return [
    idColumn,
    nameColumn,
    ...distanceColumns(list),
    {
      head: 'description',
      rank: 2,
      room: { comfortable: 20, tight: 8 },
      cell: ({ station }) => textCell(station.meta.description),
    },
    {
      head: 'votes',
      rank: 5,
      cell: ({ station: { meta } }) =>
        textCell(meta.rating && `+${meta.rating.upvotes} −${meta.rating.downvotes}`),
    },
    {
      head: 'latitude',
      isDecimal: true,
      rank: 4,
      cell: ({ station }) => textCell(positionOf(station)?.latitude),
    },
    {
      head: 'longitude',
      isDecimal: true,
      rank: 4,
      cell: ({ station }) => textCell(positionOf(station)?.longitude),
    },
    {
      head: 'updated',
      rank: 6,
      cell: ({ station: { meta } }) => textCell(meta.date && list.writeDate(meta.date)),
    },
    { head: 'state', rank: 1, cell: ({ station }) => textCell(station.status.state) },
  ];
}

const idColumn: Column = {
  head: 'id',
  isDecimal: true,
  rank: 4,
  cell: ({ station }) => ({ text: String(station.id) }),
};

const nameColumn: Column = {
  head: 'name',
  rank: 0,
  room: { comfortable: 18, tight: 6 },
  cell: ({ station }) => textCell(station.meta.name.trim()),
};

function distanceColumns({ stations }: StationList): Column[] {
  if (stations[0]?.distanceKm === undefined) return [];
  const cell = ({ distanceKm }: SelectedStation): Cell => textCell(distanceKm?.toFixed(1));
  return [{ head: 'km', isDecimal: true, rank: 0, cell }];
}

/** A value from the service, safe for a terminal, or the sign for a missing one. */
export function textCell(value: number | string | null | undefined): Cell {
  return { text: printable(orNothing(value)) };
}

/** Where the wind comes from. */
export function directionCell(
  { station: { measurements } }: Pick<SelectedStation, 'station'>,
  write = formatHeading,
): Cell {
  const { wind_heading: headingDeg, wind_speed_avg: speedKmh } = measurements;
  if (isCalm(speedKmh)) return { text: 'calm' };
  return { text: headingDeg === null ? NOTHING : write(headingDeg) };
}

function ageCell({ station }: SelectedStation, now: number): Cell {
  const ageMs = measurementAgeMs(station, now);
  if (ageMs === undefined) return { text: NOTHING };
  return { text: formatAge(ageMs) + (ageMs > OLD_MEASUREMENT_MS ? ' old' : '') };
}

function signalCell({ station: { status } }: SelectedStation, chalk: ChalkInstance): Cell {
  if (status.snr === null) return { text: NOTHING };
  const paint = status.snr < 10 ? chalk.red : status.snr > 20 ? chalk.green : undefined;
  return { text: `${status.snr} dB`, paint };
}

/** Paints a speed by its Beaufort force, in the bands that `vane live --help` lists. */
export function paintSpeed(speedKmh: number, chalk: ChalkInstance): ChalkInstance {
  const force = beaufort(speedKmh);
  if (force < 4) return chalk.cyan;
  if (force < 6) return chalk.green;
  if (force < 8) return chalk.yellow;
  return force < 10 ? chalk.red : chalk.magenta;
}

function dimWhenOld(cell: Column['cell'], now: number, chalk: ChalkInstance): Column['cell'] {
  return (selected) => {
    const ageMs = measurementAgeMs(selected.station, now);
    const { text, paint } = cell(selected);
    return { text, paint: ageMs !== undefined && ageMs > OLD_MEASUREMENT_MS ? chalk.dim : paint };
  };
}
