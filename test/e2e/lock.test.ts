import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { startFaultyServer } from '../support/faulty-server.ts';
import { runHere } from '../support/question.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

/** Runs a program as process 1 of a namespace of its own, as in a container. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];

/** The words before a command that runs it in a container; none where this system allows none. */
function findContainer(): readonly string[] {
  const [program = '', ...args] = CONTAINER;
  try {
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' });
    return CONTAINER;
  } catch {
    console.log('without namespaces of processes: this system allows none');
    return [];
  }
}

it('a lock of a vane that was killed in a container is taken over when the lock is 20 s old', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vane-container-'));
  const server = await startFaultyServer(['silence']);
  const env = { VANE_CACHE_DIR: folder, VANE_BASE_URL: server.baseUrl };
  const locks = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => /\.(lock|tmp)$/.test(name));
  try {
    const command = [...findContainer(), process.execPath, BIN, 'live', '110', '--timeout', '60s'];
    const [program = '', ...args] = command;
    const killed = execa(program, args, { env, reject: false });
    await until(() => server.requests.length === 1);
    killed.kill('SIGKILL');
    await killed;
    const [lock = ''] = await locks();
    const secondsAgo = Date.now() / 1000 - 21;
    await utimes(join(folder, lock), secondsAgo, secondsAgo);
    const { exitCode, stderr } = await runHere('live 110 --timeout 2s', { env, now: Date.now() });
    expect(exitCode, stderr).toBe(0);
    // A vane that waited in vain sends its request too, but leaves the lock.
    expect(await locks()).toEqual([]);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
