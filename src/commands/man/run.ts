import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { OutputError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { writeToStream } from '../../output/write.ts';

/**
 * Shows the manual page with the program man on a terminal, and prints its source in a pipe.
 * @throws OutputError where man is missing or fails; it says where to read the text
 */
export async function runMan(_: unknown, io: Io): Promise<void> {
  // The imports of package.json find the page from src/ and from dist/.
  const path = createRequire(import.meta.url).resolve('#manual');
  if (io.stdoutTerminal === undefined) {
    await writeToStream(io.stdout, await readFile(path, 'utf8'));
    return;
  }
  // Ctrl-C belongs to the pager of man: with a listener, vane lives on until the pager ends.
  void io.signal;
  const { error, status } = spawnSync('man', [path], { stdio: 'inherit' });
  if (error === undefined && status === 0) return;
  // A Ctrl-C that came meanwhile reaches the listener only now; it explains the failure.
  await io.sleep(10, io.signal);
  const cause = error === undefined ? 'failed' : 'could not be run';
  throw new OutputError(
    `The manual page was not shown: the program man ${cause}. ` +
      `Read the pages in ${resolve(path, '../../docs/reference')} instead.`,
  );
}
