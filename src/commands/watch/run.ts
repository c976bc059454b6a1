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
import type { Scene } from '../../formats/screen/screen.ts';
import type { Io } from '../../io.ts';
import { checkTarget } from '../../output/write.ts';
import { mapOrdered } from '../../service/ordered.ts';
import { poll } from '../../service/poll.ts';
import { noteProvenance } from '../shared/provenance.ts';
import { askFor, refuseUnknown } from '../shared/selection.ts';
import { type Session, withService } from '../shared/session.ts';
import { bellSink } from './bellSink.ts';
import { bufferStderr } from './bufferStderr.ts';
import { execSink } from './execSink.ts';
import { recordSink } from './recordSink.ts';
import type { WatchRequest } from './request.ts';
import { screenSink } from './screenSink.ts';
import type { Ending, Sink } from './sink.ts';
import { createWatchState, type WatchState } from './watchState.ts';

/** Watches stations until it is ended, and tells what is new. */
export async function runWatch(request: WatchRequest, io: Io): Promise<void> {
  if (request.stream) await checkTarget({ path: request.stream.path, isGzip: false }, io);
  // What is said beside the screen would be drawn over, so it comes when the screen is gone.
  const held = request.showsScreen ? bufferStderr(io) : { io, release() {} };
  try {
    await withService(request.connection, held.io, (session) => watch(request, session, held.io));
  } finally {
    held.release();
  }
}

type Tools = Pick<Session, 'service' | 'baseUrl' | 'reporter' | 'signal'>;

/** How the polling goes. */
interface Course {
  nextPollMs: Scene['nextPollMs'];
  failures: Scene['failures'];
  lastGoodMs: number | undefined;
}

/** Everything of one watch. */
interface Watch {
  readonly request: WatchRequest;
  readonly session: Tools;
  readonly io: Io;
  readonly state: WatchState;
  readonly course: Course;
  /** Aborts when the watch is to end before its time. */
  readonly signal: AbortSignal;
}

/**
 * Watches over an open session.
 * @throws RanOutError when what `--until` waits for did not come; UnavailableError after too many
 *   failed polls; the failure of a first poll that would fail again
 */
export async function watch(request: WatchRequest, session: Tools, io: Io): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([session.signal, quit.signal]);
  const course: Course = { nextPollMs: undefined, failures: undefined, lastGoodMs: undefined };
  const one: Watch = {
    request,
    session,
    io,
    state: createWatchState({ ...request, startedMs: io.now() }),
    course,
    signal,
  };
  const sinks = openSinks(one, () => quit.abort(new InterruptedError('SIGINT')));
  let ending: Ending = 'failed';
  try {
    await watchOn(one, sinks);
    ending = 'over';
  } catch (error) {
    if (signal.aborted) ending = 'ended';
    // Who waits for a condition goes on only if it came to hold.
    if (!quit.signal.aborted || request.isUntil) throw error;
  } finally {
    quit.abort();
    await closeAll(sinks, ending);
  }
}

/** Closes all of them whatever becomes of one. @throws the first failure */
async function closeAll(sinks: readonly Sink[], ending: Ending): Promise<void> {
  // A reader that takes nothing more would hold up the one who ended it.
  const closing = Promise.allSettled(sinks.map(async (sink) => sink.close(ending)));
  if (ending === 'ended') return;
  for (const outcome of await closing) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

function openSinks({ request, session, io, state, course }: Watch, onQuit: () => void): Sink[] {
  const { unit, colour, writeDate, command, rule, stream, showsScreen } = request;
  const style = { unit, writeDate, withEvents: rule !== undefined };
  const sinks: Sink[] = [];
  const terminal = showsScreen ? io.stdoutTerminal : undefined;
  if (terminal) {
    const see = () => ({
      ...course,
      stations: state.watched,
      condition: rule?.condition.text,
      writeDate,
    });
    sinks.push(screenSink({ see, unit, colour, onQuit }, io, terminal));
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
  // Last, since it may fail or take long, and an alarm is to ring all the same.
  if (stream) sinks.push(recordSink(stream, style, io));
  return sinks;
}

/** Polls until there is a reason to end. */
async function watchOn(watch: Watch, sinks: readonly Sink[]): Promise<void> {
  const { request, io, state, course, signal } = watch;
  const { durationMs, isUntil, rule } = request;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const tell = async (records: readonly StreamRecord[]): Promise<void> => {
    signal.throwIfAborted();
    // A reader that takes nothing more does not keep the watch from being ended.
    for (const sink of sinks) await Promise.race([sink.tell(records), aborted]);
  };
  const polls = poll((pollSignal) => ask(watch, pollSignal), {
    ...request,
    untilMs: durationMs === undefined ? undefined : io.now() + durationMs,
    now: io.now,
    sleep: io.sleep,
    signal,
    onSend: () => {
      course.nextPollMs = undefined;
    },
  });
  let recalling: Promise<void> | undefined;
  for await (const { atMs, outcome, nextMs } of polls) {
    course.nextPollMs = nextMs ?? 'never';
    if ('failure' in outcome) {
      noteFailure(watch, outcome.failure);
      await tell(state.wait(io.now()));
      continue;
    }
    const isFirst = course.lastGoodMs === undefined;
    noteSuccess(watch, outcome.answer, atMs);
    if (isFirst) recalling = recallHistory(watch, outcome.answer, tell);
    // A screen shows it when it comes; a record that tells the trend has to wait for it.
    if (!request.showsScreen) await recalling;
    const records = state.take(outcome.answer, io.now());
    await tell(records);
    if (isUntil && records.some(({ event }) => event?.kind === 'true')) return;
  }
  await recalling;
  if (isUntil && rule) {
    throw new RanOutError(`“${rule.condition.text}” did not come to hold in the time given.`);
  }
}

/** All stations where several may be meant, else the one. */
async function ask(
  { request: { stations }, session: { service, baseUrl }, course }: Watch,
  signal: AbortSignal,
): Promise<LiveStations> {
  const answer = await askFor(stations, false, { service, signal });
  if (stations !== 'all' && stations.length > 1 && course.lastGoodMs === undefined) {
    refuseUnknown(stations, answer.data, baseUrl);
  }
  return answer;
}

/** @throws the failure, where there is no use in going on */
function noteFailure({ request, course, session, io }: Watch, failure: VaneError): void {
  // What was never a station service will hardly become one; what cannot be reached may.
  const mayPass = failure instanceof UnavailableError || failure instanceof BrokenAnswerError;
  if (course.lastGoodMs === undefined && !mayPass) throw failure;
  const inARow = (course.failures?.inARow ?? 0) + 1;
  course.failures = { inARow, reason: failure.message };
  if (inARow >= (request.maxFailures ?? Number.POSITIVE_INFINITY)) {
    const polls = inARow === 1 ? 'A poll' : `${inARow} polls in a row`;
    throw new UnavailableError(`${polls} failed. ${failure.message}`, { cause: failure });
  }
  if (inARow === 1) session.reporter.note(`${formatDate(io.now())}: ${failure.message}`);
}

function noteSuccess({ course, session, io }: Watch, answer: LiveStations, atMs: number): void {
  if (course.lastGoodMs === undefined) noteProvenance(session.reporter, answer);
  if (course.failures) {
    const { inARow } = course.failures;
    const polls = inARow === 1 ? '1 failed poll' : `${inARow} failed polls`;
    session.reporter.note(`${formatDate(io.now())}: answered again after ${polls}.`);
  }
  course.failures = undefined;
  course.lastGoodMs = atMs;
}

/** More stations than this have their last hour filled by the polls alone. */
const MOST_RECALLED = 10;

/** Asks the archive for the last hour, once a station. */
async function recallHistory(
  { request, state, session, io, signal }: Watch,
  answer: LiveStations,
  refresh: (records: readonly StreamRecord[]) => Promise<void>,
): Promise<void> {
  const now = io.now();
  const ids = state.choose(answer, now);
  if (!request.wantsHistory || ids.length > MOST_RECALLED) return;
  const ask = async (id: number, one: AbortSignal) => {
    const period = { start: now - TREND_MS, stop: now };
    try {
      const { rows } = await session.service.archive(id, period, { signal: one });
      return { id, readings: rows.readings };
    } catch (error) {
      if (!(error instanceof VaneError) || signal.aborted) throw error;
      session.reporter.note(`Station ${id} has no trend from the last hour: ${error.message}`);
      return { id, readings: [] };
    }
  };
  try {
    for await (const { id, readings } of mapOrdered(ids, ask, { concurrency: 4, signal })) {
      state.recall(id, readings);
      if (request.showsScreen) await refresh([]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
