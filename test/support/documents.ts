import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { startHookServer } from './hook-server.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** README.md and the pages below docs/. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** The time that vane reads in the examples of documents. */
export const NOW = Date.UTC(2026, 5, 15, 12, 0);

/** Programs whose commands no test runs where they stand, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  npm: 'installs packages, or runs this suite; test/installed.slow.test.ts installs the package',
  systemctl: 'needs systemd as process 1; test/recipes.slow.test.ts checks the units',
  sudo: 'changes the system',
  git: 'changes the clone',
  rm: 'removes what npm, which does not run here, has made',
  curl: 'needs the service that systemd runs',
  docker: 'needs a Docker daemon; a job of .github/workflows/ci.yml runs the container',
  mosquitto_sub: 'needs a broker; tests of the recipes run it with a real one',
  mosquitto_pub: 'needs a broker; tests of the recipes run it with a real one',
};

/** A fenced block of a document: its language, its file (`file=PATH`), its lines and where they begin. */
export interface Block {
  readonly language: string;
  /** The path of the file that the block shows, from the root. */
  readonly file: string | undefined;
  readonly text: string;
  readonly at: number;
}

/** The fenced blocks of a document, such as `docs/faq.md`. */
export function blocksOf(path: string): Block[] {
  const fence = /^(```(\w+)(?: file=(\S+))?\n)(.*?)^```$/gms;
  return Array.from(
    readDocument(path).matchAll(fence),
    ({ index, 1: head = '', 2: language = '', 3: file, 4: text = '' }) => ({
      ...{ language, text, at: index + head.length },
      file: file && join(dirname(path), file),
    }),
  );
}

/** The commands of a block, each with the output that the document shows under it. */
export function commandsOf({ language, text }: Block): { command: string; shown: string }[] {
  if (language === 'sh') {
    const lines = text.replace(/\\\n\s*/g, '').split('\n');
    return lines
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((command) => ({ command, shown: '' }));
  }
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', shown = ''] = /^((?:.*\\\n)*.*\n)((?:.*\n)*)$/.exec(part) ?? [];
      return { command: command.replace(/\\\n\s*/g, '').trim(), shown };
    });
}

/** Whether a command is left to other tests, by its first word. */
export const isLeftOut = (command: string): boolean =>
  Object.hasOwn(NOT_RUN, command.split(' ')[0] ?? '');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens a folder in which the commands of one document run, one after the other. */
export async function openDocument() {
  const folder = mkdtempSync(join(tmpdir(), 'vane-documents-'));
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const clock = join(ROOT, 'test/support/frozen-clock.mjs');
  const vane = join(bin, 'vane');
  writeFileSync(
    vane,
    `#!/bin/sh\nexec '${process.execPath}' --import '${clock}' '${ROOT}bin/vane.js' "$@"\n`,
  );
  chmodSync(vane, 0o755);
  cpSync(join(ROOT, 'docs/examples'), join(folder, 'docs/examples'), { recursive: true });
  const hook = await startHookServer();
  // Recipes read secret addresses from files.
  for (const name of ['telegram', 'slack'])
    writeFileSync(join(folder, `${name}-url`), hook.baseUrl);
  const service = simulatedService(() => NOW);
  const network = await startServer({ service, host: '127.0.0.1', port: 0, now: () => NOW });
  const ports = { 8080: await freePort(), 8081: await freePort() };
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    VANE_BASE_URL: network.baseUrl,
    VANE_CONFIG: '',
    FROZEN_CLOCK: String(NOW),
    COLUMNS: '80',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_PROXY: '*',
  };
  const servers: ReturnType<typeof spawn>[] = [];
  /** A command with ports and a receiver of messages of this machine in place of those shown. */
  const toHere = (command: string): string =>
    Object.entries(ports).reduce(
      (line, [shown, real]) =>
        line.replaceAll(`:${shown}`, `:${real}`).replaceAll(`--port ${shown}`, `--port ${real}`),
      command.replace(/(--post )https?:\/\/[^/]+/, `$1${hook.baseUrl}`),
    );
  const toShown = (output: string): string =>
    Object.entries(ports).reduce(
      (text, [shown, real]) => text.replaceAll(`:${real}`, `:${shown}`),
      output.replaceAll(folder, '/home/me'),
    );

  /** Runs a command to its end, or a server or watch to its first output. */
  async function run(command: string): Promise<{ code: number | null; output: string }> {
    const isOpen =
      /\bvane\b(?: --demo)? (?:serve|watch)\b/.test(command) &&
      !/--count|--until|--help/.test(command);
    const child = spawn('sh', ['-c', `exec 2>&1; ${isOpen ? 'exec ' : ''}${toHere(command)}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    if (isOpen) {
      servers.push(child);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      return { code: child.exitCode ?? 0, output: toShown(output) };
    }
    const [code] = await once(child, 'close');
    return { code: code as number | null, output: toShown(output) };
  }

  async function close(): Promise<void> {
    for (const { pid, exitCode } of servers) {
      if (pid === undefined || exitCode !== null) continue;
      process.kill(-pid, 'SIGKILL');
    }
    await network.close();
    await hook.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return { folder, run, close };
}
