import { formatDate } from '../domain/dates.ts';
import { LEVELS, TEST_NAMES } from '../domain/quality/limits.ts';
import { countOf, printable } from '../domain/text.ts';
import type { Checked, CheckedPart } from '../statistics/stationCheck.ts';
import type { CheckedStation, CheckList } from './format.ts';
import { formatLength, formatShare, formatTime, NOTHING, writeZone } from './humanReadable.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

interface Row extends CheckedPart {
  readonly station: CheckedStation;
}

/** Writes a line for each station, or each month of it, then the episodes of faults. */
export function* renderChecks(list: CheckList, style: TableStyle): Generator<string> {
  const { stations, hasEpisodes } = list;
  const rows = stations.flatMap((station) => station.parts.map((part) => ({ ...part, station })));
  if (rows.length === 0) return;
  yield `${renderLines(partColumns(rows, list), rows, style).join('\n')}\n`;
  const episodes = stations.flatMap((station) =>
    gravestOf(station).map((episode) => ({ ...episode, station })),
  );
  if (!hasEpisodes || episodes.length === 0) return;
  yield `\n${renderLines(episodeColumns(list), episodes, style).join('\n')}\n`;
  const left = stations.reduce((sum, station) => sum + station.episodes.length, -episodes.length);
  if (left > 0) yield `and ${countOf(left, 'further episode')}\n`;
}

/** Most episodes of a station in a table: a faulty one may have thousands. */
const MAX_EPISODES = 40;

/** The episodes of a station that fail, then those that are suspect, in order of time. */
function gravestOf({ episodes }: CheckedStation): Checked['episodes'] {
  const gravest = episodes.toSorted((a, b) => b.level - a.level).slice(0, MAX_EPISODES);
  return gravest.sort((a, b) => a.start - b.start);
}

/** Makes columns of text, or of numbers with `isDecimal`. */
const columnsOf =
  <T>() =>
  (head: string, rank: number, read: (item: T) => string, isDecimal = false): TableColumn<T> => ({
    ...{ head, rank, isDecimal },
    cell: (item) => ({ text: read(item) }),
  });

function partColumns(rows: readonly Row[], list: CheckList): TableColumn<Row>[] {
  const column = columnsOf<Row>();
  const perCent = (count: number, { readings }: Row): string =>
    formatShare(readings === 0 ? null : count / readings);
  const hasNames = rows.some(({ station }) => station.name);
  const name = column('name', 3, ({ station }) => printable(station.name?.trim() ?? NOTHING));
  return [
    column('verdict', 0, ({ verdict }) => verdict),
    column('station', 0, ({ station }) => String(station.station), true),
    ...(hasNames ? [{ ...name, room: { comfortable: 24, tight: 12 } }] : []),
    ...(rows.some(({ month }) => month) ? [column('month', 0, ({ month }) => `${month}`)] : []),
    column('coverage', 2, ({ coverage }) => formatShare(coverage), true),
    {
      ...column(`last ${writeZone(list.zone)}`, 3, ({ last }) => minute(last, list)),
      // In a narrow window, a time beside a station's name is cut to its day.
      room: { comfortable: MINUTE_WIDTH, tight: DAY_WIDTH },
      shorten: (text, width) => (text.length > width ? text.slice(0, DAY_WIDTH) : text),
    },
    column('fail', 1, (row) => perCent(row.failed, row), true),
    column('suspect', 2, (row) => perCent(row.suspect, row), true),
    column('worst', 1, worstOf),
  ];
}

/** The test that failed most often, else the one that was suspect most often. */
function worstOf({ tests }: Row): string {
  for (const level of LEVELS.toReversed()) {
    const most = Math.max(...TEST_NAMES.map((test) => tests[test][level]));
    const worst = TEST_NAMES.find((test) => tests[test][level] === most);
    if (most > 0 && worst !== undefined) return worst;
  }
  return NOTHING;
}

type StationEpisode = Checked['episodes'][number] & { readonly station: CheckedStation };

function episodeColumns(list: CheckList): TableColumn<StationEpisode>[] {
  const column = columnsOf<StationEpisode>();
  const zone = writeZone(list.zone);
  return [
    ...(list.stations.length > 1
      ? [column('station', 0, ({ station }) => String(station.station), true)]
      : []),
    column('test', 0, ({ test }) => test),
    column('flag', 1, ({ level }) => LEVELS[level - 1] ?? NOTHING),
    column(`from ${zone}`, 0, ({ start }) => minute(start, list)),
    column(`to ${zone}`, 3, ({ stop }) => minute(stop, list)),
    column('length', 2, ({ start, stop }) => lengthOf(stop - start)),
    column('readings', 4, ({ readings }) => (readings === 0 ? NOTHING : String(readings)), true),
  ];
}

const MINUTE_WIDTH = '2024-05-01 14:00'.length;
const DAY_WIDTH = '2024-05-01'.length;

/** A time to the minute. */
function minute(ms: number | null, { writeDate }: CheckList): string {
  return ms === null ? NOTHING : formatTime(writeDate(formatDate(ms))).slice(0, MINUTE_WIDTH);
}

const lengthOf = (ms: number): string => (ms === 0 ? NOTHING : formatLength(ms / 1000));
