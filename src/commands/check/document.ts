import { formatZoneName } from '../../domain/dates.ts';
import {
  type DocumentBlock,
  plainField,
  type ReadableColumn,
  type ReadableField,
  type RowDocument,
  readableColumn,
  readRowValues,
  type TextColumn,
  tableBlock,
  timeField,
} from '../../domain/document.ts';
import type { Provenance } from '../../domain/envelope.ts';
import {
  FAULT_LEVELS,
  QUALITY_TEST_NAMES,
  type QualityTestName,
} from '../../domain/quality/limits.ts';
import { formatCount } from '../../domain/text.ts';
import type { PeriodCheckResult, StationCheckResult } from '../../statistics/stationCheck.ts';
import type { GroupKey } from '../../statistics/statistics.ts';

/** The results of `vane check` for one station. */
export interface CheckedStation extends StationCheckResult {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name: string | undefined;
}

interface CheckStyle {
  readonly by: readonly GroupKey[];
  readonly zone: string;
  /** Whether the table lists the episodes of several stations too. */
  readonly isVerbose: boolean;
  readonly provenance: Partial<Provenance>;
}

interface Part extends PeriodCheckResult {
  readonly station: CheckedStation;
}

const partsOf = (station: CheckedStation): Part[] =>
  station.parts.map((part) => ({ ...part, station }));

/** Describes the results of checks: one row per station, or per station and month. */
export function checkDocument(
  stations: readonly CheckedStation[],
  { by, zone, isVerbose, provenance }: CheckStyle,
): RowDocument {
  const fields = fieldsBy(by);
  return {
    fields,
    async *rows() {
      for (const station of stations) {
        yield { ...station, rows: partsOf(station).map((part) => readRowValues(fields, part)) };
      }
    },
    async *blocks() {
      if (stations.length === 0) return;
      const parts = stations.flatMap(partsOf);
      yield tableBlock(parts, partColumns(parts, by, zone));
      if (stations.length === 1 || isVerbose) yield* episodeTable(stations, zone);
    },
    isIndented: true,
    provenance: () => provenance,
  };
}

const COUNTS = QUALITY_TEST_NAMES.flatMap((test) => FAULT_LEVELS.map((level) => ({ test, level })));

const fieldsBy = (by: readonly GroupKey[]): ReadableField<Part>[] => [
  plainField('station', ({ station }) => station.station),
  ...(by.length > 0 ? [plainField<Part>('month', ({ month }) => month)] : []),
  plainField('verdict', ({ verdict }) => verdict),
  plainField('coverage', ({ coverage }) => coverage),
  timeField('last', ({ last }) => last),
  plainField('readings', ({ readings }) => readings),
  {
    ...plainField('tests', ({ tests }: Part) => tests),
    parts: {
      names: COUNTS.map(({ test, level }) => `${test}_${level}`),
      of: (tests) => COUNTS.map(({ test, level }) => (tests as Part['tests'])[test][level]),
    },
  },
];

const MINUTE_WIDTH = '2024-05-01 14:00'.length;
const DAY_WIDTH = '2024-05-01'.length;

/** In a narrow window, times in the same line as a station's name are shortened to the date. */
const SHORT_TIME: Partial<TextColumn> = {
  room: { comfortable: MINUTE_WIDTH, tight: DAY_WIDTH },
  shorten: (text, width) => (text.length > width ? text.slice(0, DAY_WIDTH) : text),
};

function partColumns(
  parts: readonly Part[],
  by: readonly GroupKey[],
  zone: string,
): ReadableColumn<Part>[] {
  const share = (count: number, { readings }: Part) => (readings === 0 ? null : count / readings);
  const name = readableColumn<Part>(
    'name',
    3,
    'text',
    ({ station }) => station.name?.trim() ?? null,
    {
      room: { comfortable: 24, tight: 12 },
    },
  );
  return [
    readableColumn('verdict', 0, 'plain', ({ verdict }) => verdict),
    stationColumn(({ station }) => station),
    ...(parts.some(({ station }) => station.name) ? [name] : []),
    ...(by.length > 0 ? [readableColumn<Part>('month', 0, 'plain', ({ month }) => month)] : []),
    readableColumn('coverage', 2, 'share', ({ coverage }) => coverage),
    readableColumn(`last ${formatZoneName(zone)}`, 3, 'clock', ({ last }) => last, SHORT_TIME),
    readableColumn('fail', 1, 'share', (part) => share(part.failed, part)),
    readableColumn('suspect', 2, 'share', (part) => share(part.suspect, part)),
    readableColumn('worst', 1, 'plain', worstOf),
  ];
}

const stationColumn = <T>(stationOf: (item: T) => CheckedStation): ReadableColumn<T> =>
  readableColumn('station', 0, 'plain', (item) => stationOf(item).station, { isDecimal: true });

/** The test that failed most often; if none failed, the one that was suspect most often. */
function worstOf({ tests }: Part): QualityTestName | null {
  for (const level of FAULT_LEVELS.toReversed()) {
    const most = Math.max(...QUALITY_TEST_NAMES.map((test) => tests[test][level]));
    const worst = QUALITY_TEST_NAMES.find((test) => tests[test][level] === most);
    if (most > 0 && worst !== undefined) return worst;
  }
  return null;
}

/** Maximum number of episodes of a station in a table: a faulty one may have thousands. */
const MAX_EPISODES = 40;

/**
 * The episodes of a station to show: failed ones first, then suspect ones, each in order of time.
 */
function gravestOf({ episodes }: CheckedStation): StationCheckResult['episodes'] {
  const gravest = episodes.toSorted((a, b) => b.level - a.level).slice(0, MAX_EPISODES);
  return gravest.sort((a, b) => a.start - b.start);
}

type Episode = StationCheckResult['episodes'][number] & { readonly station: CheckedStation };

function* episodeTable(
  stations: readonly CheckedStation[],
  zone: string,
): Generator<DocumentBlock> {
  const episodes = stations.flatMap((station) =>
    gravestOf(station).map((episode) => ({ ...episode, station })),
  );
  if (episodes.length === 0) return;
  const left = stations.reduce((sum, station) => sum + station.episodes.length, -episodes.length);
  const foot = left > 0 ? `and ${formatCount(left, 'further episode')}` : undefined;
  const columns: ReadableColumn<Episode>[] = [
    ...(stations.length > 1 ? [stationColumn<Episode>(({ station }) => station)] : []),
    readableColumn('test', 0, 'plain', ({ test }) => test),
    readableColumn('flag', 1, 'plain', ({ level }) => FAULT_LEVELS[level - 1]),
    readableColumn(`from ${formatZoneName(zone)}`, 0, 'clock', ({ start }) => start),
    readableColumn(`to ${formatZoneName(zone)}`, 3, 'clock', ({ stop }) => stop),
    readableColumn('length', 2, 'length', ({ start, stop }) => (stop - start) / 1000 || null),
    readableColumn('readings', 4, 'plain', ({ readings }) => readings || null, { isDecimal: true }),
  ];
  yield tableBlock(episodes, columns, foot);
}
