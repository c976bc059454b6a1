import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { NOW } from '../../support/fixture-service.ts';
import { findPort } from '../../support/nginx.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { scripted, station, watching } from '../../support/watching.ts';

const MINUTE = 60_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A measurement every four minutes, as stations send them. */
const latest = (now: number): number => NOW + Math.floor((now - NOW) / (4 * MINUTE)) * 4 * MINUTE;

it('vane watch of all stations uses no more memory, listeners or timers after a day', async () => {
  const clock = virtualClock(NOW);
  const ids = Array.from({ length: 30 }, (_, i) => i + 1);
  const service = scripted(() => ids.map((id) => station({ id, timeMs: latest(clock.now()) })));
  const sizes: number[] = [];
  const burdens: number[][] = [];
  const { code } = await watching(['all', '--line', '{event}', '--duration', '24h'], {
    service: { liveAll: (options) => service.liveAll(options) },
    clock,
    prepare(io) {
      io.stdout.write = ((_: string, done: () => void) => done()) as typeof io.stdout.write;
      for (const hour of [2, 21, 22, 23]) {
        clock.at(NOW + hour * 60 * MINUTE + 30_000, () => {
          collectGarbage();
          sizes.push(process.memoryUsage().heapUsed);
          burdens.push([getEventListeners(io.signal, 'abort').length, clock.sleepers]);
        });
      }
    },
  });
  expect(code).toBe(0);
  const [first = 0] = sizes;
  // Memory that is never freed is in each of the last samples; a single one may be higher.
  expect(Math.min(...sizes.slice(-3)) - first).toBeLessThan(300_000);
  // Each sample is taken by a timer of the test itself, which has fired and no longer counts.
  const ofWatch = burdens.map(([listeners, sleepers = 0], index) => [listeners, sleepers + index]);
  expect(new Set(ofWatch.map(String)).size).toBe(1);
});

it('vane watch --mqtt uses no more memory for 4,000 measurements while its broker is away for an hour, and says once that the broker is away', async () => {
  const port = await findPort();
  // A broker refuses in no time, so time stands still until it has.
  const isConnecting = () => process.getActiveResourcesInfo().includes('TCPConnectWrap');
  const clock = virtualClock(NOW, () => !isConnecting());
  const ids = Array.from({ length: 40 }, (_, i) => i + 1);
  const service = scripted(() =>
    ids.map((id) =>
      station({ id, timeMs: clock.now(), avg: Math.floor(clock.now() / MINUTE) % 50 }),
    ),
  );
  // Measured in the second hour: a watch itself holds the measurements of the last hour.
  const sizes: number[] = [];
  const args = [
    'all',
    '--duration',
    '1h41m',
    '-f',
    'ndjson',
    '-o',
    '/dev/null',
    '--when',
    'avg > 25kmh',
    '-v',
  ];
  const flags = ['--mqtt', `mqtt://me:secret@127.0.0.1:${port}/wind`, '--mqtt-discovery'];
  // The virtual time runs on while the package mqtt is loaded, so this comes first.
  await watching(['1', '--count', '1', ...flags], { service });
  const { code, err, message } = await watching([...args, ...flags], {
    service: { liveAll: (options) => service.liveAll(options) },
    clock,
    prepare() {
      for (const minute of [70, 98, 99, 100]) {
        clock.at(NOW + minute * MINUTE + 30_000, () => {
          collectGarbage();
          sizes.push(process.memoryUsage().heapUsed);
        });
      }
    },
  });
  expect(code).toBe(5);
  const lines = err.split('\n').filter((line) => line.includes('broker'));
  const attempts = lines.filter((line) => line.startsWith('No connection')).length;
  expect(attempts).toBeGreaterThan(1000);
  expect(lines.filter((line) => line.includes('newest state'))).toHaveLength(1);
  // Of each station: configuration, alarm, state, availability and the newest event; and two of all.
  expect(message).toMatch(/^202 messages .*MQTT broker 127\.0\.0\.1:\d+/);
  expect(err).not.toContain('secret');
  const [first = 0] = sizes;
  expect(sizes).toHaveLength(4);
  // Memory that is never freed is in each of the last samples; a single one may be higher.
  expect(Math.min(...sizes.slice(-3)) - first).toBeLessThan(300_000);
});
