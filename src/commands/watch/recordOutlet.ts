import type { StreamFormat, StreamStyle } from '../../formats/stream/stream.ts';
import type { Io } from '../../io.ts';
import { openFollowed } from '../../output/follow.ts';
import { writeNow } from '../../output/write.ts';
import type { Outlet } from './outlet.ts';

/** Writes each record as it comes, to a file that may be rotated or else to stdout. */
export function recordOutlet(
  { format, path }: { readonly format: StreamFormat; readonly path: string | undefined },
  style: StreamStyle,
  io: Io,
): Outlet {
  const head = () => format.head(style);
  const file = path === undefined ? undefined : openFollowed(path);
  let isBegun = false;
  const toStdout = async (text: string): Promise<void> => {
    await writeNow(io.stdout, (isBegun ? '' : head()) + text);
    isBegun = true;
  };
  return {
    async tell(records) {
      const text = records.map((record) => format.record(record, style)).join('');
      if (text === '') return;
      await (file ? file.write(text, head) : toStdout(text));
    },
    close: () => file?.close(),
  };
}
