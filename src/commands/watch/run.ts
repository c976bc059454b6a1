import { DAY_MS, formatDate } from '../../domain/dates.ts';
import type { LiveStations } from '../../domain/envelope.ts';
import type { SelectedStation } from '../../domain/selection.ts';
import { printableMessage } from '../../domain/text.ts';
import { TREND_MS } from '../../domain/watching/recentMeasurements.ts';
import {
  BrokenResponseError,
  InterruptedError,
  RanOutError,
  UnavailableError,
  VaneError,
} from '../../errors.ts';
import type { StreamRecord } from '../../formats/format.ts';
import { abortable, type Io } from '../../io.ts';
import { noteProvenance } from '../../output/reporter.ts';
import { fetchChunk } from '../../service/chunks.ts';
import { mapOrdered } from '../../service/ordered.ts';
import { poll } from '../../service/poll.ts';
import { openSession, type Session } from '../../session/session.ts';
import { refuseUnknown, requestStations } from '../../session/stations.ts';
import type { WatchOptions } from './options.ts';
import { checkRecordFile } from './recordSink.ts';
import type { Scene, StationDetails } from './screen/scene.ts';
import type { Sink, WatchEnding } from './sink.ts';
import { bufferStderr, closeSinks, openSinks } from './sinks.ts';
import { createWatchState, type WatchState } from './watchState.ts';

/** Watches stations until the watch ends, and writes new measurements and events. */
export async function runWatch(options: WatchOptions, io: Io): Promise<void> {
  await checkRecordFile(options, io);
  // The screen would draw over lines on stderr: hold stderr back until the screen is closed.
  using buffered = bufferStderr(io, options.showsScreen);
  await using session = await openSession(options.connection, buffered.io);
  await watch(options, session, buffered.io);
}

type WatchSession = Pick<Session, 'service' | 'serviceName' | 'reporter' | 'signal'>;

/**
 * The state of the polling on the screen: next poll, failures, and time of the last good response.
 */
type PollStatus = { -readonly [K in 'nextPollMs' | 'failures' | 'lastGoodMs']: Scene[K] };

interface Watch {
  readonly options: WatchOptions;
  readonly session: WatchSession;
  readonly io: Io;
  readonly state: WatchState;
  readonly status: PollStatus;
  /** Aborts when a signal interrupts the command, or when the user presses `q`. */
  readonly signal: AbortSignal;
}

/**
 * Watches stations of a service that is already open.
 * @throws RanOutError when a watch with `--until` ends before its condition is true;
 *   UnavailableError after `--max-failures`, without a single good response (unless a signal ends
 *   the watch), and where messages of `--post` or `--mqtt` were not delivered; before the first
 *   good response, an error that a retry cannot mend
 */
export async function watch(options: WatchOptions, session: WatchSession, io: Io): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([session.signal, quit.signal]);
  const state = createWatchState(options, io.now());
  const status: PollStatus = { nextPollMs: undefined, failures: undefined, lastGoodMs: undefined };
  const current: Watch = { options, session, io, state, status, signal };
  const sinks = openSinks(options, {
    io,
    reporter: session.reporter,
    scene: (order) => ({ ...status, stations: state.stationsOnScreen(order) }),
    load: (id) => loadDetails(current, id),
    onQuit: () => quit.abort(new InterruptedError('SIGINT')),
  });
  let ending: WatchEnding = 'over';
  let failure: unknown;
  try {
    await pollStations(current, sinks);
  } catch (error) {
    ending = signal.aborted ? 'ended' : 'failed';
    // The key `q` must not look like success where nothing came, or to a script that waits with
    // --until.
    if (!quit.signal.aborted) failure = error;
    else if (status.lastGoodMs === undefined) failure = noResponseError(status);
    else if (options.isUntil) failure = error;
  }
  quit.abort();
  const others = await closeSinks(sinks, ending);
  const isGraver = failure === undefined || failure instanceof RanOutError;
  const worst = isGraver ? (others.shift() ?? failure) : failure;
  // Lost messages are reported even with --quiet, whatever ended the watch.
  for (const { message } of others) io.stderr.write(`vane: ${printableMessage(message)}\n`);
  if (worst !== undefined) throw options.showsScreen ? wordLeaving(worst, options) : worst;
}

/** Ctrl-C and q are the ways to leave the screen, and need no message without --until. */
function wordLeaving(failure: unknown, { isUntil, rule }: WatchOptions): unknown {
  if (!(failure instanceof InterruptedError) || failure.signal !== 'SIGINT') return failure;
  const sentence = isUntil ? `Stopped before “${rule?.condition.text}” became true.` : '';
  return new InterruptedError('SIGINT', sentence);
}

/** Polls until `--count` or `--duration` is over, or until the condition of `--until` is true. */
async function pollStations(watch: Watch, sinks: readonly Sink[]): Promise<void> {
  const { options, session, io, state, status, signal } = watch;
  const { stations, durationMs, isUntil, rule } = options;
  const write = async (records: readonly StreamRecord[]): Promise<void> => {
    signal.throwIfAborted();
    // A pipe whose reader has stopped reading must not keep an interrupted watch alive.
    for (const sink of sinks) await abortable(Promise.resolve(sink.write(records)), signal);
  };
  const sendRequest = async (pollSignal: AbortSignal) => {
    const response = await requestStations(stations, false, { ...session, signal: pollSignal });
    // Do not begin to watch an unknown station: it would never alert.
    if (status.lastGoodMs === undefined) refuseUnknown(stations, response.data, session);
    return response;
  };
  const polls = poll(sendRequest, {
    ...options,
    untilMs: durationMs === undefined ? undefined : io.now() + durationMs,
    now: io.now,
    sleep: io.sleep,
    signal,
    onSend: () => {
      status.nextPollMs = undefined;
    },
  });
  let history: Promise<void> | undefined;
  let polled = 0;
  for await (const { atMs, outcome, nextMs } of polls) {
    polled++;
    status.nextPollMs = nextMs ?? 'never';
    if ('failure' in outcome) {
      noteFailure(watch, outcome.failure);
      await write(state.addFailure(io.now()));
      continue;
    }
    const isFirst = status.lastGoodMs === undefined;
    if (isFirst) history = fetchHistory(watch, outcome.response, write);
    // Records, --where and --for need the last hour; the screen adds it when it comes.
    const needsHistory = options.isChosenByTrend || (rule !== undefined && rule.forMs > 0);
    if (!options.showsScreen || needsHistory) await history;
    noteSuccess(watch, outcome.response, atMs);
    const records = state.addResponse(outcome.response, io.now());
    await write(records);
    if (isUntil && records.some(({ event }) => event?.kind === 'true')) return;
  }
  await history;
  if (status.lastGoodMs === undefined) throw noResponseError(status);
  if (isUntil && rule) {
    const end = polled === options.count ? '--count' : '--duration';
    throw new RanOutError(
      `“${rule.condition.text}” did not become true before ${end} ended the watch.`,
    );
  }
}

/**
 * The error for a watch that ends without a single good response: each poll failed, if any ended.
 */
function noResponseError({ failures }: PollStatus): UnavailableError {
  if (failures === undefined) {
    return new UnavailableError('The watch ended before the first response from the service.');
  }
  const { inARow, reason } = failures;
  const polls = inARow === 1 ? 'The only poll' : `All ${inARow} polls`;
  return new UnavailableError(`${polls} failed. ${reason}`);
}

/**
 * Counts a failed poll.
 * @throws UnavailableError after `--max-failures`; a failure that a retry cannot mend
 */
function noteFailure({ options, status, session, io }: Watch, failure: VaneError): void {
  // Before the first good response most failures mean a wrong address; a missing response or one
  // cut short does not.
  const mayPass = failure instanceof UnavailableError || failure instanceof BrokenResponseError;
  if (status.lastGoodMs === undefined && !mayPass) throw failure;
  const inARow = (status.failures?.inARow ?? 0) + 1;
  status.failures = { inARow, reason: failure.message };
  if (inARow >= (options.maxFailures ?? Number.POSITIVE_INFINITY)) {
    const polls = inARow === 1 ? 'A poll' : `${inARow} polls in a row`;
    throw new UnavailableError(`${polls} failed. ${failure.message}`, { cause: failure });
  }
  if (inARow === 1) session.reporter.note(`${formatDate(io.now())}: ${failure.message}`);
}

function noteSuccess(
  { options, status, session, io }: Watch,
  response: LiveStations,
  atMs: number,
): void {
  if (status.lastGoodMs === undefined) {
    const terminal = options.showsScreen ? io.stdoutTerminal : io.stderrTerminal;
    noteProvenance(session.reporter, response, terminal);
  }
  if (status.failures) {
    const { inARow } = status.failures;
    const polls = inARow === 1 ? '1 failed poll' : `${inARow} failed polls`;
    session.reporter.note(`${formatDate(io.now())}: the service responds again after ${polls}.`);
  }
  status.failures = undefined;
  status.lastGoodMs = atMs;
}

/** Requests the description and the last 24 hours of a station. */
async function loadDetails(
  { options, state, session, io, signal }: Watch,
  id: number,
): Promise<StationDetails> {
  const now = io.now();
  const period = { start: now - DAY_MS, stop: now };
  const [{ data }, { columns }, { drawDay }] = await Promise.all([
    session.service.live(id, { withMeta: true, signal }),
    fetchChunk(session.service, id, period, signal),
    import('./screen/day.ts'),
  ]);
  const { zone } = options;
  state.addHistory(id, columns);
  return { station: data, draw: drawDay(data, columns, { period, zone }) };
}

/** A watch of more stations than this does not request their last hour from the archive. */
const MAX_HISTORY_STATIONS = 10;

async function fetchHistory(
  { options, state, session, io, signal }: Watch,
  response: LiveStations,
  write: (records: readonly StreamRecord[]) => Promise<void>,
): Promise<void> {
  const now = io.now();
  const selected = state.selectForHistory(response, now);
  if (!options.wantsHistory || selected.length > MAX_HISTORY_STATIONS) return;
  const period = { start: now - TREND_MS, stop: now };
  const fetchHour = async ({ station: { id } }: SelectedStation, stationSignal: AbortSignal) => {
    try {
      const { columns } = await fetchChunk(session.service, id, period, stationSignal);
      return { id, columns };
    } catch (error) {
      if (!(error instanceof VaneError) || signal.aborted) throw error;
      session.reporter.note(`Station ${id} has no trend from the last hour: ${error.message}`);
      return { id };
    }
  };
  const hours = mapOrdered(selected, fetchHour, { concurrency: 4, signal });
  try {
    for await (const { id, columns } of hours) {
      if (columns) state.addHistory(id, columns);
      // An empty list of records makes the screen redraw.
      if (options.showsScreen) await write([]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
