import { writeZone } from '../../domain/dates.ts';
import {
  type Block,
  type ColumnOf,
  column,
  type FieldOf,
  plain,
  type RowDocument,
  rowOf,
  type TextColumn,
  tableOf,
  time,
} from '../../domain/document.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { LEVELS, TEST_NAMES, type TestName } from '../../domain/quality/limits.ts';
import { countOf } from '../../domain/text.ts';
import type { Checked, CheckedPart } from '../../statistics/stationCheck.ts';
import type { GroupKey } from '../../statistics/statistics.ts';

/** The check of one station. */
export interface CheckedStation extends Checked {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name: string | undefined;
}

interface CheckStyle {
  readonly by: readonly GroupKey[];
  readonly zone: string;
  /** Whether the episodes of several stations are shown too. */
  readonly isVerbose: boolean;
  readonly provenance: Partial<Provenance>;
}

interface Part extends CheckedPart {
  readonly station: CheckedStation;
}

const partsOf = (station: CheckedStation): Part[] =>
  station.parts.map((part) => ({ ...part, station }));

/** The checks of stations: a row for each station, or for each month of it. */
export function checkDocument(
  stations: readonly CheckedStation[],
  { by, zone, isVerbose, provenance }: CheckStyle,
): RowDocument {
  const fields = fieldsBy(by);
  return {
    fields,
    async *rows() {
      for (const station of stations) {
        yield { ...station, rows: partsOf(station).map((part) => rowOf(fields, part)) };
      }
    },
    async *blocks() {
      if (stations.length === 0) return;
      const parts = stations.flatMap(partsOf);
      yield tableOf(parts, partColumns(parts, by, zone));
      if (stations.length === 1 || isVerbose) yield* episodeTable(stations, zone);
    },
    isIndented: true,
    provenance: () => provenance,
  };
}

const COUNTS = TEST_NAMES.flatMap((test) => LEVELS.map((level) => ({ test, level })));

const fieldsBy = (by: readonly GroupKey[]): FieldOf<Part>[] => [
  plain('station', ({ station }) => station.station),
  ...(by.length > 0 ? [plain<Part>('month', ({ month }) => month)] : []),
  plain('verdict', ({ verdict }) => verdict),
  plain('coverage', ({ coverage }) => coverage),
  time('last', ({ last }) => last),
  plain('readings', ({ readings }) => readings),
  {
    ...plain('tests', ({ tests }: Part) => tests),
    parts: {
      names: COUNTS.map(({ test, level }) => `${test}_${level}`),
      of: (tests) => COUNTS.map(({ test, level }) => (tests as Part['tests'])[test][level]),
    },
  },
];

const MINUTE_WIDTH = '2024-05-01 14:00'.length;
const DAY_WIDTH = '2024-05-01'.length;

/** In a narrow window, a time beside a station's name is cut to its day. */
const SHORT_TIME: Partial<TextColumn> = {
  room: { comfortable: MINUTE_WIDTH, tight: DAY_WIDTH },
  shorten: (text, width) => (text.length > width ? text.slice(0, DAY_WIDTH) : text),
};

function partColumns(
  parts: readonly Part[],
  by: readonly GroupKey[],
  zone: string,
): ColumnOf<Part>[] {
  const share = (count: number, { readings }: Part) => (readings === 0 ? null : count / readings);
  const name = column<Part>('name', 3, 'text', ({ station }) => station.name?.trim() ?? null, {
    room: { comfortable: 24, tight: 12 },
  });
  return [
    column('verdict', 0, 'plain', ({ verdict }) => verdict),
    stationColumn(({ station }) => station),
    ...(parts.some(({ station }) => station.name) ? [name] : []),
    ...(by.length > 0 ? [column<Part>('month', 0, 'plain', ({ month }) => month)] : []),
    column('coverage', 2, 'share', ({ coverage }) => coverage),
    column(`last ${writeZone(zone)}`, 3, 'clock', ({ last }) => last, SHORT_TIME),
    column('fail', 1, 'share', (part) => share(part.failed, part)),
    column('suspect', 2, 'share', (part) => share(part.suspect, part)),
    column('worst', 1, 'plain', worstOf),
  ];
}

const stationColumn = <T>(stationOf: (item: T) => CheckedStation): ColumnOf<T> =>
  column('station', 0, 'plain', (item) => stationOf(item).station, { isDecimal: true });

/** The test that failed most often, else the one that was suspect most often. */
function worstOf({ tests }: Part): TestName | null {
  for (const level of LEVELS.toReversed()) {
    const most = Math.max(...TEST_NAMES.map((test) => tests[test][level]));
    const worst = TEST_NAMES.find((test) => tests[test][level] === most);
    if (most > 0 && worst !== undefined) return worst;
  }
  return null;
}

/** Most episodes of a station in a table: a faulty one may have thousands. */
const MAX_EPISODES = 40;

/** The episodes of a station that fail, then those that are suspect, in order of time. */
function gravestOf({ episodes }: CheckedStation): Checked['episodes'] {
  const gravest = episodes.toSorted((a, b) => b.level - a.level).slice(0, MAX_EPISODES);
  return gravest.sort((a, b) => a.start - b.start);
}

type Episode = Checked['episodes'][number] & { readonly station: CheckedStation };

function* episodeTable(stations: readonly CheckedStation[], zone: string): Generator<Block> {
  const episodes = stations.flatMap((station) =>
    gravestOf(station).map((episode) => ({ ...episode, station })),
  );
  if (episodes.length === 0) return;
  const left = stations.reduce((sum, station) => sum + station.episodes.length, -episodes.length);
  const foot = left > 0 ? `and ${countOf(left, 'further episode')}` : undefined;
  const columns: ColumnOf<Episode>[] = [
    ...(stations.length > 1 ? [stationColumn<Episode>(({ station }) => station)] : []),
    column('test', 0, 'plain', ({ test }) => test),
    column('flag', 1, 'plain', ({ level }) => LEVELS[level - 1]),
    column(`from ${writeZone(zone)}`, 0, 'clock', ({ start }) => start),
    column(`to ${writeZone(zone)}`, 3, 'clock', ({ stop }) => stop),
    column('length', 2, 'length', ({ start, stop }) => (stop - start) / 1000 || null),
    column('readings', 4, 'plain', ({ readings }) => readings || null, { isDecimal: true }),
  ];
  yield tableOf(episodes, columns, foot);
}
