import { Writable } from 'node:stream';
import type { Io } from '../../io.ts';

/** The last of what was held back is let go of; a watch may go on for months. */
const MOST_HELD = 64 * 1024;

/** An Io whose stderr says nothing yet, where the same terminal shows a screen. */
export function bufferStderr(io: Io): { readonly io: Io; release(): void } {
  if (io.stderrTerminal === undefined) return { io, release() {} };
  let held = '';
  const stderr = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      held = (held + text).slice(-MOST_HELD);
      done();
    },
  });
  return {
    io: { ...io, keyboard: io.keyboard, stderr, stderrTerminal: undefined },
    release: () => void io.stderr.write(held),
  };
}
