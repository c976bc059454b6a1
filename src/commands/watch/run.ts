import { formatDate } from '../../domain/dates.ts';
import type { LiveStations } from '../../domain/envelope.ts';
import { printableText } from '../../domain/text.ts';
import { TREND_MS } from '../../domain/watching/track.ts';
import {
  BrokenAnswerError,
  InterruptedError,
  RanOutError,
  UnavailableError,
  VaneError,
} from '../../errors.ts';
import type { StreamRecord } from '../../formats/format.ts';
import type { Scene } from '../../formats/screen/scene.ts';
import { abortable, type Io } from '../../io.ts';
import { checkTarget } from '../../output/write.ts';
import { mapOrdered } from '../../service/ordered.ts';
import { poll } from '../../service/poll.ts';
import { askFor, refuseUnknown } from '../shared/selection.ts';
import { noteProvenance, type Session, withService } from '../shared/session.ts';
import { bellSink } from './bellSink.ts';
import { bufferStderr } from './bufferStderr.ts';
import { execSink } from './execSink.ts';
import { recordSink } from './recordSink.ts';
import type { WatchRequest } from './request.ts';
import { screenSink } from './screenSink.ts';
import type { Ending, Sink } from './sink.ts';
import { createWatchState, type WatchState } from './watchState.ts';

/** Watches stations until the watch ends, and writes new measurements and events. */
export async function runWatch(request: WatchRequest, io: Io): Promise<void> {
  if (request.stream) await checkTarget({ path: request.stream.path, isGzip: false }, io);
  // The screen would draw over lines on stderr, so they are written once it is closed.
  const buffered = request.showsScreen ? bufferStderr(io) : { io, release() {} };
  try {
    await withService(request.connection, buffered.io, (session) =>
      watch(request, session, buffered.io),
    );
  } finally {
    buffered.release();
  }
}

type WatchSession = Pick<Session, 'service' | 'baseUrl' | 'reporter' | 'signal'>;

/** The polling as the screen shows it. */
type PollStatus = { -readonly [K in 'nextPollMs' | 'failures' | 'lastGoodMs']: Scene[K] };

interface Watch {
  readonly request: WatchRequest;
  readonly session: WatchSession;
  readonly io: Io;
  readonly state: WatchState;
  readonly status: PollStatus;
  /** Aborts when the command is interrupted and when `q` is pressed. */
  readonly signal: AbortSignal;
}

/**
 * Watches stations over an open session.
 * @throws RanOutError when the condition of `--until` did not become true in time;
 *   UnavailableError after `--max-failures`; the error of a first poll that a retry cannot mend
 */
export async function watch(request: WatchRequest, session: WatchSession, io: Io): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([session.signal, quit.signal]);
  const state = createWatchState({ ...request, startedMs: io.now() });
  const status: PollStatus = { nextPollMs: undefined, failures: undefined, lastGoodMs: undefined };
  const current: Watch = { request, session, io, state, status, signal };
  const sinks = openSinks(current, () => quit.abort(new InterruptedError('SIGINT')));
  let ending: Ending = 'failed';
  try {
    await pollStations(current, sinks);
    ending = 'over';
  } catch (error) {
    if (signal.aborted) ending = 'ended';
    // A script that waits with --until must not take `q` for success.
    if (!quit.signal.aborted || request.isUntil) throw error;
  } finally {
    quit.abort();
    await closeSinks(sinks, ending);
  }
}

/** Closes all sinks, even after a failure of one. @throws the first failure */
async function closeSinks(sinks: readonly Sink[], ending: Ending): Promise<void> {
  const closing = Promise.allSettled(sinks.map(async (sink) => sink.close(ending)));
  // An interrupted command does not wait for a reader that has stopped reading.
  if (ending === 'ended') return;
  for (const outcome of await closing) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

function openSinks({ request, session, io, state, status }: Watch, onQuit: () => void): Sink[] {
  const { unit, colour, writeDate, command, rule, stream, showsScreen } = request;
  const style = { unit, writeDate, withEvents: rule !== undefined };
  const condition = rule?.condition.text;
  const sinks: Sink[] = [];
  const terminal = showsScreen ? io.stdoutTerminal : undefined;
  if (terminal) {
    const scene = () => ({ ...status, stations: state.watched, condition, writeDate });
    sinks.push(screenSink({ scene, unit, colour, onQuit }, io, terminal));
  } else if (io.stderrTerminal) {
    sinks.push(bellSink(io, session.reporter, writeDate));
  }
  if (command !== undefined) {
    const onOutput = terminal
      ? () => {}
      : (text: string) => void io.stderr.write(printableText(text));
    const onTrouble = session.reporter.note;
    sinks.push(execSink({ command, io, onOutput, onTrouble }, style));
  }
  // Records may fail or block, so bell and --exec come before them.
  if (stream) sinks.push(recordSink(stream, style, io));
  return sinks;
}

/** Polls until the last poll, or until the condition of `--until` is true. */
async function pollStations(watch: Watch, sinks: readonly Sink[]): Promise<void> {
  const { request, io, state, status, signal } = watch;
  const { durationMs, isUntil, rule } = request;
  const write = async (records: readonly StreamRecord[]): Promise<void> => {
    signal.throwIfAborted();
    // A reader that has stopped reading must not keep an interrupted watch alive.
    for (const sink of sinks) await abortable(Promise.resolve(sink.write(records)), signal);
  };
  const polls = poll((pollSignal) => askStations(watch, pollSignal), {
    ...request,
    untilMs: durationMs === undefined ? undefined : io.now() + durationMs,
    now: io.now,
    sleep: io.sleep,
    signal,
    onSend: () => {
      status.nextPollMs = undefined;
    },
  });
  let history: Promise<void> | undefined;
  for await (const { atMs, outcome, nextMs } of polls) {
    status.nextPollMs = nextMs ?? 'never';
    if ('failure' in outcome) {
      noteFailure(watch, outcome.failure);
      await write(state.takeFailure(io.now()));
      continue;
    }
    const isFirst = status.lastGoodMs === undefined;
    noteSuccess(watch, outcome.answer, atMs);
    if (isFirst) history = fetchHistory(watch, outcome.answer, write);
    // The screen adds the history once it comes; the trend in the first record needs it now.
    if (!request.showsScreen) await history;
    const records = state.takeAnswer(outcome.answer, io.now());
    await write(records);
    if (isUntil && records.some(({ event }) => event?.kind === 'true')) return;
  }
  await history;
  if (isUntil && rule) {
    throw new RanOutError(`“${rule.condition.text}” did not become true in the given time.`);
  }
}

/** The live data of one station, or of all where several may be watched. */
async function askStations(
  { request: { stations }, session: { service, baseUrl }, status }: Watch,
  signal: AbortSignal,
): Promise<LiveStations> {
  const answer = await askFor(stations, false, { service, signal });
  if (stations !== 'all' && stations.length > 1 && status.lastGoodMs === undefined) {
    refuseUnknown(stations, answer.data, baseUrl);
  }
  return answer;
}

/** @throws UnavailableError after `--max-failures`; the failure if a retry cannot mend it */
function noteFailure({ request, status, session, io }: Watch, failure: VaneError): void {
  // An address that never gave a valid answer is wrong, unless the answer was missing or cut short.
  const mayPass = failure instanceof UnavailableError || failure instanceof BrokenAnswerError;
  if (status.lastGoodMs === undefined && !mayPass) throw failure;
  const inARow = (status.failures?.inARow ?? 0) + 1;
  status.failures = { inARow, reason: failure.message };
  if (inARow >= (request.maxFailures ?? Number.POSITIVE_INFINITY)) {
    const polls = inARow === 1 ? 'A poll' : `${inARow} polls in a row`;
    throw new UnavailableError(`${polls} failed. ${failure.message}`, { cause: failure });
  }
  if (inARow === 1) session.reporter.note(`${formatDate(io.now())}: ${failure.message}`);
}

function noteSuccess({ status, session, io }: Watch, answer: LiveStations, atMs: number): void {
  if (status.lastGoodMs === undefined) noteProvenance(session.reporter, answer);
  if (status.failures) {
    const { inARow } = status.failures;
    const polls = inARow === 1 ? '1 failed poll' : `${inARow} failed polls`;
    session.reporter.note(`${formatDate(io.now())}: answered again after ${polls}.`);
  }
  status.failures = undefined;
  status.lastGoodMs = atMs;
}

/** For more stations than this the archive is not requested. */
const MAX_HISTORY_STATIONS = 10;

/** Requests the last hour of each selected station from the archive. */
async function fetchHistory(
  { request, state, session, io, signal }: Watch,
  answer: LiveStations,
  write: (records: readonly StreamRecord[]) => Promise<void>,
): Promise<void> {
  const now = io.now();
  const ids = state.select(answer, now);
  if (!request.wantsHistory || ids.length > MAX_HISTORY_STATIONS) return;
  const fetchHour = async (id: number, stationSignal: AbortSignal) => {
    const period = { start: now - TREND_MS, stop: now };
    try {
      const { rows } = await session.service.archive(id, period, { signal: stationSignal });
      return { id, readings: rows.readings };
    } catch (error) {
      if (!(error instanceof VaneError) || signal.aborted) throw error;
      session.reporter.note(`Station ${id} has no trend from the last hour: ${error.message}`);
      return { id, readings: [] };
    }
  };
  try {
    for await (const { id, readings } of mapOrdered(ids, fetchHour, { concurrency: 4, signal })) {
      state.addHistory(id, readings);
      // Writing no records redraws the screen.
      if (request.showsScreen) await write([]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
