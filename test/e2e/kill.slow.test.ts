import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { expect, it } from 'vitest';
import { diskCacheIn } from '../support/disk-cache.ts';
import { type Plan, startFaultyServer } from '../support/faulty-server.ts';
import { thinOut } from '../support/fixture-service.ts';
import { runHere } from '../support/question.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const CHUNKS = 10;

/** A generator of pseudo-random whole numbers below a limit. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const daily = thinOut((time) => time.slice(11, 16) === '12:00');

it('an export that is killed at any moment and run again writes the same file, and requests no cached chunk again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vane-kill-'));
  const roll = dice(20_261_121);
  const start = new Date(Date.UTC(2024, 0, 14) - CHUNKS * 31 * 86_400_000).toISOString();
  let onArrival = (_arrival: number): void => {};
  const watch: Plan = (_path, _attempt, arrival) => {
    onArrival(arrival);
    return 'none';
  };
  const server = await startFaultyServer(watch, daily);
  const line = (name: string) =>
    `archive 110 --start ${start} --stop 2024-01-14 -o ${join(folder, name)} -q --base-url ${server.baseUrl}`;
  const env = (cache: string) => ({ VANE_CACHE_DIR: join(folder, cache) });
  const run = (name: string, cache: string) =>
    execaNode(BIN, line(name).split(' '), { reject: false, env: env(cache) });
  /** Runs the same in this process, where it is not killed. */
  const runHereToEnd = (name: string, cache: string) =>
    runHere(line(name), { env: env(cache), now: Date.now() });
  const keptIn = async (cache: string) => {
    const entries = await diskCacheIn(join(folder, cache, 'answers')).list();
    return entries.map(({ key }) => key.split(' ')[3] as string);
  };
  try {
    expect((await runHereToEnd('whole.csv', 'cache-whole')).exitCode).toBe(0);
    const whole = await readFile(join(folder, 'whole.csv'), 'utf8');
    expect(whole.split('\n').length).toBeGreaterThan(50);

    for (let round = 0; round < 3; round++) {
      const fatal = 1 + roll(CHUNKS - 1);
      server.requests.length = 0;
      const child = run(`${round}.csv`, `cache-${round}`);
      onArrival = (arrival) => {
        if (arrival === fatal) child.kill('SIGKILL');
      };
      expect((await child).signal).toBe('SIGKILL');
      onArrival = () => {};

      const kept = await keptIn(`cache-${round}`);
      server.requests.length = 0;
      expect((await runHereToEnd(`${round}.csv`, `cache-${round}`)).exitCode).toBe(0);
      expect(await readFile(join(folder, `${round}.csv`), 'utf8')).toBe(whole);
      expect(server.requests).toHaveLength(CHUNKS - kept.length);
      for (const date of kept) expect(server.requests.join()).not.toContain(`start=${date}`);
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}, 60_000);
