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
  // Write records last: the output may fail or block, which must not delay the bell and --exec.
  if (stream) sinks.push(recordSink(stream, styles, watch));
  return sinks;
}

/** Closes all sinks, even where one fails to close. @returns the failures */
export async function closeSinks(
  sinks: readonly WatchSink[],
  ending: WatchEnding,
): Promise<Error[]> {
  const closing = sinks.map(async (sink) => sink.close?.(ending));
  const settled = Promise.allSettled(closing);
  // When interrupted, wait only for sinks that end soon: a pipe's reader may have stopped.
  const awaited =
    ending === 'ended'
      ? Promise.allSettled(closing.filter((_, place) => sinks[place]?.isAwaited))
      : settled;
  return (await awaited).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
}

/** Rings the bell of the terminal at each event, and writes a line about it unless a record does. */
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
    // An interrupted watch ends its commands, which takes 2 s at most.
    isAwaited: true,
    write(records) {
      for (const record of records) {
        if (record.event === undefined) continue;
        const input = ndjson.record(record, style);
        hook.run({ variables: recordVariables(record, style), input });
      }
    },
    // Commands that have begun may run to their end, unless a signal or a key ended the watch.
    close(ending) {
      if (ending === 'ended') hook.end();
      return hook.settle();
    },
  };
}

/** Most characters of stderr that are held back, the last ones: a watch may run for months. */
const MAX_BUFFERED = 64 * 1024;

/** With a screen, an Io that holds stderr back until it is disposed of, if stderr is a terminal. */
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
