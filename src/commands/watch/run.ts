import { formatDate } from '../../domain/dates.ts';
import type { LiveStations } from '../../domain/envelope.ts';
import { printableMessage } from '../../domain/text.ts';
import {
  BrokenResponseError,
  ConditionNotMetError,
  InterruptedError,
  UnavailableError,
  type VaneError,
} from '../../errors.ts';
import type { WatchRecord } from '../../formats/format.ts';
import { abortable, type Io } from '../../io.ts';
import { noteProvenance } from '../../output/reporter.ts';
import { poll } from '../../service/poll.ts';
import { openSession } from '../../session/session.ts';
import { refuseUnknownStations, requestStations } from '../../session/stations.ts';
import { fetchHistory } from './history.ts';
import type { WatchOptions } from './options.ts';
import { checkRecordFile } from './recordSink.ts';
import type { WatchEnding, WatchSink } from './sink.ts';
import { bufferStderr, closeSinks, openSinks } from './sinks.ts';
import { createWatch, type Watch, type WatchSession } from './watch.ts';
import type { WatchSnapshot } from './watchStore.ts';

/** Watches stations until the watch ends, and writes new measurements and events. */
export async function runWatch(options: WatchOptions, io: Io): Promise<void> {
  await checkRecordFile(options, io);
  // A screen and lines on stderr would overwrite each other: hold stderr back until the screen is
  // closed.
  using buffered = bufferStderr(io, options.showsScreen);
  await using session = await openSession(options.connection, buffered.io);
  await watchStations(options, session, buffered.io);
}

/**
 * Watches stations of an open service.
 * @throws ConditionNotMetError if a watch with `--until` ends before its condition is true;
 *   UnavailableError after `--max-failures`, after no single good response (unless a signal ended
 *   the watch), and if messages of `--post` or `--mqtt` were not delivered; an error that a retry
 *   cannot overcome, before the first good response
 */
export async function watchStations(
  options: WatchOptions,
  session: WatchSession,
  io: Io,
): Promise<void> {
  const running = createWatch(options, session, io);
  const { store, quit, signal } = running;
  const sinks = openSinks(running);
  let ending: WatchEnding = 'over';
  let failure: unknown;
  try {
    await pollStations(running, sinks);
  } catch (error) {
    ending = signal.aborted ? 'ended' : 'failed';
    // Quitting with `q` must not look like success if no response came, or to a script that waits
    // with --until.
    if (!quit.signal.aborted) failure = error;
    else if (store.get().lastGoodMs === undefined) failure = noResponseError(store.get());
    else if (options.isUntil) failure = error;
  }
  quit.abort();
  const others = await closeSinks(sinks, ending);
  const isGraver = failure === undefined || failure instanceof ConditionNotMetError;
  const worst = isGraver ? (others.shift() ?? failure) : failure;
  // Report undelivered messages even with --quiet, however the watch ended.
  for (const { message } of others) io.stderr.write(`vane: ${printableMessage(message)}\n`);
  if (worst !== undefined) throw options.showsScreen ? wordLeaving(worst, options) : worst;
}

/**
 * Removes the message about Ctrl-C or q: these are the normal ways to leave the screen. With
 * --until, the message stays.
 */
function wordLeaving(failure: unknown, { isUntil, rules }: WatchOptions): unknown {
  if (!(failure instanceof InterruptedError) || failure.signal !== 'SIGINT') return failure;
  const sentence = isUntil ? `Stopped before “${rules.all[0]?.condition.text}” became true.` : '';
  return new InterruptedError('SIGINT', sentence);
}

/** Polls until `--count` or `--duration` is over, or until the condition of `--until` is true. */
async function pollStations(watch: Watch, sinks: readonly WatchSink[]): Promise<void> {
  const { options, io, state, store, signal } = watch;
  const { stations, durationMs, isUntil, rules } = options;
  const write = async (records: readonly WatchRecord[]): Promise<void> => {
    signal.throwIfAborted();
    // A pipe with a stuck reader must not keep an interrupted watch alive.
    for (const sink of sinks) await abortable(Promise.resolve(sink.write(records)), signal);
  };
  const sendRequest = async (pollSignal: AbortSignal) => {
    const response = await requestStations(stations, false, { ...watch, signal: pollSignal });
    // Refuse unknown stations at the start: they would never cause an alert.
    if (store.get().lastGoodMs === undefined) refuseUnknownStations(stations, response.data, watch);
    return response;
  };
  const polls = poll(sendRequest, {
    ...options,
    untilMs: durationMs === undefined ? undefined : io.now() + durationMs,
    now: io.now,
    sleep: io.sleep,
    signal,
    onSend: () => store.update({ nextPollMs: undefined }),
  });
  let history: Promise<void> | undefined;
  let polled = 0;
  for await (const { atMs, outcome, nextMs } of polls) {
    polled++;
    store.update({ nextPollMs: nextMs ?? 'never' });
    if ('failure' in outcome) {
      noteFailure(watch, outcome.failure);
      await write(state.addFailure(io.now()));
      continue;
    }
    const isFirst = store.get().lastGoodMs === undefined;
    if (isFirst) history = fetchHistory(watch, outcome.response);
    // Wait for the last hour if records, --where or --for need it. The screen alone can add it
    // later.
    const needsHistory = options.isChosenByTrend || rules.all.some(({ forMs }) => forMs > 0);
    if (!options.showsScreen || needsHistory) await history;
    const records = state.addResponse(outcome.response, io.now());
    noteSuccess(watch, outcome.response, atMs);
    await write(records);
    if (isUntil && records.some(({ event }) => event?.kind === 'true')) return;
  }
  await history;
  if (store.get().lastGoodMs === undefined) throw noResponseError(store.get());
  if (isUntil) {
    const end = polled === options.count ? '--count' : '--duration';
    throw new ConditionNotMetError(
      `“${rules.all[0]?.condition.text}” did not become true before ${end} ended the watch.`,
    );
  }
}

/**
 * Creates the error for a watch that ends without any good response. If any poll has ended, all
 * failed.
 */
function noResponseError({ failures }: WatchSnapshot): UnavailableError {
  if (failures === undefined) {
    return new UnavailableError('The watch ended before the first response from the service.');
  }
  const { inARow, reason } = failures;
  const polls = inARow === 1 ? 'The only poll' : `All ${inARow} polls`;
  return new UnavailableError(`${polls} failed. ${reason}`);
}

/**
 * Counts a failed poll.
 * @throws UnavailableError after `--max-failures`; a failure that a retry cannot overcome
 */
function noteFailure({ options, store, reporter, io }: Watch, failure: VaneError): void {
  const { lastGoodMs, failures } = store.get();
  // Before the first good response, most failures mean a wrong address. Only a missing or damaged
  // response may be temporary.
  const mayPass = failure instanceof UnavailableError || failure instanceof BrokenResponseError;
  if (lastGoodMs === undefined && !mayPass) throw failure;
  const inARow = (failures?.inARow ?? 0) + 1;
  store.update({ failures: { inARow, reason: failure.message } });
  if (inARow >= (options.maxFailures ?? Number.POSITIVE_INFINITY)) {
    const polls = inARow === 1 ? 'A poll' : `${inARow} polls in a row`;
    throw new UnavailableError(`${polls} failed. ${failure.message}`, { cause: failure });
  }
  if (inARow === 1) reporter.note(`${formatDate(io.now())}: ${failure.message}`);
}

function noteSuccess(
  { options, store, reporter, io }: Watch,
  response: LiveStations,
  atMs: number,
): void {
  const { lastGoodMs, failures } = store.get();
  if (lastGoodMs === undefined) {
    const terminal = options.showsScreen ? io.stdoutTerminal : io.stderrTerminal;
    noteProvenance(reporter, response, terminal);
  }
  if (failures) {
    const { inARow } = failures;
    const polls = inARow === 1 ? '1 failed poll' : `${inARow} failed polls`;
    reporter.note(`${formatDate(io.now())}: the service responds again after ${polls}.`);
  }
  store.update({ failures: undefined, lastGoodMs: atMs });
}
