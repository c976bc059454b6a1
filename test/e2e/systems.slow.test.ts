import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultyServer } from '../support/faulty-server.ts';
import { findPort } from '../support/nginx.ts';
import { example, isMissing, onePoll, recipeBlocks, useRecipeFolder } from '../support/recipes.ts';
import { until } from '../support/until.ts';
import { scripted, station } from '../support/watching.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const recipes = useRecipeFolder();

/** Starts a program that listens, until the test is over. */
async function startDaemon(
  program: string,
  args: readonly string[],
  readyUrl: string,
): Promise<{ readonly log: () => string; end(): Promise<void> }> {
  let log = '';
  const child = spawn(program, args, { cwd: recipes.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
  };
  const isReady = () =>
    fetch(readyUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    while (child.exitCode === null && !(await isReady())) await sleep(50);
    expect(child.exitCode, log).toBe(null);
  } catch (error) {
    await end();
    throw error;
  }
  return { log: () => log, end };
}

/** The json at an address, of a shape that the caller knows. */
// biome-ignore lint/suspicious/noExplicitAny: responses of three programs
async function getJson(url: string, query: Readonly<Record<string, string>> = {}): Promise<any> {
  return (await fetch(`${url}?${new URLSearchParams(query)}`)).json();
}

/** Starts `vane serve --demo`, and a Prometheus that scrapes it every two seconds, otherwise as in docs/examples. */
async function startPrometheus() {
  const options = { cwd: recipes.folder, reject: false } as const;
  const vane = execaNode(BIN, ['serve', '--demo', '--port', '0'], options);
  const baseUrl = String((await once(vane.stdout, 'data'))[0]).trim();
  const conf = example('prometheus.yml');
  const file = join(recipes.folder, 'prometheus.yml');
  await writeFile(
    file,
    conf.replace('127.0.0.1:8081', new URL(baseUrl).host).replace(': 60s', ': 2s'),
  );
  const url = `http://127.0.0.1:${await findPort()}`;
  const prometheus = await startDaemon(
    'prometheus',
    [
      ...[`--config.file=${file}`, `--storage.tsdb.path=${join(recipes.folder, 'tsdb')}`],
      ...[`--web.listen-address=${new URL(url).host}`, '--log.level=warn'],
    ],
    `${url}/-/ready`,
  );
  const end = async (): Promise<void> => {
    await prometheus.end();
    vane.kill('SIGTERM');
    await vane;
  };
  return { baseUrl, url, log: prometheus.log, end };
}

const noPrometheus = isMissing('Prometheus', 'prometheus', '--version');
let prometheus: ReturnType<typeof startPrometheus> | undefined;
// Not awaited: Prometheus begins to scrape after five seconds, in which other tests run.
beforeAll(() => {
  if (!noPrometheus) prometheus = startPrometheus();
});
afterAll(async () => (await prometheus)?.end());

const INFLUX_CONF = (port: number, rpcPort: number): string => `
reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[meta]
dir = "${recipes.folder}/meta"
[data]
dir = "${recipes.folder}/data"
wal-dir = "${recipes.folder}/wal"
[http]
bind-address = "127.0.0.1:${port}"
[monitor]
store-enabled = false
`;

const isWithoutInflux =
  isMissing('InfluxDB', 'influxd', 'version') || isMissing('InfluxDB', 'curl', '--version');

describe.skipIf(isWithoutInflux)('the recipe for InfluxDB', () => {
  let url: string;
  let influx: Awaited<ReturnType<typeof startDaemon>>;
  beforeAll(async () => {
    const port = await findPort();
    const conf = join(recipes.folder, 'influxdb.conf');
    await writeFile(conf, INFLUX_CONF(port, await findPort()));
    url = `http://127.0.0.1:${port}`;
    influx = await startDaemon('influxd', ['run', '-config', conf], `${url}/ping`);
  });
  afterAll(() => influx.end());

  const select = async (q: string) => {
    const { results } = await getJson(`${url}/query`, { db: 'wind', epoch: 'ms', q });
    return results[0];
  };

  it('the recipe for InfluxDB stores the same numbers in InfluxDB as a csv export has', async () => {
    const begunMs = Date.now();
    const brief = example('influxdb.sh').replace('--start 30d', '--start 3d');
    await recipes.sh(`set -e\n${onePoll(brief).replaceAll('http://localhost:8086', url)}`);
    const stopMs = Date.now();
    const NAMES = ['wind_speed_min', 'wind_speed_avg', 'wind_speed_max', 'wind_heading'];
    const { series } = await select(`SELECT station, ${NAMES.join()} FROM wind`);
    const stored = new Set<string>(series[0].values.map(String));
    const period = [begunMs - 3 * 86_400_000, stopMs].map((ms) => new Date(ms).toISOString());
    const { stdout } = await recipes.sh(
      `vane archive 110 603 --start ${period[0]} --stop ${period[1]} -f csv --header names ` +
        '--columns time,station,lull,avg,gust,dir --no-cache',
    );
    const [, ...rows] = stdout.split('\n');
    const written = new Set(
      rows.map((row) => row.replace(/^"?([^",]*)"?/, (_, time) => String(Date.parse(time)))),
    );
    expect(written.size).toBeGreaterThan(1000);
    // vane computed the 3 days a moment after this test did, and stations go on measuring.
    const [firstMs, lastMs] = [begunMs - 3 * 86_400_000 + 60_000, begunMs - 600_000];
    const inside = (row: string) => {
      const ms = Number(row.split(',')[0]);
      return ms > firstMs && ms < lastMs;
    };
    expect([...stored].filter(inside).sort()).toEqual([...written].filter(inside).sort());
    const state = (await select('SELECT last(latitude) FROM wind GROUP BY "name"')).series;
    expect(state.map(({ tags }: { tags: { name: string } }) => tags.name)).toEqual([
      ...['Col du Vent (simulated)', 'Plage des Embruns (simulated)'],
    ]);
    for (const query of recipeBlocks('influxdb', 'sql').join('').trim().split('\n')) {
      const requested = query
        .replace('$timeFilter', 'time > now() - 1d')
        .replace('$__interval', '1h');
      const { series, error } = await select(requested);
      expect([error, series?.[0].values.length > 20], query).toEqual([undefined, true]);
    }
  });

  it('the recipe for InfluxDB stores an event of a station with a hostile name', async () => {
    const name = 'A, b=c "d" é\n\u001b[2J\\';
    const timeMs = Date.now() - 30_000;
    const hostile = await startFaultyServer(
      [],
      scripted(() => [station({ name, timeMs, avg: 37 })]),
    );
    const condition = 'avg > 15kn and state != off';
    try {
      await recipes.sh(
        `vane watch 110 --count 1 -f influx --when '${condition}' |
          curl --fail --silent --data-binary @- '${url}/write?db=wind'`,
        { VANE_BASE_URL: hostile.baseUrl },
      );
    } finally {
      await hostile.close();
    }
    const NAMES = 'event, condition, station, "name", wind_speed_avg';
    expect((await select(`SELECT ${NAMES} FROM wind_event`)).series[0].values).toEqual([
      [expect.any(Number), 'true', condition, '110', 'A, b=c "d" é ␛[2J/', 37],
    ]);
    const query = `SELECT wind_speed_avg FROM wind WHERE time = ${timeMs}ms`;
    expect((await select(query)).series[0].values).toEqual([[timeMs, 37]]);
  });
});

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

it.skipIf(noPrometheus)(
  'the recipe for Prometheus lets Prometheus scrape vane serve three times without a warning',
  async () => {
    const { baseUrl, url, log } = await (prometheus as ReturnType<typeof startPrometheus>);
    const sendRequest = async (query: string): Promise<Result[]> => {
      const { status, data } = await getJson(`${url}/api/v1/query`, { query });
      expect(status, query).toBe('success');
      return data.result;
    };
    const first = async (query: string) => Number((await sendRequest(query))[0]?.value[1]);
    const hasScraped = async () => (await first('count_over_time(up{job="wind"}[5m])')) >= 3;
    await until(hasScraped, 100);
    expect(await first('min_over_time(up{job="wind"}[5m])')).toBe(1);
    // A reading of the demo may come between the two questions.
    await until(async () => {
      const { data } = await getJson(`${baseUrl}/v1/live/603`);
      const { date, wind_speed_avg, wind_heading } = data.measurements;
      const read = (name: string) => first(`vane_${name}{id="603"}`);
      return (
        (await read('last_measurement_timestamp_seconds')) === Date.parse(date) / 1000 &&
        (await read('wind_speed_average_meters_per_second')) ===
          Math.round((wind_speed_avg / 3.6) * 100) / 100 &&
        (await read('wind_direction_degrees')) === wind_heading
      );
    });
    const queries = recipeBlocks('prometheus', 'promql').join('').trim().split('\n');
    const results = await Promise.all(queries.map(sendRequest));
    expect(results.map(({ length }) => length)).toEqual([2, 1, 0]);
    expect(results[0]?.map(({ metric }) => metric.name).sort()).toEqual([
      ...['Col du Vent (simulated)', 'Plage des Embruns (simulated)'],
    ]);
    expect(log()).toBe('');
  },
);
