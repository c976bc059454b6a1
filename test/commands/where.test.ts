import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { formatNames, STATION_FORMATS } from '../../src/formats/index.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { ARCHIVE_PROVENANCE, NOW } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';
import { vane } from '../support/run.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { type Measured, scripted, station, watching } from '../support/watching.ts';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
});
afterAll(() => server.close());

const run = (...args: string[]) => vane([...args, '--base-url', server.baseUrl]);

describe('vane live --where', () => {
  it.each<[condition: string, flags: string, ids: number[]]>([
    ['avg > 10kmh', '', [7, 110]],
    ['avg = 10kn', '', [110]],
    ['gust in 15..20kn', '', [7]],
    ['lull > 5kmh', '', [110]],
    ['gust_factor < 1.5', '', [110]],
    ['dir in W..NW', '', [110]],
    ['age > 45m', '', [19, 1333]],
    ['state = unknown', '', [41]],
    ['avg > 1kn and dir = N', '', [7]],
    ['avg > 1kn or state = on', '', [7, 19, 110, 603, 1333]],
    // Unknown values do not match, whatever is said of them.
    ['not avg > 19kmh', '', [110]],
    ['avg < 100kn', '', [7, 110]],
    ['avg > 1kn', '110 603', [110]],
    ['avg > 1kn', '110', [110]],
    ['avg > 99kn', '110', []],
    ['avg > 1kn', '--sort avg --limit 1', [7]],
    ['avg > 1kn', '--state off', [7]],
    ['avg > 1kn', '--bbox -2,43,0,45', [110]],
    ['distance < 50', '--near 44.6,-1.2', [110]],
    ['distance in 50..1000km and avg > 1kn', '--near 44.6,-1.2', [7]],
    ['distance > 50', '--near 44.6,-1.2 --radius 1000', [7, 1333]],
  ])(
    'the condition “%s” of --where, added to `vane live %s`, selects the stations %j',
    async (condition, flags, ids) => {
      const words = flags.split(' ').filter((word) => word !== '');
      const { code, out } = await run('live', ...words, '--where', condition, '-f', 'ndjson');
      const lines = out.split('\n').filter((line) => line !== '');
      expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
      expect(code).toBe(0);
    },
  );

  it.each(formatNames(STATION_FORMATS))(
    'vane live --where selects the same stations as --name does, in the format %s',
    async (format) => {
      const chosen = await run('live', '--where', 'avg = 10kn', '-f', format);
      const byName = await run('live', '--name', 'dune', '-f', format);
      expect(chosen.out).toBe(byName.out);
      expect(chosen.out).toContain('Dune du Pilat');
    },
  );

  it('vane live --where exits with 0 when no station matches, and says so on stderr', async () => {
    const { code, out, err } = await run('live', '--where', 'avg > 99kn');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^No station .*\n/);
  });

  it('vane live --where says how many stations would match if wind older than 45 minutes counted', async () => {
    // Station 1333 measured 22 days ago.
    const { err } = await run('live', '--where', 'avg > 30kn');
    expect(err).toMatch(/^No station .*\b1 station\b.*45 minutes/);
    const young = await run('live', '--where', 'avg > 30kn and age < 1h');
    expect(young.err).toMatch(/^No station .*\n/);
    expect(young.err).not.toContain('45 minutes');
  });
});

describe('vane', () => {
  it('vane meta --where shows the stations whose wind matches the condition', async () => {
    server.requests.length = 0;
    const { out } = await run('meta', '--where', 'avg > 1kn', '-f', 'json');
    expect(JSON.parse(out).data.map(({ id }: { id: number }) => id)).toEqual([7, 110]);
    expect(server.requests).toEqual(['/v1/live-with-meta/all']);
  });

  it('vane archive --where chooses stations by their latest measurements', async () => {
    server.requests.length = 0;
    const hour = ['--start', '2024-01-15T11', '--stop', '2024-01-15T12'];
    const { code } = await run('archive', '--where', 'avg > 1kn', ...hour, '-f', 'ndjson');
    expect(server.requests.map((path) => path.split('?')[0])).toEqual([
      '/v1/live/all',
      '/v1/archive/7',
      '/v1/archive/110',
    ]);
    expect(code).toBe(0);
  });

  it.each(['live', 'meta', 'archive --start 3d'])(
    'vane %s --where refuses the field trend, which only vane watch knows',
    async (line) => {
      const condition = 'avg > 5kn and Trend > 5kn';
      const { code, out, err } = await run(...line.split(' '), '110', '--where', condition);
      expect(err).toMatch(naming('--where', '“trend”', 'vane watch'));
      expect(err).toContain(`\n  ${condition}\n                ^\n`);
      expect({ code, out }).toEqual({ code: 2, out: '' });
    },
  );

  it.each([
    ['live', '--where'],
    ['meta', '--where'],
    ['archive --start 3d', '--where'],
    ['watch', '--where'],
    ['watch', '--when'],
    ['watch', '--until'],
  ])('vane %s %s refuses the field distance without --near', async (line, flag) => {
    const { code, out, err } = await run(...line.split(' '), '110', flag, 'distance < 5');
    expect(err).toMatch(naming(flag, '“distance”', '--near', '\n  distance < 5\n  ^\n'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });
});

const MINUTE = 60_000;
const LINE = ['--line', '{time} {id} {event}'];

interface Script {
  /** The stations at each minute; the last stay. */
  readonly minutes: readonly (readonly Partial<Measured>[])[];
  readonly readings?: readonly ArchiveRow[];
  readonly columns?: number;
}

/** The lines of a watch of all stations, without seconds. */
async function watchAll(flags: readonly string[], { minutes, readings = [], columns }: Script) {
  const clock = virtualClock(NOW);
  const service = scripted(() => {
    const minute = Math.floor((clock.now() - NOW) / MINUTE);
    const stations = minutes[Math.min(minute, minutes.length - 1)] ?? [];
    return stations.map((one) => station({ timeMs: NOW + minute * MINUTE, ...one }));
  });
  const archive = async () => ({
    ...ARCHIVE_PROVENANCE,
    legend: [],
    units: [],
    rows: ArchiveLines.ofRows(readings),
  });
  const count = String(minutes.length);
  const { out, err } = await watching(['all', '--count', count, '-q', ...flags], {
    service: { ...service, archive },
    clock,
    ...(columns && { stdoutTerminal: { columns } }),
  });
  return {
    lines: out
      .replace(/^12:(\d\d):00/gm, '$1')
      .split('\n')
      .filter(Boolean),
    out,
    err,
  };
}

describe('vane watch --where', () => {
  const both = (avg: number, other: number) => [
    { id: 1, avg },
    { id: 2, avg: other },
  ];

  it('vane watch --where records a station at each poll at which the station matches', async () => {
    const minutes = [both(20, 10), both(10, 20), both(20, 20), both(10, 10)];
    const { lines } = await watchAll([...LINE, '--where', 'avg > 15kmh'], { minutes });
    expect(lines).toEqual(['00 1 ', '01 2 ', '02 1 ', '02 2 ']);
  });

  it('vane watch --where shows a station on the screen while the station matches', async () => {
    const minutes = [both(20, 10), both(10, 20)];
    const { out } = await watchAll(['--where', 'avg > 15kmh'], { minutes, columns: 80 });
    const [, last = ''] = out.split(/(?=[^\n]*12:01:00 UTC)/).slice(-2);
    expect(last).toContain('Station 2');
    expect(last).not.toContain('Station 1');
    expect(out).toContain('Station 1');
  });

  it('vane watch --where records a measurement of several polls once, at the first poll where its station matches', async () => {
    const minutes = [0, 1, 2, 3, 4, 5].map(() => [{ id: 1, timeMs: NOW }]);
    const { lines } = await watchAll([...LINE, '--where', 'age > 3m'], { minutes });
    expect(lines).toEqual(['00 1 ']);
    const { lines: ages } = await watchAll(['--line', '{age}', '--where', 'age > 3m'], { minutes });
    expect(ages).toEqual(['4 min']);
  });

  it('vane watch --where leaves out a station whose value for the condition is missing, also where the condition has “not”', async () => {
    const minutes = [[{ id: 1, avg: null }, { id: 2 }]];
    const { lines } = await watchAll([...LINE, '--where', 'not avg > 90kmh'], { minutes });
    expect(lines).toEqual(['00 2 ']);
  });

  it('vane watch --where lets --limit count only the stations that match', async () => {
    const minutes = [both(10, 20)];
    const flags = ['--where', 'avg > 15kmh', '--limit', '1'];
    expect((await watchAll([...LINE, ...flags], { minutes })).lines).toEqual(['00 2 ']);
  });

  it('vane watch --where computes the trend from earlier polls with --no-history', async () => {
    const minutes = Array.from({ length: 13 }, (_, minute) => both(20 + minute, 20));
    const flags = [...LINE, '--no-history', '--where', 'trend > 10kmh'];
    expect((await watchAll(flags, { minutes })).lines).toEqual(['10 1 ', '11 1 ', '12 1 ']);
  });

  it('vane watch --where computes the trend at the first poll from the archive, for records and the screen', async () => {
    const readings = [30, 20, 10].map((minutesAgo): ArchiveRow => {
      const date = new Date(NOW - minutesAgo * MINUTE).toISOString();
      return [date, 45, 6, 1, 20 - minutesAgo / 10, 30, 270, null];
    });
    const script = { minutes: [both(20, 10)], readings };
    const flags = ['--where', 'trend > 1kmh'];
    expect((await watchAll([...LINE, ...flags], script)).lines).toEqual(['00 1 ']);
    const { out } = await watchAll(flags, { ...script, columns: 80 });
    expect(out).toContain('Station 1');
    expect(out).not.toMatch(/Station 2|No station/);
  });

  it('vane watch --where begins alerts only at matching stations, and still ends the alert of a station that no longer matches', async () => {
    const west = { id: 1, heading: 270 };
    const east = { id: 2, heading: 90, avg: 40 };
    const minutes = [
      [{ ...west, avg: 40 }, east],
      [{ ...west, avg: 40, heading: 90 }, east],
      [{ ...west, avg: 10, heading: 90 }, east],
      [{ ...west, avg: 40, heading: 90 }, east],
    ];
    const flags = [...LINE, '--where', 'dir = W', '--when', 'avg > 30kmh'];
    expect((await watchAll(flags, { minutes })).lines).toEqual([
      '00 1 ',
      '00 1 true',
      '02 1 false',
    ]);
  });

  it('vane watch --where does not report a station as stale that never matched', async () => {
    const minutes = Array.from({ length: 50 }, () => [
      { id: 1, timeMs: NOW, avg: 20 },
      { id: 2, timeMs: NOW, avg: 10 },
    ]);
    const flags = ['--line', '{id} {event}', '--where', 'avg > 15kmh', '--when', 'avg > 90kmh'];
    expect((await watchAll(flags, { minutes })).lines).toEqual(['1 ', '1 stale']);
  });

  it('vane watch --where lets --when compare the distance from --near', async () => {
    const flags = [...LINE, '--near', '45,6', '--when', 'distance < 1 and avg > 15kmh'];
    expect((await watchAll(flags, { minutes: [both(20, 10)] })).lines).toEqual([
      '00 1 ',
      '00 1 true',
      '00 2 ',
    ]);
  });
});

describe('vane watch --events', () => {
  const minutes = [20, 20, 10].map((avg) => [
    { id: 1, avg },
    { id: 2, avg: 10 },
  ]);
  const flags = ['--when', 'avg > 15kmh', '--events'];

  it.each([
    [
      ['--line', '{time} {id} {event}'],
      ['00 1 true', '02 1 false'],
    ],
    [
      ['-f', 'csv'],
      [/,"?event"?,"?condition"?$/, /,"?true"?,/, /,"?false"?,/],
    ],
    [
      ['-f', 'txt'],
      [/\tevent\tcondition$/, /\ttrue\t/, /\tfalse\t/],
    ],
    [
      ['-f', 'influx'],
      [/^wind_event,station=1/, /^wind_event,station=1/],
    ],
    [
      ['-f', 'ndjson'],
      [/^\{"event":"true"/, /^\{"event":"false"/],
    ],
  ])(
    'vane watch --events with the options %j writes records of events, and none of measurements',
    async (format, expected) => {
      const { lines } = await watchAll([...format, ...flags], { minutes });
      expect(lines).toHaveLength(expected.length);
      for (const [index, line] of expected.entries()) expect(lines[index]).toMatch(line);
    },
  );

  it('vane watch --events writes records, not a screen, to a terminal', async () => {
    const { lines } = await watchAll(flags, { minutes, columns: 80 });
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['true', 'false']);
  });

  it('vane watch --events is refused without --when or --until', async () => {
    const { code, out, err } = await vane(['watch', '110', '--events']);
    expect(err).toMatch(naming('--events', '--when', '--until'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });
});
