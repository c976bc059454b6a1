import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** On Debian nginx is in /usr/sbin, which is not in the PATH of users. */
const ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/** Why tests with nginx cannot run here; undefined where they can. */
export function whyNoNginx(): string | undefined {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore', env: ENV });
    return undefined;
  } catch {
    return 'nginx is not installed';
  }
}

export interface Nginx {
  readonly baseUrl: string;
  close(): Promise<void>;
}

const CONF = new URL('../../docs/examples/nginx.conf', import.meta.url);
const MAX_WAIT_MS = 20_000;

/**
 * Starts nginx with docs/examples/nginx.conf in front of a server's port, without
 * privileges.
 */
export async function startNginx(upstreamPort: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'vane-nginx-'));
  // Workers of an nginx that root starts run as another user, who has to reach the folder.
  chmodSync(folder, 0o755);
  const port = await findPort();
  const conf = join(folder, 'nginx.conf');
  writeFileSync(
    join(folder, 'vane.conf'),
    adapt(readFileSync(CONF, 'utf8'), folder, port, upstreamPort),
  );
  writeFileSync(conf, mainConf(folder));
  const errors: string[] = [];
  const child = spawn('nginx', ['-c', conf, '-p', folder, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: ENV,
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const closed = once(child, 'close');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItListens(port, () => child.exitCode === null, errors);
  } catch (error) {
    await close();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${port}`, close };
}

/** Puts the folder and ports of the test into the configuration in place of those of the system. */
function adapt(conf: string, folder: string, port: number, upstreamPort: number): string {
  const places: readonly (readonly [string, string])[] = [
    ['/var/cache/', `${folder}/`],
    ['127.0.0.1:8081;', `127.0.0.1:${upstreamPort};`],
    ['listen 80;', `listen 127.0.0.1:${port};`],
  ];
  return places.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`nginx.conf has not one ${from}`);
    return text.replace(from, to);
  }, conf);
}

/** The configuration of nginx itself, which includes that of the example. */
const mainConf = (folder: string): string =>
  [
    'worker_processes 2;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr;',
    'events {}',
    'http {',
    `  access_log ${folder}/access.log;`,
    ...temporaryPaths(folder),
    `  include ${folder}/vane.conf;`,
    '}\n',
  ].join('\n');

/** Temporary folders of the nginx modules, which would otherwise be created below /var. */
function temporaryPaths(folder: string): string[] {
  const { stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8', env: ENV });
  const built = [...stderr.matchAll(/--http-([a-z-]+)-temp-path=/g)].map(([, name]) => name);
  const modules = built.filter(
    (name) => name !== undefined && !stderr.includes(`without-http_${name}_module`),
  );
  return modules.map((name) => {
    const directive = `${name?.replaceAll('-', '_')}_temp_path`;
    return `  ${directive} ${join(folder, directive)};`;
  });
}

/** A port that nothing listens on. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Waits until a program accepts connections on its port; `errors` is its stderr. */
export async function untilItListens(
  port: number,
  isRunning: () => boolean,
  errors: readonly string[],
): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  while (isRunning() && Date.now() < deadline) {
    const isUp = await canConnect(port);
    if (isUp) return;
    await sleep(20);
  }
  throw new Error(`the server did not start: ${errors.join('')}`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
