import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as realSleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import {
  BrokenResponseError,
  InterruptedError,
  NotFoundError,
  UnavailableError,
} from '../../../src/errors.ts';
import { abortable } from '../../../src/io.ts';
import { startServer } from '../../../src/server/server.ts';
import { liveDiskCache } from '../../../src/service/disk/liveCache.ts';
import { httpService } from '../../../src/service/http/http.ts';
import { createRequestCounters, type StationService } from '../../../src/service/service.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { diskCacheIn } from '../../support/disk-cache.ts';
import { fixtureService, LIVE_PROVENANCE, NOW } from '../../support/fixture-service.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { clockFor, scripted, station, watching } from '../../support/watching.ts';

const MINUTE = 60_000;
const LINE = ['--line', '{time} {id} {avg} {max} {age} {event}'];

/** A measurement every four minutes, as stations send them. */
const latest = (now: number): number => NOW + Math.floor((now - NOW) / (4 * MINUTE)) * 4 * MINUTE;

const unavailable = (): never => {
  throw new UnavailableError('it responded with 500');
};

describe('an hour of vane watch with faults', () => {
  it('vane watch survives an outage, a restart, a frozen sensor, duplicates and late measurements within an hour', async () => {
    const clock = virtualClock(NOW + 1000);
    const minute = () => Math.floor((clock.now() - NOW) / MINUTE);
    const service = scripted(() => {
      const at = minute();
      if (at >= 10 && at < 14) return unavailable();
      // After its restart the service has no station, then the measurements of an hour ago.
      if (at === 30) return [];
      if (at === 31) return [station({ id: 110, timeMs: NOW - 60 * MINUTE, avg: 3 })];
      const timeMs = latest(clock.now());
      const late = at === 42 ? NOW + 33 * MINUTE : undefined;
      return [
        station({ id: 110, timeMs: late ?? timeMs, avg: 20 + ((late ?? timeMs) - NOW) / MINUTE }),
        station({ id: 603, timeMs, avg: 12, heading: 90 }),
      ];
    });
    const args = ['110', '603', ...LINE, '--when', 'avg > 40kmh', '--duration', '1h'];
    const { code, out, err } = await watching(args, { service, clock });
    expect(out).toMatchSnapshot('stdout');
    const lines = err.split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(naming('Data: ', 'https://example.org/data-licensing'));
    expect(lines[1]).toMatch(naming('2024-01-15T12:10:01.000Z', 500));
    expect(lines[2]).toMatch(naming('2024-01-15T12:14:01.000Z', '4 failed polls'));
    expect(code).toBe(0);
    expect(service.requested).toHaveLength(60);
  });
});

/** Runs a watch of station 110 with one of `averages` as its mean wind each minute. */
async function ofAverages(averages: readonly (number | null)[], flags: readonly string[]) {
  const clock = virtualClock(NOW);
  const service = scripted(() => {
    const minute = Math.floor((clock.now() - NOW) / MINUTE);
    const avg = averages[Math.min(minute, averages.length - 1)] ?? null;
    return [station({ timeMs: NOW + minute * MINUTE, avg, max: avg })];
  });
  const args = ['110', '--line', '{time} {event}', '--count', String(averages.length), ...flags];
  const { out, ...rest } = await watching(args, { service, clock });
  const events = out.split('\n').filter((line) => /[a-z]/.test(line));
  return { events: events.map((line) => line.slice(3).replace(':00', '')), ...rest };
}

describe('the alerts of vane watch', () => {
  it.each([
    [
      'begins when its condition becomes true, and ends when it becomes false',
      [10, 20, 20, 10, 20],
      [],
      ['01 true', '03 false', '04 true'],
    ],
    [
      'neither begins nor ends at a measurement without the value of its condition',
      [20, null, null, 10],
      [],
      ['00 true', '03 false'],
    ],
    [
      'with --for 2m begins once its condition was true for 2 minutes',
      [20, 20, 10, 20, 20, 20, 10],
      ['--for', '2m'],
      ['05 true', '06 false'],
    ],
    [
      'with --for 2m begins the 2 minutes anew after a measurement without the value of its condition',
      [20, null, 20, 20, 20],
      ['--for', '2m'],
      ['04 true'],
    ],
    [
      'with --hysteresis 2kmh ends once the speed is 2 km/h below the bound of its condition',
      [16, 14, 13.5, 16, 12.9, 14, 15.1],
      ['--hysteresis', '2kmh'],
      ['00 true', '04 false', '06 true'],
    ],
    [
      'with --cooldown 6m does not begin again within 6 minutes',
      [20, 10, 20, 10, 10, 20, 20],
      ['--cooldown', '6m'],
      ['00 true', '01 false', '06 true'],
    ],
  ])('an alert of vane watch %s', async (_, averages, flags, expected) => {
    const { events } = await ofAverages(averages, ['--when', 'avg > 15kmh', ...flags]);
    expect(events).toEqual(expected);
  });

  it('vane watch reports a station whose measurements stop once, and again the next time they stop', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() => {
      const minute = (clock.now() - NOW) / MINUTE;
      if (minute > 20 && minute < 30) return unavailable();
      return [station({ timeMs: minute < 60 ? NOW : NOW + 60 * MINUTE })];
    });
    const args = ['110', '--line', '{event}', '--duration', '3h', '--when', 'avg > 90kmh'];
    const { out } = await watching([...args, '-q'], { service, clock });
    expect(out.split('\n').filter(Boolean)).toEqual(['stale', 'stale']);
  });

  it('vane watch reports stale measurements even while the service is down', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() =>
      clock.now() > NOW ? unavailable() : [station({ timeMs: NOW })],
    );
    const args = ['110', '-f', 'ndjson', '--duration', '1h', '--when', 'age > 90m'];
    const { out } = await watching(args, { service, clock });
    const [, event] = out.trim().split('\n');
    expect(JSON.parse(event ?? '')).toMatchObject({
      event: 'stale',
      condition: 'age > 90m',
      date: '2024-01-15T12:46:00.000Z',
      age_s: 46 * 60,
    });
  });

  it('vane watch reports a station that is stale at the start only if the command names the station', async () => {
    const service = scripted(() => [1, 2].map((id) => station({ id, timeMs: NOW - 90 * MINUTE })));
    const line = ['--line', '{id} {event}', '--when', 'avg > 90kmh', '--count', '2'];
    expect((await watching(['all', ...line], { service })).out).toBe('1 \n2 \n');
    const named = await watching(['1', ...line], { service });
    expect(named.out).toBe('1 \n1 stale\n');
  });

  it('vane watch does not alert for wind older than 45 minutes', async () => {
    const service = scripted(() => [station({ timeMs: NOW - 46 * MINUTE, avg: 90 })]);
    const { out } = await watching(
      ['all', '--line', '{event}', '--when', 'avg > 15kmh', '--count', '2'],
      { service },
    );
    expect(out).toBe('\n');
  });

  it('an alert of vane watch rings the bell where stderr is a terminal and no screen is shown', async () => {
    const service = scripted(() => [station({ timeMs: NOW, name: 'Col\u001b[2J du Vent' })]);
    const { err } = await watching(['110', '--when', 'avg > 15kmh', '--count', '1'], {
      service,
      stderrTerminal: { columns: 80 },
    });
    expect(err).toContain('\u0007\r\u001b[K12:00:00 Col␛[2J du Vent: avg > 15kmh is true\n');
  });

  it('an event that vane watch --events prints on the terminal rings the bell and gets no second line', async () => {
    const service = scripted(() => [station({ timeMs: NOW })]);
    const line = ['110', '--when', 'avg > 15kmh', '--count', '1', '--events', '--line', '{event}'];
    const terminals = { stderrTerminal: { columns: 80 }, stdoutTerminal: { columns: 80 } };
    const { out, err } = await watching(line, { service, ...terminals });
    expect([out, err.includes('\u0007'), err.includes('avg > 15kmh')]).toEqual([
      'true\n',
      true,
      false,
    ]);
  });
});

describe('vane watch', () => {
  it('vane watch passes the command of --exec the event in its environment and as json on its stdin', async () => {
    const name = 'Col "du" $(touch pwned) `id`\n; \u0000 \'Vent\'';
    const service = scripted(() => [station({ timeMs: NOW - MINUTE, avg: 27.78, name })]);
    const command = `node -e "
      const { env } = process;
      const told = Object.entries(env).filter(([key]) => /^VANE_/.test(key)).sort();
      console.log(JSON.stringify(Object.fromEntries(told)));
      process.stdin.pipe(process.stdout)"`;
    const args = ['110', '--when', 'avg > 10kn', '--knots', '--count', '1', '--exec', command];
    const { err, out } = await watching(args, {
      service,
      clock: clockFor(),
      env: { PATH: process.env.PATH },
    });
    const [, variables = '', input = ''] = err.trim().split('\n');
    expect(JSON.parse(variables)).toEqual({
      VANE_EVENT: 'true',
      VANE_CONDITION: 'avg > 10kn',
      VANE_STATION: '110',
      VANE_NAME: name.replace('\n', ' ').replace('\u0000', ' '),
      VANE_DATE: '2024-01-15T11:59:00.000Z',
      VANE_AVG: '15',
      VANE_GUST: '20.4',
      VANE_LULL: '7.5',
      VANE_MAX: '20.4',
      VANE_MIN: '7.5',
      VANE_UNIT: 'kn',
      VANE_DIR: '270',
      VANE_POINT: 'W',
      VANE_AGE: '60',
      VANE_STATE: 'on',
      VANE_GUST_FACTOR: '1.36',
      VANE_TREND: '',
      VANE_ATTRIBUTION: LIVE_PROVENANCE.attribution,
      VANE_LICENSE: LIVE_PROVENANCE.license,
    });
    expect(JSON.parse(input).station.meta.name).toBe(name);
    expect(out.trim().split('\n')[1]).toBe(input);
    expect(existsSync('pwned')).toBe(false);
  });

  it('vane watch reports a failure of the command of --exec, and goes on', async () => {
    const clock = clockFor();
    const service = scripted(() => [
      station({ timeMs: clock.now(), avg: clock.now() > NOW ? 10 : 20 }),
    ]);
    const args = ['110', '--when', 'avg > 15kmh', '--count', '3', '--line', '{event}'];
    const { code, out, err } = await watching([...args, '--exec', 'echo no luck >&2; exit 3'], {
      service,
      clock,
      env: { PATH: process.env.PATH },
    });
    expect([code, out]).toEqual([0, '\ntrue\n\nfalse\n\n']);
    expect(err.split('\n').filter((line) => line.startsWith('--exec'))).toEqual([
      '--exec ended with code 3: no luck',
      '--exec ended with code 3: no luck',
    ]);
  });

  it('vane watch runs --exec for an alert even if the record of the alert cannot be written', async () => {
    const clock = clockFor();
    const { code, err } = await watching(
      ['110', '--when', 'avg > 15kmh', '--exec', 'echo rang', '--line', '{event}'],
      {
        service: scripted(() => [station({ timeMs: NOW })]),
        clock,
        env: { PATH: process.env.PATH },
        prepare(io) {
          io.stdout.write = ((_: string, done: (error: Error) => void) =>
            done(Object.assign(new Error('full'), { code: 'ENOSPC' }))) as typeof io.stdout.write;
          io.stdout.on('error', () => {});
        },
      },
    );
    expect([code, err.split('\n')[1]]).toEqual([1, 'rang']);
  });

  it('vane watch ends at the first signal while the reader of its output has stopped reading', async () => {
    const clock = virtualClock(NOW);
    const { code } = await watching(['110', '--line', '{id}'], {
      service: scripted(() => [station({ timeMs: NOW })]),
      clock,
      prepare(io) {
        io.stdout.write = (() => false) as typeof io.stdout.write;
        clock.at(NOW + 5000, () => io.interrupt(new InterruptedError('SIGTERM')));
      },
    });
    expect(code).toBe(143);
  });

  it('vane watch reports a station as stale if the service never responded', async () => {
    const args = ['110', '--when', 'avg > 15kmh', '--duration', '2h', '--line', '{name} {event}'];
    const { out } = await watching(args, { service: scripted(unavailable) });
    expect(out).toBe('Station 110 stale\n');
  });

  it('vane watch goes on after a first response that was cut short', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() => {
      if (clock.now() === NOW) throw new BrokenResponseError('It is cut short.');
      return [station({ timeMs: NOW })];
    });
    const { code, out } = await watching(['110', '--line', '{id}', '--count', '2'], {
      service,
      clock,
    });
    expect([code, out]).toEqual([0, '110\n']);
  });

  it.each([
    ['left the selection', (minute: number) => minute > 0 && minute < 30, ['--state', 'on']],
    ['had no measurement for an hour', (minute: number) => minute > 0 && minute < 60, []],
  ])('vane watch begins the time of --for anew after a station %s', async (_, isAway, flags) => {
    const clock = virtualClock(NOW);
    const service = scripted(() => {
      const minute = (clock.now() - NOW) / MINUTE;
      if (isAway(minute) && flags.length === 0) return unavailable();
      return [station({ timeMs: clock.now(), state: isAway(minute) ? 'off' : 'on' })];
    });
    const line = ['--line', '{time} {event}', '--duration', '2h', '-q', ...flags];
    const { out } = await watching(['110', '--when', 'avg > 15kmh', '--for', '10m', ...line], {
      service,
      clock,
    });
    const alerted = out.split('\n').find((record) => record.endsWith('true'));
    expect(alerted).toBe(flags.length === 0 ? '13:10:00 true' : '12:40:00 true');
  });

  /** A watch of station 110, which had these averages every four minutes, and the last ever since. */
  const withHour = (averages: readonly number[]) => {
    const clock = virtualClock(NOW);
    const timeOf = (place: number) => NOW - (averages.length - 1 - place) * 4 * MINUTE;
    const service = scripted(() => [
      station({ timeMs: clock.now(), avg: averages.at(-1) ?? null }),
    ]);
    const rows = averages.map((avg, place): ArchiveRow => {
      const time = new Date(timeOf(place)).toISOString();
      return [time, 1, 1, avg - 5, avg, avg + 5, 270, null];
    });
    const archive: StationService['archive'] = async (id, period) => ({
      ...(await service.archive(id, period)),
      rows: ArchiveLines.ofRows(rows),
    });
    return { clock, service: { ...service, archive } };
  };

  it.each([
    [
      'begins at the first poll where the last hour held for as long',
      [9, 20, 20, 20, 20],
      '12:00:00 true',
    ],
    ['counts the part of the last hour in which it held', [20, 9, 20, 20], '12:06:00 true'],
    [
      'counts from the first poll where the last hour ended otherwise',
      [20, 20, 9, 20],
      '12:10:00 true',
    ],
  ])('vane watch in a pipe with --for 10m %s', async (_, averages, expected) => {
    const line = ['--line', '{time} {event}', '--duration', '20m', '-q', '--events'];
    const { out } = await watching(['110', '--when', 'avg > 15kmh', '--for', '10m', ...line], {
      ...withHour(averages),
    });
    expect(out.trim()).toBe(expected);
  });

  it('vane watch with --for and --no-history does not look back', async () => {
    const line = ['--line', '{time} {event}', '--duration', '20m', '-q', '--events'];
    const args = ['110', '--when', 'avg > 15kmh', '--for', '10m', '--no-history', ...line];
    const { out } = await watching(args, withHour([20, 20, 20, 20]));
    expect(out.trim()).toBe('12:10:00 true');
  });

  it('the watch screen compares the first measurement with the last one of the hour that was loaded', async () => {
    const { out } = await watching(['110', '--duration', '5s', '--no-color'], {
      ...withHour([12, 14.5, 20]),
      stdoutTerminal: { columns: 100, rows: 12 },
    });
    expect(out.slice(out.lastIndexOf('vane watch ·'))).toMatch(/Station 110 +20\.0 +\+5\.5 /);
  });

  it('the screen of vane watch shows the trend as soon as the last hour arrives, before the next second', async () => {
    const { clock, service } = withHour([12, 14.5, 20]);
    const archive: StationService['archive'] = async (...request) => {
      await clock.sleep(1300);
      return service.archive(...request);
    };
    const frames: string[] = [];
    await watching(['110', '--duration', '5s', '--no-color'], {
      ...{ clock, service: { ...service, archive } },
      stdoutTerminal: { columns: 100, rows: 12 },
      prepare: (io) => {
        for (const ms of [1200, 1900]) clock.at(NOW + ms, () => frames.push(io.out()));
      },
    });
    expect(frames.map((text) => text.includes('+5.5'))).toEqual([false, true]);
  });

  it('vane watch writes a measurement as new even if the archive had it earlier', async () => {
    const clock = virtualClock(NOW);
    const newer = station({ timeMs: NOW - 1000, avg: 33 });
    const older = station({ timeMs: NOW - 4 * MINUTE, avg: 20 });
    const service = scripted(() => [clock.now() === NOW ? older : newer]);
    const readings: ArchiveRow[] = [
      [older.measurements.date as string, 1, 1, 10, 20, 30, 270, null],
      [newer.measurements.date as string, 1, 1, 16.5, 33, 43, 270, null],
    ];
    const archive: StationService['archive'] = async (id, period) => ({
      ...(await fixtureService.archive(id, period)),
      rows: ArchiveLines.ofRows(readings),
    });
    const args = ['110', '--line', '{avg} {trend}', '--count', '2'];
    const { out } = await watching(args, { service: { ...service, archive }, clock });
    expect(out).toBe('20 –\n33 –\n');
  });

  it('vane watch records a measurement again, and checks --when, once the service has the missing values of it', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() => [
      station({ timeMs: NOW, avg: clock.now() === NOW ? null : 50 }),
    ]);
    const args = ['110', '--line', '{avg} {event}', '--when', 'avg > 15kmh', '--count', '2'];
    expect((await watching(args, { service, clock })).out).toBe('– \n50 true\n');
  });

  it('vane watch --until ends when the condition is true', async () => {
    const { events, code } = await ofAverages([10, 10, 20, 20], ['--until', 'avg > 15kmh']);
    expect([events, code]).toEqual([['02 true'], 0]);
  });

  it.each([
    ['--duration 3m', '--duration'],
    ['--count 3', '--count'],
    ['--count 3 --duration 1h', '--count'],
    ['--count 9 --duration 3m', '--duration'],
  ])(
    'vane watch --until with %s exits with 7 and says that %s ended the watch',
    async (flags, end) => {
      const service = scripted(() => [station({ timeMs: NOW })]);
      const args = ['110', '--until', 'avg > 90kmh', ...flags.split(' ')];
      const { code, message } = await watching(args, { service });
      expect(message).toMatch(naming('“avg > 90kmh”', end));
      expect(code).toBe(7);
    },
  );

  it.each([
    ['one station', ['110'], 'live 110'],
    ['fifty stations', Array.from({ length: 50 }, (_, i) => String(i + 1)), 'live all'],
    ['a selection', ['--name', 'station'], 'live all'],
  ])('vane watch of %s sends one request a minute', async (_, stations, request) => {
    const clock = virtualClock(NOW);
    const ids = [110, ...Array.from({ length: 50 }, (_, i) => i + 1)];
    const service = scripted(() => ids.map((id) => station({ id, timeMs: latest(clock.now()) })));
    await watching([...stations, '--duration', '20m', ...LINE], { service, clock });
    expect(service.requested).toEqual(Array(20).fill(request));
  });

  it('vane watch polls at full minutes, however long responses take', async () => {
    const clock = virtualClock(NOW);
    const times: number[] = [];
    const service = {
      async live() {
        times.push((clock.now() - NOW) / 1000);
        await clock.sleep(times.length === 3 ? 70_000 : 7000);
        return unavailable();
      },
    };
    await watching(['110', '--count', '5', '--interval', '60s'], { service, clock });
    expect(times).toEqual([0, 60, 120, 240, 300]);
  });

  it('vane watch does not make up for polls that the machine slept through', async () => {
    const clock = virtualClock(NOW);
    const times: number[] = [];
    const service = scripted(() => {
      times.push((clock.now() - NOW) / 1000);
      return [station({ timeMs: NOW })];
    });
    clock.at(NOW + 90_000, () => clock.skip(3 * 3_600_000 + 5000));
    await watching(['110', '--count', '4'], { service, clock });
    expect(times).toEqual([0, 60, 10_925, 10_980]);
  });

  it('vane watch goes on polling at once after the clock was set back', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() => [station({ timeMs: NOW })]);
    clock.at(NOW + 90_000, () => clock.skip(-3_600_000));
    await watching(['110', '--count', '4'], { service, clock });
    expect(clock.now()).toBe(NOW - 3_600_000 + 180_000);
  });

  it('vane watch skips polls for as long as Retry-After says', async () => {
    const clock = virtualClock(NOW);
    const times: number[] = [];
    const service = {
      async live() {
        times.push((clock.now() - NOW) / 1000);
        throw new UnavailableError('later', { retryAfterMs: 150_000 });
      },
    };
    const { code } = await watching(['110', '--max-failures', '7'], { service, clock });
    expect(times).toEqual([0, 180, 360]);
    expect(code).toBe(5);
  });

  it.each([
    ['--count 3', '3 polls'],
    ['--duration 2m', '2 polls'],
    ['--count 1', 'only poll'],
    ['--count 3 --until avg>15kn', '3 polls'],
  ])(
    'vane watch exits with 5 at the end of %s if no poll succeeded, and names %s',
    async (line, polls) => {
      const { code, message } = await watching(['110', ...line.split(' ')], {
        service: scripted(unavailable),
      });
      expect([code, message]).toEqual([5, expect.stringMatching(naming(polls, 500))]);
    },
  );

  it('vane watch exits with 5 after --max-failures failed polls in a row', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() =>
      (clock.now() - NOW) / MINUTE === 1 ? [station({ timeMs: NOW })] : unavailable(),
    );
    const { code, message } = await watching(['110', '--max-failures', '2'], { service, clock });
    expect([code, message]).toEqual([5, expect.stringMatching(naming('2 polls in a row', 500))]);
    expect(service.requested).toHaveLength(4);
  });

  it('vane watch ends if the first response lacks a named station, and goes on if a later response lacks one', async () => {
    const gone = () => {
      throw new NotFoundError('Station 110 is not known.');
    };
    const first = await watching(['110'], { service: scripted(gone) });
    expect([first.code, first.message]).toEqual([3, expect.stringContaining('Station 110')]);
    const several = await watching(['1', '2', '3'], {
      service: scripted(() => [station({ id: 2, timeMs: NOW })]),
    });
    expect(several.message).toMatch(naming('1, 3', 'http://wind.example'));
    const clock = virtualClock(NOW);
    const later = scripted(() => (clock.now() > NOW ? gone() : [station({ timeMs: NOW })]));
    expect((await watching(['110', '--count', '3'], { service: later, clock })).code).toBe(0);
  });

  it('vane watch ends at a signal with the exit code of that signal', async () => {
    const clock = virtualClock(NOW);
    const { code } = await watching(['110'], {
      service: scripted(() => [station({ timeMs: NOW })]),
      clock,
      prepare: (io) => clock.at(NOW + 90_000, () => io.interrupt(new InterruptedError('SIGTERM'))),
    });
    expect(code).toBe(143);
    expect(clock.sleepers).toBe(0);
  });

  /** The exit code and message of a watch that the key `q` ends after a minute and a half. */
  async function quitting(live: StationService['live'], ...more: readonly string[]) {
    const clock = virtualClock(NOW);
    const { code, message } = await watching(['110', '--no-history', ...more], {
      service: { live },
      clock,
      stdoutTerminal: { columns: 80, rows: 24 },
      prepare: (io) => {
        const listen = (onKey: (key: string) => void) => {
          clock.at(NOW + 90_000, () => onKey('q'));
          return () => {};
        };
        Object.assign(io, { keyboard: { listen, suspend() {} } });
      },
    });
    return [code, message];
  }

  it('vane watch ends at the key q with 5 where no poll succeeded, and with 0 where one did', async () => {
    const down = async () => unavailable();
    const failed = [5, expect.stringMatching(naming('2 polls', 500))];
    expect(await quitting(down)).toEqual(failed);
    expect(await quitting(down, '--until', 'avg > 1kn')).toEqual(failed);
    const silent: StationService['live'] = (_, { signal }) =>
      abortable(new Promise(() => {}), signal as AbortSignal);
    expect(await quitting(silent)).toEqual([5, expect.stringMatching(/before the first response/)]);
    const up = scripted(() => [station({ timeMs: NOW })]);
    expect(await quitting(up.live)).toEqual([0, '']);
    const early = [130, 'Stopped before “avg > 99kn” became true.'];
    expect(await quitting(up.live, '--until', 'avg > 99kn')).toEqual(early);
  });

  const AT_ONE_POLL = ['--duration', '5s'];
  /** At the second poll the station with the strongest wind is gone. */
  const AT_TWO_POLLS = ['--count', '2'];

  /** The ids of the last frame, in its order, after some keys. */
  async function idsAfter(args: readonly string[], keys: readonly string[] = []) {
    const clock = virtualClock(NOW);
    const averages = [10, 40, 20, 30, 50];
    const { out } = await watching([...args, '--no-history', '--no-color'], {
      service: scripted(() => {
        const stations = averages.map((avg, id) => station({ id, avg, timeMs: NOW + id }));
        return clock.now() === NOW ? stations : stations.slice(0, -1);
      }),
      clock,
      stdoutTerminal: { columns: 120, rows: 24 },
      prepare: (io) => {
        const listen = (onKey: (key: string) => void) => {
          for (const key of keys) clock.at(NOW + 2000, () => onKey(key));
          return () => {};
        };
        Object.assign(io, { keyboard: { listen, suspend() {} } });
      },
    });
    const frame = out.slice(out.lastIndexOf('vane watch ·'));
    return [...frame.matchAll(/Station (\d) {2}/g)].map(([, id]) => id).join('');
  }

  it('vane watch shows stations with an alert first on its screen, then the others by --sort, and stations that are gone last', async () => {
    const alert = ['--when', 'avg in 15kmh..35kmh'];
    expect(await idsAfter(AT_ONE_POLL)).toBe('01234');
    expect(await idsAfter([...alert, ...AT_ONE_POLL])).toBe('23014');
    expect(await idsAfter(['--sort', 'avg', ...AT_ONE_POLL])).toBe('41320');
    expect(await idsAfter([...alert, '--sort', 'avg', ...AT_TWO_POLLS])).toBe('32104');
  });

  it('vane watch changes the order on its screen at the key s to the next value of --sort, and after the last to the first', async () => {
    expect(await idsAfter(AT_ONE_POLL, ['s', 's'])).toBe('41320');
    expect(await idsAfter(AT_ONE_POLL, Array(5).fill('s'))).toBe('43210');
    expect(await idsAfter(AT_ONE_POLL, Array(7).fill('s'))).toBe('01234');
    const others = ['x', 'constructor', '?', 'j', 'end', '?'];
    expect(await idsAfter(['--sort', 'avg', ...AT_ONE_POLL], others)).toBe('41320');
  });

  it('vane watch filters by a text of emoji and accents, and Backspace removes one character as people see it', async () => {
    const find = (...keys: string[]) => idsAfter(AT_ONE_POLL, ['/', ...keys, '\r']);
    expect(await find('😀')).toBe('');
    expect(await find('😀', '\u007f', '4')).toBe('4');
    expect(await find('e', '\u0301', '\b', '3')).toBe('3');
    expect(await find('Ó', 'n', '\u007f', '\u007f', 'o', 'n', ' ', '2')).toBe('2');
  });

  it('vane watch requests the last 24 hours of an opened station again with each new measurement of it', async () => {
    const clock = virtualClock(NOW);
    const service = scripted(() =>
      [110, 603].map((id) => station({ id, timeMs: id === 110 ? latest(clock.now()) : NOW })),
    );
    await watching(['110', '603', '--no-history', '--duration', '9m'], {
      service,
      clock,
      stdoutTerminal: { columns: 80, rows: 24 },
      prepare: (io) => {
        const listen = (onKey: (key: string) => void) => {
          for (const key of ['home', '\r']) clock.at(NOW + 2000, () => onKey(key));
          return () => {};
        };
        Object.assign(io, { keyboard: { listen, suspend() {} } });
      },
    });
    const ofStations = service.requested.filter((request) => request !== 'live all');
    const once = ['live 110', 'archive 110'];
    expect(ofStations).toEqual([...once, ...once, ...once]);
  });

  const service = () => scripted(() => [110, 603].map((id) => station({ id, timeMs: NOW })));
  const terminal = { stdoutTerminal: { columns: 120, rows: 12 } };

  it.each([
    ['requests the last hour from the archive for its screen', ['110', '603'], terminal, 2],
    ['with --no-history requests no archive', ['110', '603', '--no-history'], terminal, 0],
    ['requests no archive for records without {trend}', ['110', '603'], {}, 0],
    [
      'requests the last hour from the archive for records with {trend}',
      ['110', '--line', '{trend}'],
      {},
      1,
    ],
    [
      'requests the last hour from the archive for posts with {trend}',
      ['110', '--post', 'http://127.0.0.1:1', '--when', 'avg > 999kn', '--post-text', '{trend}'],
      {},
      1,
    ],
    [
      'requests the last hour from the archive for a header of posts with {trend}',
      [
        '110',
        '--post',
        'http://127.0.0.1:1',
        '--when',
        'avg > 999kn',
        '--post-header',
        'A: {trend}',
      ],
      {},
      1,
    ],
    [
      'requests the last hour from the archive for a condition on the trend',
      ['110', '--when', 'trend > 5kn'],
      {},
      1,
    ],
  ])('vane watch %s', async (_, args, options, count) => {
    const one = service();
    await watching([...args, '--count', '1', '-q'], { service: one, ...options });
    expect(one.requested.filter((what) => what.startsWith('archive'))).toHaveLength(count);
  });

  it('vane watch knows the trend in its first record', async () => {
    const { out } = await watching(['110', '--line', '{trend}', '--count', '1'], {
      service: service(),
    });
    expect(out).toMatch(/^[+-]?\d+\.\d\n$/);
  });

  it('vane watch reports a failed request for the last hour from the archive, and goes on without a trend', async () => {
    const failing = { ...service(), archive: async () => unavailable() };
    const { out, err } = await watching(['110', '--line', '{id} {trend}', '--count', '1'], {
      service: failing,
    });
    expect(out).toBe('110 –\n');
    expect(err).toMatch(naming('Station 110', 'trend', 500));
  });

  const wrong: [flags: string[], names: RegExp][] = [
    [['--interval', '59s'], naming('--interval', '60s', '59s')],
    [['--when', 'avg > 15'], naming('--when', '“15”', 'unit')],
    [['--until', 'avg'], naming('--until', 'avg')],
    [['--for', '5m'], naming('--for', '--when', '--until')],
    [['--exec', 'true'], naming('--exec', '--when', '--until')],
    [['--when', 'avg > 1kn', '--hysteresis', '2'], naming('--hysteresis', 'unit', '“2”')],
    [['--line', '{nme}'], naming('--line', '{nme}')],
    [['-o', 'wind.csv.gz'], naming('.gz')],
    [['-o', 'wind.doc'], naming('“wind.doc”', '.csv', '.txt', '.ndjson', '.lp', '--format')],
    [['--count', '0'], naming('--count', 1, '“0”')],
  ];
  it.each(wrong.map(([flags, names]) => [flags.join(' '), names, flags] as const))(
    'vane watch refuses the options “%s” with an error that names %s',
    async (_, names, flags) => {
      const { code, err } = await vane(['watch', '110', ...flags]);
      expect(err).toMatch(names);
      expect(code).toBe(2);
    },
  );

  it('vane watch marks the mistake in the error for a wrong condition', async () => {
    const { err } = await vane(['watch', '110', '--when', 'avg > 15kn and gst > 5kn']);
    expect(err.split('\n').slice(1)).toEqual([
      '  avg > 15kn and gst > 5kn',
      '                 ^',
      '',
    ]);
  });
});

describe('two processes of vane watch of one user', () => {
  it.each([
    ['that start together', 0],
    ['that start 20 s apart', 20_000],
  ])(
    'two processes of vane watch of one user %s send one request a minute in all',
    async (_, apartMs) => {
      const folder = await mkdtemp(join(tmpdir(), 'vane-shared-'));
      let underWay = 0;
      const clock = virtualClock(NOW, () => underWay === 0);
      const requests: string[] = [];
      const server = await startServer({
        service: fixtureService,
        host: '127.0.0.1',
        port: 0,
        now: clock.now,
        onRequest: ({ url }) => requests.push(url),
      });
      const http = httpService({
        baseUrl: server.baseUrl,
        timeoutMs: 10_000,
        retries: 0,
        userAgent: 'test',
        proxyEnv: {},
        now: clock.now,
        sleep: clock.sleep,
        random: () => 0,
        counters: createRequestCounters(),
      });
      /** The service of another process, which shares nothing but the folder. */
      const openService = (): Partial<StationService> => {
        const recent = liveDiskCache(http, {
          cache: diskCacheIn(folder, { now: clock.now }),
          baseUrl: server.baseUrl,
          now: clock.now,
          sleep: (ms) => realSleep(ms / 10),
          refresh: false,
          timeoutMs: 10_000,
        });
        const live: StationService['live'] = (station, options) => {
          underWay++;
          return recent.live(station, options).finally(() => underWay--);
        };
        return { live };
      };
      const one = (service: Partial<StationService>) =>
        watching(['110', '--line', '{id}', '--duration', '30m'], {
          service,
          clock,
          letTimePass: false,
        });
      const both = async () => [
        one(openService()),
        clock.sleep(apartMs).then(() => one(openService())),
      ];
      const outcomes = await clock.run(both().then((watches) => Promise.all(watches)));
      await http.close();
      await server.close();
      await rm(folder, { recursive: true });
      expect(outcomes.map(({ code, out }) => [code, out])).toEqual([
        [0, '110\n'],
        [0, '110\n'],
      ]);
      expect(requests).toEqual(Array(30).fill('/v1/live/110'));
    },
  );
});

it('a single vane watch sends a request at each poll, however slow its cache files are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vane-alone-'));
  let underWay = 0;
  const clock = virtualClock(NOW, () => underWay === 0);
  let requested = 0;
  let hits = 0;
  // The clock moves on by a few milliseconds at each call.
  const now = (): number => {
    clock.skip(hits++ % 5);
    return clock.now();
  };
  const recent = liveDiskCache(
    {
      ...fixtureService,
      async live(id, options) {
        requested++;
        clock.skip(150);
        return fixtureService.live(id, options);
      },
    },
    {
      cache: diskCacheIn(folder, { now }),
      baseUrl: 'http://a',
      now,
      sleep: clock.sleep,
      refresh: false,
      timeoutMs: 10_000,
    },
  );
  const live: StationService['live'] = (id, options) => {
    underWay++;
    return recent.live(id, options).finally(() => underWay--);
  };
  await watching(['110', '--count', '20', ...LINE], { service: { live }, clock });
  await rm(folder, { recursive: true });
  expect(requested).toBe(20);
});
