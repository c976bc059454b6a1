import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { UsageError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { writeNow } from '../../output/write.ts';

/**
 * Shows the manual page with the program man on a terminal, and prints its source in a pipe.
 * @throws UsageError with the path of the page where man is missing or fails
 */
export async function runMan(_: unknown, io: Io): Promise<void> {
  // The imports of package.json find the page from src/ and from dist/.
  const path = createRequire(import.meta.url).resolve('#manual');
  if (io.stdoutTerminal === undefined) {
    await writeNow(io.stdout, await readFile(path, 'utf8'));
    return;
  }
  // Ctrl-C is for the pager of man: vane waits until the pager has ended.
  void io.signal;
  const { error, status } = spawnSync('man', [path], { stdio: 'inherit' });
  if (error === undefined && status === 0) return;
  throw new UsageError(
    `Cannot show the manual page ${path}: the program man is missing or failed. ` +
      'Its text is also in docs/reference; vane --help lists the commands.',
  );
}
