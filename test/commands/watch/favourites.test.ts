import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW } from '../../support/fixture-service.ts';
import { startHookServer } from '../../support/hook-server.ts';
import { naming } from '../../support/naming.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { scripted, station, watching } from '../../support/watching.ts';

const MINUTE = 60_000;

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-favourites-'));
  config = join(folder, 'config.json');
  const favourites = {
    low: { station: 1, when: 'avg > 10kmh' },
    high: { station: 2, when: 'avg > 30kmh' },
    west: { station: 2, when: 'dir = W' },
    plain: 3,
    trend: { station: 4, when: 'trend > 1kn' },
    odd: { station: 5, when: 'avg > 5knn' },
  };
  await writeFile(config, JSON.stringify({ favourites }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Stations 1 to 5 with 20 km/h from the west, at each minute; station 2 has `avg`. */
const stations = (now: () => number, avg = 20) =>
  scripted(() =>
    [1, 2, 3, 4, 5].map((id) => station({ id, timeMs: now(), avg: id === 2 ? avg : 20 })),
  );

async function watch(line: string, ...more: readonly string[]) {
  const clock = virtualClock(NOW);
  const args = [...line.split(' '), '--count', '2', '-q', ...more];
  const service = stations(clock.now);
  return { ...(await watching(args, { service, clock, env: { VANE_CONFIG: config } })), service };
}

describe('vane watch of favourites with conditions', () => {
  const EVENTS = ['--events', '--line', '{id} {event} {condition}'];

  it.each([
    ['low high plain', '1 true avg > 10kmh'],
    ['LOW,plain', '1 true avg > 10kmh'],
    ['high west', '2 true (avg > 30kmh) or (dir = W)'],
    ['west', '2 true dir = W'],
    ['high low', '1 true avg > 10kmh'],
  ])(
    'vane watch %s has the event “%s”, by the condition of each favourite',
    async (line, event) => {
      expect((await watch(line, ...EVENTS)).out).toBe(`${event}\n`);
    },
  );

  it('--when and --until of vane watch take precedence over the conditions of favourites', async () => {
    const when = await watch('low high plain', '--when', 'avg > 19kmh', ...EVENTS);
    expect(when.out).toMatch(/^(?:[123] true avg > 19kmh\n){3}$/);
    const until = await watch('low', '--until', 'avg > 25kmh');
    expect(until).toMatchObject({ code: 7, message: expect.stringContaining('avg > 25kmh') });
  });

  it.each([['1 2'], ['plain'], ['low all']])(
    'vane watch %s has no alert, since no favourite with a condition is named',
    async (line) => {
      const { out } = await watch(line, '-f', 'csv');
      expect(out).toMatch(/^id,.*,status\.state\n(?:\d.*\n)+$/);
      await expect(watch(line, '--events')).rejects.toThrow(naming('--events', 'favourite'));
    },
  );

  it('the time of --for counts for the alert of each favourite by itself', async () => {
    const clock = virtualClock(NOW);
    const args = ['low', 'high', '--for', '5m', '--events', '--line', '{time} {id} {event}', '-q'];
    const { out } = await watching([...args, '--duration', '20m', '--no-history'], {
      service: scripted(() =>
        [1, 2].map((id) =>
          station({
            id,
            timeMs: clock.now(),
            avg: id === 2 && clock.now() < NOW + 6 * MINUTE ? 20 : 40,
          }),
        ),
      ),
      ...{ clock, env: { VANE_CONFIG: config } },
    });
    expect(out).toBe('12:05:00 1 true\n12:11:00 2 true\n');
  });

  it('the condition of a favourite on the trend requests the last hour of the stations', async () => {
    const { service } = await watch('trend', '--line', '{id}');
    expect(service.requested).toContain('archive 4');
  });

  it('vane watch --post posts the condition of each favourite', async () => {
    const server = await startHookServer();
    await watching(['low', 'west', '--count', '1', '-q', '--post', server.baseUrl], {
      service: stations(() => NOW),
      clock: virtualClock(NOW, () => server.isIdle()),
      env: { VANE_CONFIG: config },
    });
    await server.close();
    const conditions = server.posted.map(({ body }) => JSON.parse(body).condition);
    expect(conditions).toEqual(['avg > 10kmh', 'dir = W']);
  });

  it('vane watch marks the fault of a condition in the config file, but watches the station by its id', async () => {
    const error = naming(config, 'favourites.odd.when', '“knn”');
    await expect(watch('favorites')).rejects.toThrow(error);
    expect((await watch('5 --line {id}')).out).toBe('5\n5\n');
    // The flag is used instead of the condition, which no one reads.
    expect((await watch('odd', '--when', 'avg > 10kmh', ...EVENTS)).out).toContain('5 true');
  });

  it.each([
    ['low', 'when avg > 10kmh · true at 1 of 1 station'],
    ['low plain', 'when avg > 10kmh · true at 1 of 1 station'],
    ['low high plain', "each favourite's own condition · true at 1 of 2 stations"],
  ])('the screen of vane watch %s shows “%s”', async (line, shown) => {
    const clock = virtualClock(NOW);
    const { out } = await watching([...line.split(' '), '--duration', '5s', '--no-color'], {
      ...{ clock, service: stations(clock.now), env: { VANE_CONFIG: config } },
      stdoutTerminal: { columns: 80, rows: 24 },
    });
    const frame = out.slice(out.lastIndexOf('vane watch ·')).split('\n');
    expect(frame[1]).toBe(shown);
    expect(frame.filter((row) => row.includes('  ! Station'))).toHaveLength(1);
  });
});
