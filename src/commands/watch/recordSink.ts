import type { StreamFormat, StreamStyle } from '../../formats/format.ts';
import type { Io } from '../../io.ts';
import { openRotatingFile } from '../../output/rotatingFile.ts';
import { writeNow } from '../../output/write.ts';
import type { Sink } from './sink.ts';

/** Writes each record at once, to a file that may be rotated or else to stdout. */
export function recordSink(
  { format, path }: { readonly format: StreamFormat; readonly path: string | undefined },
  style: StreamStyle,
  io: Io,
): Sink {
  const head = () => format.head(style);
  const file = path === undefined ? undefined : openRotatingFile(path, io);
  let isBegun = false;
  const toStdout = async (text: string): Promise<void> => {
    await writeNow(io.stdout, (isBegun ? '' : head()) + text);
    isBegun = true;
  };
  return {
    async write(records) {
      const text = records.map((record) => format.record(record, style)).join('');
      if (text === '') return;
      await (file ? file.write(text, head) : toStdout(text));
    },
    close: () => file?.close(),
  };
}
