import { Writable } from 'node:stream';
import type { WatchRecordStyle } from '../../formats/format.ts';
import { ndjson } from '../../formats/json.ts';
import { recordVariables } from '../../formats/recordFields.ts';
import type { Io } from '../../io.ts';
import { createExecHook, type ExecHookOptions } from '../../output/hook.ts';
import { createPrinter } from '../../output/printer.ts';
import { mqttSink } from './mqtt/mqttSink.ts';
import type { WatchOptions } from './options.ts';
import { postSink } from './postSink.ts';
import { recordSink, recordStylesOf } from './recordSink.ts';
import { describeEvent } from './screen/lines.ts';
import { eventsInRecords, screenSink } from './screen/screenSink.ts';
import type { SinkTools, WatchEnding, WatchSink } from './sink.ts';
import type { Watch } from './watch.ts';

export function openSinks(watch: Watch): WatchSink[] {
  const { options, io, reporter } = watch;
  const { command, stream, posts, mqtt, connection } = options;
  const styles = recordStylesOf(options);
  const style = styles.forPrograms;
  const sinks: WatchSink[] = [];
  if (posts) sinks.push(postSink(posts, connection.timeoutMs, styles, watch));
  const terminal = options.showsScreen ? io.stdoutTerminal : undefined;
  if (terminal) sinks.push(screenSink(watch, terminal));
  else if (io.stderrTerminal) sinks.push(bellSink(options, watch));
  if (command !== undefined) {
    const printer = terminal ? undefined : createPrinter(io.stderr);
    sinks.push(execSink({ command, io, printer, onTrouble: reporter.note }, style));
  }
  if (mqtt) {
    const { baseUrl } = connection;
    const hasAlert = (station: number) => options.rules.of(station) !== undefined;
    const topics = { style, baseUrl, intervalMs: options.intervalMs, hasAlert };
    sinks.push(mqttSink(mqtt, topics, watch));
  }
  // Write records last: the output may fail or block, and the bell and --exec must not wait for it.
  if (stream) sinks.push(recordSink(stream, styles, watch));
  return sinks;
}

/**
 * Closes all sinks, even if some fail to close.
 * @returns the failures
 */
export async function closeSinks(
  sinks: readonly WatchSink[],
  ending: WatchEnding,
): Promise<Error[]> {
  const closing = sinks.map(async (sink) => sink.close?.(ending));
  const settled = Promise.allSettled(closing);
  // When interrupted, only wait for sinks that end quickly: the reader of a pipe may be stuck.
  const awaited =
    ending === 'ended'
      ? Promise.allSettled(closing.filter((_, place) => sinks[place]?.isAwaited))
      : settled;
  return (await awaited).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
}

/**
 * Rings the terminal's bell at each event. Also writes a line about it, unless records are written.
 */
function bellSink({ writeDate, stream }: WatchOptions, { io, reporter }: SinkTools): WatchSink {
  const isTold = stream?.isOfEvents && stream.path === undefined && io.stdoutTerminal;
  return {
    write(records) {
      for (const event of eventsInRecords(records)) {
        io.stderr.write('\u0007');
        if (!isTold) reporter.note(describeEvent(event, writeDate).full);
      }
    },
  };
}

function execSink(options: ExecHookOptions, style: WatchRecordStyle): WatchSink {
  const hook = createExecHook(options);
  return {
    // When interrupted, the sink ends its commands within 2 s.
    isAwaited: true,
    write(records) {
      for (const record of records) {
        if (record.event === undefined) continue;
        const input = ndjson.record(record, style);
        hook.run({ variables: recordVariables(record, style), input });
      }
    },
    // Let running commands finish, unless a signal or a key ended the watch.
    close(ending) {
      if (ending === 'ended') hook.end();
      return hook.settle();
    },
  };
}

/** Maximum length of the buffered stderr. A watch may run for months, so only the end is kept. */
const MAX_BUFFERED = 64 * 1024;

/**
 * While a screen is shown on the same terminal, returns an Io that holds stderr back until it is
 * disposed.
 */
export function bufferStderr(io: Io, showsScreen: boolean): { readonly io: Io } & Disposable {
  if (!showsScreen || io.stderrTerminal === undefined) return { io, [Symbol.dispose]() {} };
  let buffered = '';
  const stderr = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      buffered = (buffered + text).slice(-MAX_BUFFERED);
      done();
    },
  });
  return {
    io: { ...io, keyboard: io.keyboard, stderr, stderrTerminal: undefined },
    [Symbol.dispose]: () => void io.stderr.write(buffered),
  };
}
