import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';

/** Why tests in a real terminal cannot run here; undefined where they can. */
export function whyNoTmux(): string | undefined {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'tmux is not installed';
  }
}

export interface Terminal {
  /** The rows of the window without trailing spaces. */
  screen(): Promise<string[]>;
  /** Waits until the screen satisfies a condition. @throws with the screen after 50 s */
  until(isSo: (rows: string[]) => boolean): Promise<string[]>;
  type(...keys: string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Expands a tmux format such as `#{cursor_flag}`. */
  query(format: string): Promise<string>;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 50_000;

/** Opens a shell in a real terminal. */
export async function openTerminal(
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'vane-tmux-'));
  const tmux = async (...args: string[]): Promise<string> =>
    (await execa('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args])).stdout;
  const variables = Object.entries({ PS1: '$ ', LC_ALL: 'C.UTF-8', ...env });
  const shell = ['env', ...variables.map(([name, value]) => `${name}=${value}`), 'sh'];
  await execa(
    'tmux',
    ['-u', '-S', join(folder, 'socket'), '-f', '/dev/null', 'new-session', '-d'].concat([
      '-x',
      String(columns),
      '-y',
      String(rows),
      ...shell,
    ]),
    { env: { LC_ALL: 'C.UTF-8' } },
  );
  const screen = async (): Promise<string[]> =>
    (await tmux('capture-pane', '-p')).split('\n').map((row) => row.trimEnd());
  const until: Terminal['until'] = async (isSo) => {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const now = await screen();
      if (isSo(now)) return now;
      if (Date.now() > deadline) throw new Error(`The screen stayed:\n${now.join('\n')}`);
      await sleep(50);
    }
  };
  // Wait for the prompt: text typed before it would be shown twice.
  await until((shown) => shown[0] === '$');
  return {
    screen,
    until,
    type: async (...keys) => void (await tmux('send-keys', ...keys)),
    resize: async (x, y) => void (await tmux('resize-window', '-x', String(x), '-y', String(y))),
    query: (format) => tmux('display-message', '-p', format),
    async close() {
      await tmux('kill-server').catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
