import type { Provenance } from '../domain/envelope.ts';
import { cutPeriodAtNow, type Period, planChunksUntilNow } from '../domain/period.ts';
import type { Quality } from '../domain/quality/limits.ts';
import { filterByQuality } from '../domain/quality/steps.ts';
import {
  applySteps,
  dropImpossibleValues,
  dropRepeatedTimes,
  type ReadingsStep,
} from '../domain/readings/steps.ts';
import { selectStations } from '../domain/selection.ts';
import { positionOf } from '../domain/station.ts';
import type { FilesOptions, HistoryOptions, ReadingsSource } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { createReporter, type Reporter } from '../output/reporter.ts';
import { refuseSharedFiles } from '../output/stationFiles.ts';
import type { OutputTarget } from '../output/target.ts';
import type { FileNameTemplate } from '../output/template.ts';
import { openSession, type Session } from '../session/session.ts';
import {
  readNamedStations,
  refuseUnknownStations,
  requestStations,
  resolveNamedStations,
} from '../session/stations.ts';
import { ReadingsAccount } from './account.ts';
import { openFiles } from './files/openFiles.ts';
import { readService } from './service.ts';
import type { NamedStation, StationReadings } from './stationReadings.ts';

/** What a command needs to know about the stations that it reads, and where their data go. */
interface ReadingsRequest {
  /**
   * Where the data go. `template` names a file for each station; undefined for a single
   * destination.
   */
  readonly target: OutputTarget;
  readonly template: FileNameTemplate | undefined;
  /** The time zone of dates in files without an offset from UTC. */
  readonly zone: string;
  /**
   * Whether the names from the service are needed, for the output or for `{name}` in a file name.
   */
  readonly names: boolean;
  /**
   * Whether the positions of the service's stations are needed; then stations come in the order of
   * --sort.
   */
  readonly stationPositions: boolean;
  /** Whether the positions in rows are needed. Otherwise they are not read from files. */
  readonly rowPositions: boolean;
}

/** The readings for a command, from the service or from files. */
export interface OpenReadings extends AsyncDisposable {
  /**
   * All selected stations, including those without readings. Known before the first request for
   * them.
   */
  readonly chosen: readonly NamedStation[];
  /** Number of requested stations; undefined if only the files decide. */
  readonly asked: number | undefined;
  /** When the command started, milliseconds since 1970. Later readings count as in the future. */
  readonly now: number;
  readonly account: ReadingsAccount;
  readonly reporter: Reporter;
  /**
   * License and attribution, as far as they are known. Complete once the first station was read.
   */
  provenance(): Partial<Provenance>;
  /**
   * The stations in order, after the given steps were applied to their readings. May be called
   * once.
   */
  stations(...steps: readonly ReadingsStep[]): AsyncGenerator<StationReadings>;
}

/** The start and stop that the user set. For a service, the period ends now at the latest. */
export function periodBoundsOf(source: ReadingsSource): Partial<Period> {
  if ('files' in source) return source.files.bounds;
  return cutPeriodAtNow(source.history.now, source.history.period);
}

/**
 * Opens the service and selects stations, or opens files.
 * @throws UsageError, NotFoundError, and every failure of a StationService
 */
export async function openReadings(
  source: ReadingsSource,
  want: ReadingsRequest,
  io: Io,
): Promise<OpenReadings> {
  return 'files' in source
    ? openFileReadings(source.files, want, io)
    : openService(source.history, want, io);
}

async function openFileReadings(
  selected: FilesOptions,
  { zone, rowPositions }: ReadingsRequest,
  io: Io,
): Promise<OpenReadings> {
  const reporter = createReporter(io, selected.verbosity);
  const options = { zone, note: reporter.note, hasPositions: rowPositions };
  const files = await openFiles(selected, options, io);
  return {
    chosen: files.chosen,
    asked: selected.stations === 'all' ? undefined : selected.stations.length,
    now: io.now(),
    account: new ReadingsAccount(),
    reporter,
    provenance: files.provenance,
    stations: (...steps) => withSteps(files.stations(), steps),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openService(
  history: HistoryOptions,
  want: ReadingsRequest,
  io: Io,
): Promise<OpenReadings> {
  const named = await readNamedStations(history, io);
  const session = await openSession(history.connection, io, history.notes);
  try {
    const chosen = await chooseStations(named, history, want, session);
    const names = new Map(chosen.map(({ station, name }) => [station, name]));
    const bounds = periodBoundsOf({ history }) as Period;
    refuseSharedFiles(want.template, names, bounds);
    const chunks = planChunksUntilNow(history.now, history.period);
    const plan = chosen.map(({ station }) => ({ station, chunks }));
    const account = new ReadingsAccount();
    const facts = new Map(chosen.map((one) => [one.station, one]));
    async function* stations(): AsyncGenerator<StationReadings> {
      const options = { history, target: want.target, account };
      for await (const one of readService(plan, options, session, io)) {
        yield { ...one, ...facts.get(one.station) };
      }
    }
    return {
      chosen,
      asked: chosen.length,
      now: history.now,
      account,
      reporter: session.reporter,
      provenance: () => account.provenance ?? {},
      stations: (...steps) => withSteps(stations(), steps),
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    };
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/** Chooses the stations to read, with names and positions if they are needed. */
async function chooseStations(
  named: readonly number[] | 'all',
  history: HistoryOptions,
  want: ReadingsRequest,
  session: Session,
): Promise<NamedStation[]> {
  if (!want.stationPositions) {
    const isNamed = want.names || (want.template?.uses.has('name') ?? false);
    const names = await resolveNamedStations(named, history, isNamed, session);
    return Array.from(names, ([station, name]) => ({ station, name }));
  }
  const { data } = await requestStations(named, false, session);
  refuseUnknownStations(named, data, session);
  return selectStations(data, history.selection, history.now).map(({ station }) => ({
    station: station.id,
    name: station.meta.name,
    position: positionOf(station),
  }));
}

async function* withSteps(
  stations: AsyncGenerator<StationReadings>,
  steps: readonly ReadingsStep[],
): AsyncGenerator<StationReadings> {
  for await (const one of stations) yield { ...one, chunks: applySteps(one.chunks, steps) };
}

/**
 * The steps before statistics and pictures: leave out readings below --quality, repeated times and
 * impossible values.
 * @param now the current time, milliseconds since 1970; later readings count as in the future
 */
export function cleaningSteps(
  quality: Quality,
  now: number,
  account: ReadingsAccount,
): readonly ReadingsStep[] {
  return [
    ...qualityFilterSteps(quality, now, account),
    dropRepeatedTimes,
    impossibleValuesStep(account),
  ];
}

/** The steps that leave out readings below --quality and count them. */
export function qualityFilterSteps(
  quality: Quality,
  now: number,
  account: ReadingsAccount,
): readonly ReadingsStep[] {
  return filterByQuality(quality, now, (count) => {
    account.leftOut += count;
  });
}

/** The step that replaces impossible values by missing ones and counts them. */
export function impossibleValuesStep(account: ReadingsAccount): ReadingsStep {
  return dropImpossibleValues((count) => {
    account.impossible += count;
  });
}
