import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../support/fixture-service.ts';
import { vane } from '../support/run.ts';
import { clockFor, scripted, station, watching } from '../support/watching.ts';

/** Characters that control a terminal or reorder its text, but for line ends. */
const OBEYED = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-spoken-'));
});
afterEach(() => rm(folder, { recursive: true }));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => void server.closeAllConnections(),
    () => void server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('control characters in an HTTP header of the service', () => {
  /** A response with an unknown content coding, whose name would clear the line of a terminal. */
  const hostile: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-encoding': '\u009b2K' });
    response.end('{}');
  };

  it('control characters in an HTTP header of the service reach neither stderr nor the report of archive --keep-going', async () => {
    const report = join(folder, 'report.json');
    const period = ['--start', '2023-12-01', '--stop', '2024-01-10'];
    const flags = ['-f', 'csv', '--keep-going', '--report', report];
    const baseUrl = await listen((request, response) => {
      if (request.url?.includes('start=2023-12-01')) return hostile(request, response);
      const head = { doc: '', license: '', attribution: '', legend: LEGEND, units: UNITS };
      response.end(JSON.stringify({ ...head, data: [] }));
    });
    const { code, err } = await vane([
      'archive',
      '110',
      ...period,
      ...flags,
      '--base-url',
      baseUrl,
    ]);
    expect([code, err]).toEqual([6, expect.stringContaining('Missing: station 110')]);
    expect(err).not.toMatch(OBEYED);
    expect(await readFile(report, 'utf8')).toContain('compressed with');
    expect(await readFile(report, 'utf8')).not.toMatch(OBEYED);
  });
});

const LEGEND = [
  ...['time', 'latitude', 'longitude', 'wind_speed_min', 'wind_speed_avg', 'wind_speed_max'],
  ...['wind_heading', 'pressure'],
];
const UNITS = ['utc', 'degrees', 'degrees', 'km/h', 'km/h', 'km/h', 'degrees', '(deprecated)'];

describe('vane watch --exec', () => {
  const watchOf = async (command: string, name = 'Pilat') => {
    const service = scripted(() => [station({ timeMs: NOW, name })]);
    const clock = clockFor();
    return watching(
      ['110', '--when', 'avg > 1kn', '--count', '1', '--line', '{event}', '--exec', command],
      { service, clock, env: { PATH: process.env.PATH } },
    );
  };

  it('vane watch --exec shows the output of the command without control characters, with its line ends', async () => {
    const { err } = await watchOf(
      "printf 'one\\ttwo\\nthree\\033[2J\\302\\233J\\342\\200\\256\\nfour\\n'",
    );
    expect(err).not.toMatch(OBEYED);
    expect(err).toContain('one two\nthree␛[2J\ufffdJ\ufffd\nfour\n');
  });

  it('vane watch --exec passes the command a station name on stdin with control characters escaped as JSON', async () => {
    const name = 'a\u0000\r\n\u007f\u009b\u2028\u2029\u202e\u2066\u061c\u200eb';
    const file = join(folder, 'record.json');
    await watchOf(`cat > '${file}'`, name);
    const record = await readFile(file, 'utf8');
    expect(record).not.toMatch(OBEYED);
    expect(JSON.parse(record).station.meta.name).toBe(name);
  });
});

describe('messages never show a password', () => {
  const SECRET = /s3c|3cr|cret|p@ss|w0rd/;
  const live = (env: Record<string, string>, ...args: string[]) =>
    vane(['live', '110', '--retries', '0', ...args], { env });

  it.each([
    'http://me:s3cret@host',
    'http://me:s3cret@host:99999',
    'http://me:p@ss/w0rd@host',
    'http://me:p@ss w0rd@host',
    'me:s3cret@host',
    'http://s3cret@host',
    'ftp://me:s3cret@host/',
  ])('messages never show the password of the refused base address %s', async (address) => {
    for (const outcome of [
      await live({}, '--base-url', address),
      await live({ VANE_BASE_URL: address }),
      await vane(['config', 'set', 'base_url', address], {
        env: { VANE_CONFIG: join(folder, 'config.json') },
      }),
      await vane(['serve', '--upstream', address]),
    ]) {
      expect([outcome.code, outcome.err]).toEqual([
        2,
        expect.stringMatching(/VANE_BASE_URL|--base-url|base_url|--upstream/),
      ]);
      expect(outcome.out + outcome.err).not.toMatch(SECRET);
    }
  });

  it.each([
    'http://me:s3cret@proxy:3128/path',
    'me:s3cret@proxy:99999',
    'http://me:p@ss/w0rd@proxy:3128',
    'socks5://me:s3cret@proxy',
    '::me:s3cret@bad::',
  ])('messages never show the password of the refused proxy address %s', async (proxy) => {
    for (const name of ['HTTP_PROXY', 'https_proxy']) {
      const { code, out, err } = await live({ [name]: proxy }, '-v');
      expect([code, err]).toEqual([2, expect.stringMatching(/HTTPS?_PROXY/)]);
      expect(out + err).not.toMatch(SECRET);
    }
  });

  it('messages of --verbose never show the password of a proxy that redirects', async () => {
    const proxy = await listen((_, response) => {
      response.writeHead(302, { location: 'http://me:s3cret@elsewhere/' });
      response.end();
    });
    const HTTP_PROXY = proxy.replace('//', '//me:s3cret@');
    const { code, err } = await live({ HTTP_PROXY }, '-v', '--base-url', 'http://wind.example');
    expect([code, err]).toEqual([4, expect.stringContaining('a redirect to http://')]);
    expect(err).not.toMatch(SECRET);
  });

  it('messages never show a password in a config file that is not JSON', async () => {
    const path = join(folder, 'config.json');
    for (const text of [
      '{"base_url":"http://me:s3cret@h" x}',
      '["http://me:s3cret@h"]',
      '{"base_url":"http://me:p@ss/w0rd@h"}',
      '{"base_url":"http:\\/\\/me:s3cret@h"} x',
    ]) {
      await writeFile(path, text);
      const { code, out, err } = await live({ VANE_CONFIG: path });
      expect([code, err]).toEqual([2, expect.stringContaining(path)]);
      expect(out + err).not.toMatch(SECRET);
    }
  });

  it('vane config list and get never show the password in the address of VANE_BASE_URL', async () => {
    const env = {
      VANE_BASE_URL: 'http://me:s3cret@host',
      VANE_CONFIG: join(folder, 'config.json'),
    };
    for (const args of [['list'], ['get', 'base_url']]) {
      const { code, out, err } = await vane(['config', ...args], { env });
      expect([code, out]).toEqual([0, expect.stringContaining('@host')]);
      expect(out + err).not.toMatch(SECRET);
    }
  });

  it('messages never show a password on the command line of a mistyped command', async () => {
    const { code, err } = await vane([
      'lvie',
      'http://me:s3cret@host',
      '--base-ulr=http://me:s3cret@h',
    ]);
    expect(code).toBe(2);
    expect(err).not.toMatch(SECRET);
  });
});
