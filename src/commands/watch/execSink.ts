import type { StreamRecord, StreamStyle } from '../../formats/format.ts';
import { ndjson } from '../../formats/ndjson.ts';
import { recordVariables } from '../../formats/recordFields.ts';
import { createHook, type HookOptions } from '../../output/hook.ts';
import type { Sink } from './sink.ts';

/** Runs the command of `--exec` at each event. */
export function execSink(options: HookOptions, style: StreamStyle): Sink {
  const hook = createHook(options);
  return {
    write(records: readonly StreamRecord[]) {
      for (const record of records) {
        if (record.event === undefined) continue;
        hook.run({
          variables: recordVariables(record, style),
          input: ndjson.record(record, style),
        });
      }
    },
    // Commands that have begun run to their end, unless somebody waits for the end of the watch.
    close: (ending) => (ending === 'ended' ? hook.end() : hook.settle()),
  };
}
