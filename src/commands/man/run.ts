import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { OutputError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { writeToStream } from '../../output/write.ts';

/**
 * Shows the manual page on a terminal with the program man. In a pipe, prints the source of the
 * page.
 * @throws OutputError if man is missing or fails; the message says where to read the text
 */
export async function runMan(_: unknown, io: Io): Promise<void> {
  // `#manual` is declared in the imports of package.json, and works from src/ and from dist/.
  const path = createRequire(import.meta.url).resolve('#manual');
  if (io.stdoutTerminal === undefined) {
    await writeToStream(io.stdout, await readFile(path, 'utf8'));
    return;
  }
  // Ctrl-C is for the pager of man. Reading `signal` installs vane's listener, so that vane keeps
  // running until the pager ends.
  void io.signal;
  const { error, status } = spawnSync('man', [path], { stdio: 'inherit' });
  if (error === undefined && status === 0) return;
  // A Ctrl-C during man only reaches the listener now. Wait for it, since it explains the failure.
  await io.sleep(10, io.signal);
  const cause = error === undefined ? 'failed' : 'could not be run';
  throw new OutputError(
    `The manual page was not shown: the program man ${cause}. ` +
      `Read the pages in ${resolve(path, '../../docs/reference')} instead.`,
  );
}
