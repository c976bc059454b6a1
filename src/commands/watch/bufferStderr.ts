import { Writable } from 'node:stream';
import type { Io } from '../../io.ts';

/** Keep the last 64 KiB only, since a watch may run for months. */
const MAX_LENGTH = 64 * 1024;

/** An Io that buffers stderr until `release` where stderr is the terminal that shows the screen. */
export function bufferStderr(io: Io): { readonly io: Io; release(): void } {
  if (io.stderrTerminal === undefined) return { io, release() {} };
  let buffered = '';
  const stderr = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      buffered = (buffered + text).slice(-MAX_LENGTH);
      done();
    },
  });
  return {
    io: { ...io, keyboard: io.keyboard, stderr, stderrTerminal: undefined },
    release: () => void io.stderr.write(buffered),
  };
}
