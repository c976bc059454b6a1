import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mqttSink } from '../../../../src/commands/watch/mqtt/mqttSink.ts';
import { createWatchStore } from '../../../../src/commands/watch/watchStore.ts';
import type { Station } from '../../../../src/domain/station.ts';
import type { AlertEventKind } from '../../../../src/domain/watching/alert.ts';
import type { WatchRecord } from '../../../../src/formats/format.ts';
import { createReporter } from '../../../../src/output/reporter.ts';
import { type FakeBroker, startFakeBroker } from '../../../support/fake-broker.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { NOW } from '../../../support/fixture-service.ts';
import { handClock } from '../../../support/hand-clock.ts';
import { until } from '../../../support/until.ts';
import { scripted, station, watching } from '../../../support/watching.ts';

const MINUTE = 60_000;

/** A station without an alert. */
const UNALERTED = 603;

const CREDIT = { license: 'https://example.org/license', attribution: '(c) all \u202e"of" us' };

const record = (one: Station, kind?: AlertEventKind): WatchRecord => ({
  ...{ station: one, distanceKm: undefined, samples: [], now: NOW, credit: CREDIT },
  event: kind && { kind, condition: 'avg > 15kmh', atMs: NOW, sinceMs: NOW },
});

describe('vane watch --mqtt', () => {
  let broker: FakeBroker;
  beforeEach(async () => {
    broker = await startFakeBroker();
  });
  afterEach(() => broker.close());

  /** A sink, and `write`, which takes records and the stations that are shown, and waits for the broker. */
  function openSink({ withEvents = true, discovery = undefined as string | undefined } = {}) {
    const clock = handClock();
    const io = { ...fakeIo(), now: clock.now, sleep: clock.sleep };
    const store = createWatchStore();
    const target = {
      ...{ isTls: false, host: '127.0.0.1', port: broker.port, user: undefined },
      ...{ password: undefined, prefix: 'wind', discovery },
    };
    const style = { unit: 'kmh' as const, writeDate: (date: string) => date, withEvents };
    const sink = mqttSink(
      target,
      {
        style,
        baseUrl: undefined,
        intervalMs: MINUTE,
        hasAlert: (id) => withEvents && id !== UNALERTED,
      },
      {
        ...{ io, reporter: createReporter(io, { isQuiet: false, isVerbose: false }) },
        store,
      },
    );
    return {
      finish: sink.close,
      write(records: readonly WatchRecord[], stations: readonly Station[], isGone = false): void {
        store.update({
          stations: stations.map((one) => ({
            recent: { station: one, samples: [], before: undefined, isGone },
            ...{ distanceKm: undefined, condition: undefined, isAlerting: false },
          })),
        });
        sink.write(records);
      },
    };
  }

  /** Messages that arrived since the last call, once they are so many. */
  async function next(count: number): Promise<Record<string, string>> {
    await until(() => broker.published.length >= count);
    expect(broker.published).toHaveLength(count);
    return Object.fromEntries(
      broker.published.splice(0).map(({ topic, payload }) => [topic, payload]),
    );
  }

  it('vane watch --mqtt publishes license and attribution, and state, availability, alert and events of a station', async () => {
    const { write, finish } = openSink();
    const one = station({ timeMs: NOW });
    write([record(one)], [one]);
    const { 'wind/110/state': state, 'wind/attribution': source, ...first } = await next(5);
    expect(JSON.parse(state ?? '')).toEqual(one);
    expect(JSON.parse(source ?? '')).toEqual(CREDIT);
    expect(first).toEqual({
      'wind/availability': 'online',
      'wind/110/availability': 'online',
      'wind/110/alarm': 'OFF',
    });
    write([record(one, 'true')], [one]);
    const { 'wind/110/event': event, ...second } = await next(2);
    expect(JSON.parse(event ?? '')).toMatchObject({ event: 'true', station: one });
    expect(second).toEqual({ 'wind/110/alarm': 'ON' });
    write([record(one, 'stale'), record(one, 'false')], [one]);
    await until(() => broker.published.length === 3);
    const sent = broker.published.map(({ topic, payload }) => [topic, payload.slice(0, 17)]);
    expect(sent).toEqual([
      ['wind/110/event', '{"event":"stale",'],
      ['wind/110/event', '{"event":"false",'],
      ['wind/110/alarm', 'OFF'],
    ]);
    await finish();
  });

  it('vane watch --mqtt publishes no alert of a station without a condition, and announces none', async () => {
    const { write, finish } = openSink({ discovery: 'homeassistant' });
    const two = [110, UNALERTED].map((id) => station({ id, timeMs: NOW }));
    write(
      two.map((one) => record(one)),
      two,
    );
    const published = await next(9);
    const alarms = Object.keys(published).filter((topic) => topic.endsWith('/alarm'));
    expect(alarms).toEqual(['wind/110/alarm']);
    const announced = [110, UNALERTED].map((id) =>
      published[`homeassistant/device/vane_wind_${id}/config`]?.includes('/alarm"'),
    );
    expect(announced).toEqual([true, false]);
    await finish();
  });

  it('vane watch --mqtt publishes the availability “offline” of a station that is gone, no longer selected, or has old measurements', async () => {
    const { write, finish } = openSink({ withEvents: false });
    const one = station({ timeMs: NOW });
    const offline = { 'wind/110/availability': 'offline' };
    const online = { 'wind/110/availability': 'online' };
    write([record(one)], [one]);
    await next(4);
    write([], [one], true);
    expect(await next(1)).toEqual(offline);
    write([], [one]);
    expect(await next(1)).toEqual(online);
    write([], []);
    expect(await next(1)).toEqual(offline);
    write([], [one]);
    expect(await next(1)).toEqual(online);
    write([], [station({ timeMs: NOW - 45 * MINUTE - 1 })]);
    expect(await next(1)).toEqual(offline);
    await finish();
  });

  it('vane watch --mqtt announces a station to Home Assistant once, and again when its name changes', async () => {
    const { write, finish } = openSink({ withEvents: false, discovery: 'homeassistant' });
    const topic = 'homeassistant/device/vane_wind_110/config';
    const [one, renamed] = [station({ timeMs: NOW }), station({ timeMs: NOW, name: 'Dune' })];
    write([record(one)], [one]);
    const first = await next(5);
    expect(JSON.parse(first[topic] ?? '').device.name).toBe('Station 110');
    write([record({ ...one, status: { ...one.status, snr: 1 } })], [one]);
    expect(Object.keys(await next(1))).toEqual(['wind/110/state']);
    write([record(renamed)], [renamed]);
    const third = await next(2);
    expect(JSON.parse(third[topic] ?? '').device.name).toBe('Dune');
    await finish();
  });

  it('vane watch --mqtt publishes a hostile station name without control characters, and makes topics of the id alone', async () => {
    const { write, finish } = openSink({ discovery: 'homeassistant' });
    const name = `+/#\u0000\u001b[2J\r\n\u202e\u009b${'x'.repeat(100_000)}`;
    const one = station({ timeMs: NOW, name });
    write([record(one), record(one, 'true')], [one]);
    const messages = await next(7);
    expect(Object.keys(messages).join()).not.toMatch(/[+#x]/);
    for (const text of Object.values(messages))
      expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(messages['wind/110/state'] ?? '').meta.name).toBe(name);
    await finish();
  });

  it('vane watch --mqtt connects to no broker where a named station is unknown', async () => {
    const service = scripted(() => [station({ timeMs: NOW })]);
    const args = ['110', '999', '--mqtt', `mqtt://127.0.0.1:${broker.port}/wind`];
    const { code } = await watching(args, { service });
    expect(code).toBe(3);
    expect(broker.connections).toBe(0);
  });
});
