import { run } from '../../src/cli.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from './fake-io.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly io: FakeIo;
}

/**
 * Runs vane in this process with a fake Io. Without VANE_CACHE_DIR the cache is off, so that one
 * test does not get the responses of another.
 */
export async function vane(args: readonly string[], options: FakeIoOptions = {}): Promise<Outcome> {
  const io = fakeIo(options);
  // `vane serve --demo` has no cache, and refuses the option.
  const isDemoServer = args[0] === 'serve' && args.includes('--demo');
  const isCached = isDemoServer || options.env?.VANE_CACHE_DIR !== undefined;
  // Add --no-cache after the command; if the arguments begin with an option, add it before that.
  const place = args[0]?.startsWith('-') ? 0 : 1;
  const uncached = [...args.slice(0, place), '--no-cache', ...args.slice(place)];
  const code = await run(isCached ? args : uncached, io);
  return { code, out: io.out(), err: io.err(), io };
}
