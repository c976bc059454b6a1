import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MqttTarget } from '../../../../src/commands/watch/mqtt/address.ts';
import { openBrokerConnection } from '../../../../src/commands/watch/mqtt/broker.ts';
import { createReporter } from '../../../../src/output/reporter.ts';
import { type FakeBroker, startFakeBroker } from '../../../support/fake-broker.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { handClock } from '../../../support/hand-clock.ts';
import { until } from '../../../support/until.ts';

const target = {
  ...{ isTls: false, host: '127.0.0.1', user: 'me', password: 'secret' },
  ...{ prefix: 'wind', discovery: undefined },
};

let broker: FakeBroker;
let clock: ReturnType<typeof handClock>;
let io: ReturnType<typeof fakeIo>;

beforeEach(async () => {
  broker = await startFakeBroker();
  clock = handClock();
  io = { ...fakeIo(), now: clock.now, sleep: clock.sleep };
});
afterEach(() => broker.close());

const open = (changes: Partial<MqttTarget> = {}) =>
  openBrokerConnection(
    { ...target, port: broker.port, ...changes },
    io,
    createReporter(io, { isQuiet: false, isVerbose: true }),
  );

/** Messages that arrived, each as `topic payload`. */
const arrived = (): string[] => broker.published.map(({ topic, payload }) => `${topic} ${payload}`);
const has = (line: string) => () => arrived().includes(line);
/** Lets the pause before the next attempt pass, once it has begun. */
async function reconnect(): Promise<void> {
  await until(() => clock.sleepers > 0);
  clock.advance(5000);
}
/** Takes the broker away for as long as `work` takes; it comes back at the same port. */
async function away(work: () => Promise<void> | void): Promise<void> {
  await broker.close();
  await until(() => clock.sleepers > 0);
  await work();
  broker = await startFakeBroker(broker.port);
  await reconnect();
}
const notes = (): string[] => io.err().split('\n').filter(Boolean);

describe('an MQTT broker', () => {
  it('an MQTT broker gets retained messages, events, and at the end the availability “offline” of vane watch', async () => {
    const { retain, send, finish } = open();
    retain('wind/110/state', '1');
    send('wind/110/event', 'true');
    await until(has('wind/110/event true'));
    await finish();
    expect(broker.published).toEqual([
      { topic: 'wind/availability', payload: 'online', retain: true },
      { topic: 'wind/110/state', payload: '1', retain: true },
      { topic: 'wind/110/event', payload: 'true', retain: false },
      { topic: 'wind/availability', payload: 'offline', retain: true },
    ]);
    expect(notes()).toEqual([expect.stringContaining(`127.0.0.1:${broker.port}`)]);
    expect(clock.sleepers).toBe(0);
  });

  it('an MQTT broker gets a retained value once while the value stays the same, and an event each time it happens', async () => {
    const { retain, send, finish } = open();
    await until(has('wind/availability online'));
    for (const value of ['on', 'on', 'off', 'off', 'on']) retain('wind/a', value);
    for (const value of ['x', 'x']) send('wind/b', value);
    await until(() => arrived().length === 6);
    await finish();
    expect(arrived().slice(1, -1)).toEqual([
      'wind/a on',
      'wind/a off',
      'wind/a on',
      'wind/b x',
      'wind/b x',
    ]);
  });

  it('an MQTT broker that is away at the start gets only the newest message of each topic once the broker is there', async () => {
    const { retain, send, finish } = open();
    await away(() => {
      for (const value of [1, 2, 3]) {
        retain('wind/110/state', `${value}`);
        send('wind/110/event', `${value}`);
        retain('wind/603/state', `${value}`);
      }
    });
    await until(() => / again\.\n/.test(io.err()));
    await finish();
    expect(arrived()).toEqual([
      ...['wind/availability online', 'wind/110/state 3', 'wind/603/state 3', 'wind/110/event 3'],
      'wind/availability offline',
    ]);
    const [first, second, ...others] = notes().filter(
      (line) => !/ed to the MQTT.*\d\.$/.test(line),
    );
    expect(first).toMatch(/MQTT broker .*connection .*newest state/);
    expect(second).toMatch(/^Connected .*MQTT broker .* again/);
    expect(others).toEqual([]);
  });

  it('an MQTT broker that comes back without its retained messages gets all of them again, and no event twice', async () => {
    const { retain, send, finish } = open();
    retain('wind/110/state', '1');
    retain('wind/603/state', '1');
    send('wind/110/event', 'one');
    await until(has('wind/110/event one'));
    // The acknowledgement of the last message has arrived when that of a later one has.
    retain('wind/110/state', '2');
    await until(has('wind/110/state 2'));
    await away(() => {});
    await until(has('wind/603/state 1'));
    await away(() => retain('wind/110/state', '3'));
    await until(has('wind/110/state 3'));
    await finish();
    expect(arrived()).toEqual([
      ...['wind/availability online', 'wind/110/state 3', 'wind/603/state 1'],
      'wind/availability offline',
    ]);
  });

  it('an MQTT broker that drops the connection before it acknowledges an event gets that event again', async () => {
    const { send, finish } = open();
    await until(has('wind/availability online'));
    broker.acknowledges = false;
    send('wind/110/event', '{"event":"true"}');
    await until(has('wind/110/event {"event":"true"}'));
    broker.acknowledges = true;
    broker.drop();
    await reconnect();
    await until(() => arrived().filter((line) => line.startsWith('wind/110/event')).length === 2);
    await finish();
    expect(arrived().filter((line) => line.startsWith('wind/110/event'))).toEqual([
      'wind/110/event {"event":"true"}',
      'wind/110/event {"event":"true"}',
    ]);
  });

  it('an MQTT broker that acknowledges nothing for a minute gets a new connection', async () => {
    const { retain, finish } = open();
    await until(has('wind/availability online'));
    broker.acknowledges = false;
    retain('wind/110/state', '1');
    await until(has('wind/110/state 1'));
    clock.advance(60_001);
    broker.acknowledges = true;
    retain('wind/110/state', '2');
    await reconnect();
    await until(has('wind/110/state 2'));
    expect(broker.connections).toBe(2);
    await finish();
  });

  it('an MQTT broker that refuses the password is tried again, and no message shows the password', async () => {
    broker.connectCode = 5;
    const { finish } = open();
    for (let attempt = 0; attempt < 3; attempt++) await reconnect();
    await until(() => clock.sleepers > 0);
    broker.connectCode = 0;
    await reconnect();
    await until(has('wind/availability online'));
    await finish();
    expect(notes()[0]).toMatch(/“Not authorized”.*newest state/);
    expect(notes().filter((line) => line.includes('newest state'))).toHaveLength(1);
    expect(io.err()).not.toContain('secret');
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n\r\n', '\u0020\u0002\u0000c'])(
    'an MQTT broker that responds with %j is tried again, and a message says that the response is not MQTT',
    async (response) => {
      broker.babble = response;
      const { finish } = open();
      await reconnect();
      await until(() => clock.sleepers > 0);
      broker.babble = undefined;
      await reconnect();
      await until(has('wind/availability online'));
      await finish();
      expect(notes()[0]).toMatch(/not MQTT.*newest state/);
      expect(notes().filter((line) => line.includes('newest state'))).toHaveLength(1);
    },
  );

  it('an MQTT broker may send messages that nobody requested, of which none stays in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const usedMiB = (): number => {
      collect();
      return process.memoryUsage().arrayBuffers / 2 ** 20;
    };
    const { retain, finish } = open();
    await until(has('wind/availability online'));
    const before = usedMiB();
    // Messages of QoS 2, each of 256 KiB with an id of its own.
    for (let id = 1; id <= 120; id++) {
      const head = Buffer.from([0x34, 0x85, 0x80, 0x10, 0, 1, 0x78, id >> 8, id & 0xff]);
      broker.write(Buffer.concat([head, Buffer.alloc(2 ** 18)]));
      await until(() => broker.received === id);
    }
    // The memory of the last messages may be freed a moment after the collection.
    await expect.poll(() => usedMiB() - before, { timeout: 15_000 }).toBeLessThan(20);
    retain('wind/110/state', '1');
    await until(has('wind/110/state 1'));
    await finish();
  });

  it('an MQTT broker that sends a message of more than 1 MiB counts as away until the next attempt', async () => {
    const { retain, finish } = open();
    await until(has('wind/availability online'));
    broker.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    broker.write(Buffer.alloc(2 ** 21));
    await reconnect();
    retain('wind/110/state', '1');
    await until(has('wind/110/state 1'));
    await finish();
    expect(io.err()).toMatch(/1 MiB.*newest state/);
  });

  it('vane watch waits for an MQTT broker for at most 10 s when the watch ends', async () => {
    const { retain, finish } = open();
    await until(has('wind/availability online'));
    broker.acknowledges = false;
    retain('wind/110/state', '1');
    const end = finish();
    await until(has('wind/availability offline'));
    clock.advance(9999);
    expect(clock.sleepers).toBe(1);
    clock.advance(1);
    await expect(end).rejects.toThrow(/^2 messages .*MQTT broker /);
  });

  it('an MQTT broker that comes back within 10 s of the end of the watch still gets the newest state', async () => {
    const { retain, finish } = open();
    let end = Promise.resolve();
    await away(() => {
      retain('wind/110/state', '1');
      end = finish();
    });
    await end;
    expect(arrived()).toEqual(['wind/availability offline', 'wind/110/state 1']);
    expect(notes().at(-1)).toMatch(/^Connected .*MQTT broker .* again/);
  });
});
