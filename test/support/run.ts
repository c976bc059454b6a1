import { run } from '../../src/cli.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from './fake-io.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly io: FakeIo;
}

/** Runs vane in this process with a fake Io. */
export async function vane(args: readonly string[], options: FakeIoOptions = {}): Promise<Outcome> {
  const io = fakeIo(options);
  const code = await run(args, io);
  return { code, out: io.out(), err: io.err(), io };
}
