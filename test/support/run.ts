import { run } from '../../src/cli.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from './fake-io.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly io: FakeIo;
}

/**
 * Runs vane in this process with a fake Io. Without a cache folder of the test's own there is no
 * cache, so that one test does not hear another's answers.
 */
export async function vane(args: readonly string[], options: FakeIoOptions = {}): Promise<Outcome> {
  const io = fakeIo(options);
  const isCached = options.env?.VANE_CACHE_DIR !== undefined;
  const code = await run(isCached ? args : ['--no-cache', ...args], io);
  return { code, out: io.out(), err: io.err(), io };
}
