import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cacheFolderIn } from '../support/cacheFolder.ts';
import { diskCacheIn } from '../support/disk-cache.ts';
import { vane } from '../support/run.ts';
import { openTerminal, whyNoTmux } from '../support/tmux.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A name that would do something wherever a shell took it for its own language. */
const TRAPS = [
  '$(touch pwned)',
  '`touch pwned`',
  `'"; touch pwned #`,
  '[a]:b\\c %B{d}\t\n\u001b[31m',
];
export const STATIONS: readonly [id: number, name: string][] = [
  [110, 'Dune du Pilat'],
  [603, TRAPS[0] ?? ''],
  [666, TRAPS[1] ?? ''],
  [1104, TRAPS[2] ?? ''],
  [1500, TRAPS[3] ?? ''],
];

export interface Stage {
  readonly folder: string;
  /**
   * Variables that put \`vane\`, and a cache with a list of stations, at a shell's disposal. Without
   * \`ANSWERED_AT\`, \`vane\` is the built program.
   */
  readonly env: Readonly<Record<string, string>>;
  strike(): Promise<void>;
}

/**
 * Answers the arguments of \`vane\` in this process, as the built program does: a start of the program
 * takes 0.2 s, and the tests of the shells would start it a hundred times.
 */
async function startAnswering(variables: Stage['env']): Promise<Server> {
  const server = createServer(async (request, response) => {
    const args = (await text(request)).split('\0').slice(0, -1);
    const env = { ...variables, VANE_CACHE_DIR: String(request.headers['x-cache']) };
    response.end((await vane(args, { env })).out);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A folder with files, where \`vane\` gives the answers of this process. */
export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'vane-completions-'));
  for (const name of ['bin', 'work', 'work/folder', 'cache', 'none', 'home'])
    await mkdir(join(folder, name));
  for (const name of ['wind 2024.csv', 'log.txt']) await writeFile(join(folder, 'work', name), '');
  const command = join(folder, 'bin', 'vane');
  const bin = join(ROOT, 'bin', 'vane.js');
  await writeFile(
    command,
    `#!/bin/sh
if [ -z "$ANSWERED_AT" ]; then exec '${process.execPath}' '${bin}' "$@"; fi
printf '%s\\0' "$@" |
  curl --silent --noproxy '*' --data-binary @- --header "x-cache: $VANE_CACHE_DIR" "$ANSWERED_AT"
`,
  );
  await chmod(command, 0o755);
  await keepList(join(folder, 'cache'));
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: join(folder, 'home'),
    ZDOTDIR: join(folder, 'home'),
    VANE_CACHE_DIR: join(folder, 'cache'),
    VANE_CONFIG: join(folder, 'none', 'config.json'),
    // A request would fail, and say so.
    VANE_BASE_URL: 'http://127.0.0.1:9',
  };
  const server = await startAnswering(env);
  const { port } = server.address() as AddressInfo;
  return {
    folder,
    env: { ...env, ANSWERED_AT: `http://127.0.0.1:${port}` },
    async strike() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function keepList(folder: string): Promise<void> {
  const data = STATIONS.map(([id, name]) => ({ id, meta: { name } }));
  const list = { doc: '', license: '', attribution: '', data };
  const key = 'live http://wind.example all';
  await diskCacheIn(cacheFolderIn(folder)).write(key, Buffer.from(JSON.stringify(list)));
}

/** Why a shell cannot be tried here; undefined where it can. */
export function whyNo(shell: string, inTerminal: boolean): string | undefined {
  for (const program of [shell, 'curl']) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
    } catch {
      return `${program} is not installed`;
    }
  }
  return inTerminal ? whyNoTmux() : undefined;
}

export interface Answer {
  /** The line as it is after Tab. */
  readonly line: string;
  /** Words that the script offered, whether or not the shell showed them. */
  readonly offers: readonly string[];
}

export interface Prompt {
  run(command: string): Promise<void>;
  pressTab(line: string): Promise<Answer>;
  screen(): Promise<string>;
  close(): Promise<void>;
}

const MAX_WAIT_MS = 50_000;

/**
 * An interactive shell in a terminal. Its start-up file has to make Ctrl-T write the line, and what
 * was offered for it, into the file \`answer\`: no guess is needed of when a Tab is done with.
 */
export async function openPrompt(start: string, { folder, env }: Stage): Promise<Prompt> {
  const terminal = await openTerminal(100, 40, { ...env, ANSWER: join(folder, 'answer') });
  await terminal.type('-l', `cd ${join(folder, 'work')}; clear; exec ${start}`);
  await terminal.type('Enter');
  const isReady = (rows: string[]) => rows.filter((row) => row !== '').at(-1) === 'READY>';
  await terminal.until(isReady);

  async function answer(): Promise<Answer> {
    const path = join(folder, 'answer');
    for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await sleep(20)) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      await rm(path);
      const [line = '', ...offers] = text.replace(/\n$/, '').split('\n');
      return { line, offers: offers.filter((offer) => offer !== '') };
    }
    throw new Error(`No answer to Tab:\n${(await terminal.screen()).join('\n')}`);
  }
  return {
    async run(command) {
      await terminal.type('C-u');
      await terminal.type('-l', `${command}; clear; answer`);
      await terminal.type('Enter');
      await answer();
    },
    async pressTab(line) {
      // One run of tmux for all of it.
      await terminal.type('C-u', ';', 'send-keys', '-l', line, ';', 'send-keys', 'Tab', 'C-t');
      return answer();
    },
    screen: async () => (await terminal.screen()).join('\n'),
    close: () => terminal.close(),
  };
}
