import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StationService } from '../../src/service/service.ts';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { fixtureService, LICENSE, LIVE_PROVENANCE, NOW } from '../support/fixture-service.ts';
import {
  type Mosquitto,
  PASSWORD,
  startMosquitto,
  USER,
  whyNoMosquitto,
} from '../support/mosquitto.ts';
import { vane } from '../support/run.ts';
import { until } from '../support/until.ts';
import { station } from '../support/watching.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;
const MINUTE = 60_000;

const noMosquitto = whyNoMosquitto();
if (noMosquitto) console.log(`skipped: vane watch with a real broker, as ${noMosquitto}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-mqtt-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Alternating {
  readonly service: StationService;
  /** After so many polls, no poll gets a response. */
  allow(polls: number): void;
  /** Whether a poll waits for its response. */
  readonly isWaiting: () => boolean;
}

/** Stations whose mean alternates between 10 and 20 km/h, with a new measurement at each poll. */
function alternating(): Alternating {
  let polls = 0;
  let allowed = Number.POSITIVE_INFINITY;
  const isWaiting = (): boolean => polls > allowed;
  const liveAll: StationService['liveAll'] = async () => {
    const timeMs = NOW + polls * MINUTE;
    const avg = polls++ % 2 === 0 ? 10 : 20;
    await until(() => !isWaiting());
    return { ...LIVE_PROVENANCE, data: [110, 603].map((id) => station({ id, timeMs, avg })) };
  };
  const allow = (polls: number): void => {
    allowed = polls;
  };
  return { service: { ...fixtureService, liveAll }, allow, isWaiting };
}

describe.skipIf(noMosquitto)('vane watch with a real MQTT broker', () => {
  let broker: Mosquitto;
  let server: FaultyServer;
  let stations: Alternating;
  beforeAll(async () => {
    broker = await startMosquitto();
  });
  afterAll(() => broker.close());
  beforeEach(async () => {
    stations = alternating();
    server = await startFaultyServer([], stations.service);
  });
  afterEach(async () => {
    await server.close();
    // A broker that is started again has forgotten the retained messages of the test.
    await broker.stop();
    await broker.start();
  });

  /** A watch whose time passes `speed` times as fast. */
  const watch = (
    args: readonly string[],
    { speed = 1, env = {} }: { speed?: number; env?: Readonly<Record<string, string>> } = {},
  ) =>
    execaNode(BIN, ['watch', '110', '603', '-v', '--base-url', server.baseUrl, ...args], {
      reject: false,
      env: {
        ...{ NODE_OPTIONS: `--import=${FAST_CLOCK}`, FAST_CLOCK_SPEED: String(speed) },
        ...{ FAST_CLOCK_START: String(NOW), VANE_CACHE_DIR: folder, VANE_MQTT_PASSWORD: PASSWORD },
        ...env,
      },
    });
  const address = () => `mqtt://${USER}@127.0.0.1:${broker.port}/wind`;

  it('vane watch --mqtt announces its stations to Home Assistant, and leaves their newest state as retained messages', async () => {
    const flags = ['--mqtt-discovery', '--when', 'avg > 15kmh', '--knots', '-f', 'ndjson'];
    const { exitCode, stdout, stderr } = await watch(
      ['--count', '2', '--mqtt', address(), ...flags],
      { speed: 20, env: { FAST_CLOCK_MAX_MS: '500' } },
    );
    expect(exitCode).toBe(0);
    const retained = await broker.retained();
    const newest = stdout.split('\n').filter((line) => line.includes('12:01:00'));
    expect(newest.filter((line) => line.startsWith('{"id"'))).toEqual([
      retained['wind/110/state'],
      retained['wind/603/state'],
    ]);
    expect(retained).toMatchObject({
      'wind/availability': 'offline',
      'wind/110/availability': 'online',
      'wind/603/alarm': 'ON',
      'wind/attribution': JSON.stringify(LICENSE),
    });
    expect(Object.keys(retained)).toHaveLength(10);
    const config = JSON.parse(retained['homeassistant/device/vane_wind_110/config'] ?? '');
    expect(config).toMatchObject({
      state_topic: 'wind/110/state',
      device: { name: 'Station 110', configuration_url: `${server.baseUrl}/v1/live-with-meta/110` },
      components: { gust: { unit_of_measurement: 'kn' } },
    });
    expect(stderr).toMatch(/^Connected .*127\.0\.0\.1:\d+/m);
    expect(stderr).not.toContain('s3cret');
  });

  it('vane watch --mqtt is shown as offline by its last will after SIGKILL, and also after SIGTERM', async () => {
    const subscriber = await broker.subscribe();
    const availability = () =>
      subscriber.messages
        .filter(({ topic }) => topic === 'wind/availability')
        .map(({ payload }) => payload);
    const untilAvailabilityWas = (states: readonly string[]) =>
      until(() => availability().join() === states.join());
    const killed = watch(['--mqtt', address()]);
    await untilAvailabilityWas(['online']);
    killed.kill('SIGKILL');
    await killed;
    await untilAvailabilityWas(['online', 'offline']);
    const ended = watch(['--mqtt', address()]);
    await untilAvailabilityWas(['online', 'offline', 'online']);
    ended.kill('SIGTERM');
    const { stderr } = await ended;
    expect((await broker.retained())['wind/availability']).toBe('offline');
    expect(stderr).toMatch(/\nvane: .*$/);
    await subscriber.end();
  });

  it('vane watch --mqtt delivers the newest state and each event once although the broker restarts twice', async () => {
    const subscriber = await broker.subscribe();
    const flags = ['--count', '12', '--when', 'avg > 15kmh', '-f', 'ndjson'];
    const child = watch(['--mqtt', address(), ...flags], {
      speed: 40,
      env: { FAST_CLOCK_MAX_MS: '250' },
    });
    let out = '';
    child.stdout.on('data', (text: string) => {
      out += text;
    });
    /** Lets vane poll so often, and waits until it sends another request. */
    const pollUntil = async (polls: number): Promise<void> => {
      stations.allow(polls);
      await until(stations.isWaiting);
    };
    const untilNewestIsKept = () =>
      until(async () => {
        const { 'wind/110/state': state } = await broker.retained();
        return state !== undefined && out.trimEnd().split('\n').slice(-4).includes(state);
      }, 50);
    for (const [away, back] of [
      [3, 5],
      [7, 9],
    ] as const) {
      await pollUntil(away);
      // An event that is under way when a broker stops may arrive twice with QoS 1.
      await untilNewestIsKept();
      await broker.stop();
      await pollUntil(back);
      await broker.start();
      // The restarted broker knows nothing; within a moment it has the newest state again.
      await untilNewestIsKept();
    }
    stations.allow(Number.POSITIVE_INFINITY);
    const { exitCode, stdout, stderr } = await child;
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    const retained = await broker.retained();
    for (const id of [110, 603]) {
      const states = lines.filter((line) => line.startsWith(`{"id":${id},`));
      expect(retained[`wind/${id}/state`]).toBe(states.at(-1));
    }
    const events = subscriber.messages.filter(({ topic }) => topic.endsWith('/event'));
    const texts = events.map(({ payload }) => payload);
    expect(new Set(texts).size).toBe(texts.length);
    expect(lines).toEqual(expect.arrayContaining(texts));
    expect(texts.length).toBeGreaterThan(10);
    expect(events.some(({ isKept }) => isKept)).toBe(false);
    await subscriber.end();
    expect(stderr.match(/newest state/g)).toHaveLength(2);
    expect(stderr.match(/Connected .* again/g)).toHaveLength(2);
  });

  it('vane watch --mqtt connects by mqtts only to a broker whose certificate NODE_EXTRA_CA_CERTS names, and shows no password', async () => {
    const password = join(folder, 'password');
    await writeFile(password, `${PASSWORD}\n`);
    const secure = `mqtts://${USER}@127.0.0.1:${broker.tlsPort}/wind`;
    const file = { VANE_MQTT_PASSWORD: '', VANE_MQTT_PASSWORD_FILE: password };
    const run = (certificates: string, ...args: string[]) =>
      watch(['--mqtt', secure, ...args], {
        env: { ...file, NODE_EXTRA_CA_CERTS: certificates, DEBUG: '*' },
      });
    const stranger = run('');
    let said = '';
    stranger.stderr.on('data', (text: string) => {
      said += text;
    });
    await until(() => /TLS certificate.*newest state/.test(said));
    stranger.kill('SIGKILL');
    await stranger;
    expect(await broker.retained()).toEqual({});
    const trusted = await run(broker.certificate, '--count', '1');
    expect(trusted.stderr).not.toContain('did not reach');
    expect(trusted.stderr).not.toContain('s3cret');
    expect((await broker.retained())['wind/110/state']).toMatch(/^\{"id":110,/);
  });
});

describe('vane watch', () => {
  // Without --mqtt it loads none: test/e2e/systems.test.ts.
  it('vane watch --mqtt loads the package mqtt once, writes no records to a pipe, and exits with 5 if no message reached the broker', async () => {
    const server = await startFaultyServer([]);
    const hook =
      'export async function resolve(name, context, next) {' +
      " if (name === 'mqtt') console.error('loads mqtt'); return next(name, context); }";
    const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const register = `import { register } from 'node:module'; register(${JSON.stringify(url(hook))});`;
    const flags = ['--base-url', server.baseUrl, '--mqtt', 'mqtt://127.0.0.1:9/wind'];
    const watched = await execaNode(BIN, ['watch', '110', '--count', '1', ...flags], {
      reject: false,
      env: {
        NODE_OPTIONS: `--import=${FAST_CLOCK} --import=${url(register)}`,
        ...{ FAST_CLOCK_SPEED: '40', FAST_CLOCK_START: String(NOW), VANE_CACHE_DIR: folder },
      },
    });
    await server.close();
    expect(watched.stderr.split('loads mqtt\n').length - 1).toBe(1);
    expect(watched).toMatchObject({ exitCode: 5, stdout: '' });
  });
});

it.each([
  [['110', '--mqtt', 'mqtt://u:a/s3cret@h/x', '--mqtt', 'mqtt://u:a/s3cret@h/y']],
  [['110', '--mqtt', 'mqtt://u:a/s3cret@h/x']],
  [['mqtt://u:a/s3cret@h/x']],
])('vane watch %j exits with 2, and the error does not show the password', async (args) => {
  const { code, err } = await vane(['watch', ...args, '-v']);
  expect(code).toBe(2);
  expect(err).toMatch(/^vane: (--mqtt |A station |“mqtt:\/\/…@h\/x” is not a station)/);
  expect(err).not.toContain('s3cret');
});
