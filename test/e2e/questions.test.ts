import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/service.ts';
import { expectAnswer, type Question, runHere, titled, words } from '../support/question.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

interface Asked extends Question {
  readonly env?: Readonly<Record<string, string>>;
}

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-questions-'));
  await writeFile(join(folder, 'config.json'), '{"units":"kn","tz":"Asia/Tokyo"}');
  const service = simulatedService(Date.now);
  server = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Variables of a run: the service, a cache of its own, and those of the question. */
async function variablesOf({ env }: Asked): Promise<Readonly<Record<string, string>>> {
  const cache = await mkdtemp(join(folder, 'cache-'));
  const variables = { VANE_BASE_URL: server.baseUrl, VANE_CACHE_DIR: cache, ...env };
  return { ...variables, VANE_CONFIG: resolve(folder, env?.VANE_CONFIG ?? '/dev/null') };
}

const rowsOf = (questions: readonly Asked[]) =>
  titled(questions).map(([line, status, printed, question]) => {
    const variables = Object.entries(question.env ?? {}).map(
      ([name, value]) => `${name}=${value} `,
    );
    return [variables.join(''), line, status, printed, question] as const;
  });

/** Asks in this process. */
function answers(questions: readonly Asked[]): void {
  it.each(rowsOf(questions))('%svane %s ends with %i and prints %s', async (...row) => {
    const question = row[4];
    const env = await variablesOf(question);
    expectAnswer(await runHere(question.line, { env, now: Date.now() }), question);
  });
}

/** Asks the built program, with the variables of this process too. */
function programAnswers(questions: readonly Asked[]): void {
  it.each(rowsOf(questions))('%sbin/vane.js %s ends with %i and prints %s', async (...row) => {
    const question = row[4];
    const env = await variablesOf(question);
    const options = { cwd: folder, env, reject: false, stripFinalNewline: false };
    expectAnswer(await execaNode(BIN, words(question.line), options), question);
  });
}

const HELP = '(--help after the command explains its options.)\n';

describe('command lines as people write them:', () => {
  const heads = (unit: string) => new RegExp(`^ *id .* avg ${unit} `);
  const units: Readonly<Record<string, string>> = {
    'knots kts KN kt': 'kn',
    'm/s mps': 'm/s',
    'km/h kph': 'km/h',
    'beaufort Bft': 'Bft',
    'MPH mi/h': 'mph',
  };

  answers(
    Object.entries(units).flatMap(([spellings, label]) =>
      spellings.split(' ').flatMap((spelling) => [
        { line: `live 110 --units ${spelling}`, status: 0, stdout: heads(label) },
        {
          line: `watch 110 --count 1 -f ndjson --when 'avg > 9 ${spelling} and avg < 12${spelling}'`,
          status: 0,
          stdout: /^\{"id":110/,
        },
      ]),
    ),
  );

  answers([
    { line: 'live --near 45.9,6.2 --radius 30km', status: 0, stdout: /Col du Vent/ },
    { line: 'live --near 45.9,6.2 --radius 15nm', status: 0, stdout: /Col du Vent/ },
    { line: 'live --near 45.9,6.2 --radius 10mi', status: 0, stdout: /Col du Vent/ },
    { line: 'help live', status: 0, stdout: /\nUsage: vane live/, stderr: '' },
    { line: 'live 110,603', status: 0, stdout: /\n110 .*\n603 / },
    { line: 'live 110, 603,', status: 0, stdout: /\n110 .*\n603 / },
    {
      line: 'archive 110,603 --start yesterday --stop today -f ndjson',
      status: 0,
      stdout: /"station":110,.*"station":603,/s,
    },
    {
      line: 'archive 110 --start today --dry-run',
      status: 0,
      stdout: /\n110 +\S+T00:00:00\.000Z /,
    },
    {
      line: 'archive 110 --start "2024-06-01 12:00" --stop 2024-06-02 --dry-run',
      status: 0,
      stdout: /\n110 +2024-06-01T12:00:00\.000Z +2024-06-02T00:00:00\.000Z /,
    },
    {
      line: 'archive 110 --start 2024-5-1 --stop 2024-5 --dry-run',
      status: 0,
      stdout: /\n110 +2024-05-01T00:00:00\.000Z +2024-05-01T00:00:00\.000Z /,
    },
  ]);

  programAnswers([
    {
      line: 'archive 110 --start 2024-06-01 --stop 2024-06-02 -o report.csv --report -',
      status: 0,
      stdout: /^\{\n {2}"rows": \d+,.*"files": \[\n {4}"report\.csv"/s,
    },
    {
      line: 'config help bogus',
      status: 2,
      stdout: '',
      stderr: `vane: unknown command 'bogus'\n${HELP}`,
    },
  ]);

  answers(
    [
      {
        line: 'watch 110 --when "avg > 15kn" --when "max > 25kn"',
        status: 2,
        stderr:
          "vane: --when is given twice; join conditions with or, or with and: --when 'avg > 15kn or max > 25kn'.\n",
      },
      ...['--since', '--from', '--after'].map((name) => ({
        line: `archive 110 ${name} 2024`,
        status: 2,
        stderr: `vane: unknown option '${name}'\n(Did you mean --start?)\n${HELP}`,
      })),
      ...['--to', '--end', '--before'].map((name) => ({
        line: `archive 110 --start 2024 ${name}=2025`,
        status: 2,
        stderr: `vane: unknown option '${name}'\n(Did you mean --stop?)\n${HELP}`,
      })),
      {
        line: 'live --near 43.4 4.9',
        status: 2,
        stderr:
          'vane: --near takes latitude,longitude in degrees with a comma between, such as 45.96,6.24, not “43.4”.\n',
      },
      {
        line: 'live embruns',
        status: 2,
        stderr:
          'vane: A station takes an id such as 110, a printed id such as PP603, the address of its page, or a favourite (none is set; vane config set favourites.home 110), not “embruns”. Stations by name: --name embruns.\n',
      },
      {
        line: 'live --state on --state off',
        status: 2,
        stderr: 'vane: --state is given twice, as “on” and “off”; it takes one value.\n',
      },
      { line: 'help bogus', status: 2, stderr: `vane: unknown command 'bogus'\n${HELP}` },
      {
        line: 'serve --upstream http://127.0.0.1:9/v1',
        status: 2,
        stderr: 'vane: --upstream takes the address without /v1: http://127.0.0.1:9.\n',
      },
      {
        line: 'archive 110 --start today --report -',
        status: 2,
        stderr: 'vane: --report - needs --output: stdout holds the report or the data, not both.\n',
      },
    ].map((question) => ({ ...question, stdout: '' })),
  );
});

describe('dates of the command line in a zone:', () => {
  const at = (start: string) => new RegExp(`\\n110 +${start}:00\\.000Z `);
  const day = 'archive 110 --start 2024-03-31 --stop 2024-04-01 --dry-run';
  const VANE_TZ = 'Europe/Paris';
  answers([
    { line: `${day} --tz Europe/Paris`, status: 0, stdout: at('2024-03-30T23:00') },
    { line: `${day} --tz utc`, env: { VANE_TZ }, status: 0, stdout: at('2024-03-31T00:00') },
    { line: day, env: { VANE_CONFIG: 'config.json' }, status: 0, stdout: at('2024-03-31T00:00') },
    {
      line: 'archive 110 --start 2024-03-31T02:30 --stop 2024-03-31T12:00Z --tz Europe/Paris --dry-run',
      status: 0,
      stdout: at('2024-03-31T01:30'),
      stderr:
        /^--start: 2024-03-31T02:30 does not exist in Europe\/Paris, where the clocks change; it is read as 2024-03-31T03:30:00\.000\+02:00\.\n/,
    },
    {
      line: 'archive 110 --start 2024-10-26 --stop "2024-10-27 2:30" --tz Europe/Paris --dry-run',
      status: 0,
      stdout: /T22:00:00\.000Z +2024-10-27T01:30:00\.000Z /,
      stderr:
        /^--stop: 2024-10-27 2:30 exists twice in Europe\/Paris, where the clocks change; it is read as 2024-10-27T02:30:00\.000\+01:00\.\n/,
    },
  ]);
  programAnswers([{ line: day, env: { VANE_TZ }, status: 0, stdout: at('2024-03-30T23:00') }]);
});

describe('units and tz of the config file change tables, not data for scripts:', () => {
  const VANE_CONFIG = 'config.json';
  const period = '--start 2024-06-01 --stop 2024-06-02';
  answers([
    { line: 'live 110', env: { VANE_CONFIG }, status: 0, stdout: / avg kn / },
    { line: `archive 110 ${period}`, env: { VANE_CONFIG }, status: 0, stdout: /gust kn/ },
    {
      line: `archive 110 ${period} -f csv`,
      env: { VANE_CONFIG },
      status: 0,
      stdout: /\n"utc","degrees","degrees","km\/h","km\/h","km\/h",.*\n"2024-06-01T00:\S+Z",/,
    },
    {
      line: `archive 110 ${period} -f csv`,
      env: { VANE_CONFIG, VANE_UNITS: 'KT', VANE_TZ: 'Europe/Paris' },
      status: 0,
      stdout:
        /\n"Europe\/Paris","degrees","degrees","kn","kn","kn",.*\n"2024-06-01T00:\S+\+02:00",/,
    },
    {
      line: 'watch 110 --count 1 --line {unit}',
      env: { VANE_CONFIG },
      status: 0,
      stdout: 'km/h\n',
    },
    {
      line: 'config list',
      env: { VANE_CONFIG, VANE_UNITS: 'ms' },
      status: 0,
      stdout:
        /\nunits +ms +environment VANE_UNITS\ntz +Asia\/Tokyo +file, for tables and screens\n$/,
    },
    {
      line: 'config --help',
      status: 0,
      stdout: /units and tz of the file apply\nto what people read/,
    },
  ]);
});

describe('tables follow locale and COLUMNS:', () => {
  const utf8 = { LC_ALL: 'C.UTF-8' };
  const ascii = { LC_ALL: 'C' };
  /** Rows of ASCII alone, after the name of the first column. */
  const table = (head: string) => new RegExp(`^ *${head}  [ -~\\n]+$`);

  answers([
    { line: 'live 110 603', env: utf8, status: 0, stdout: /°/ },
    {
      line: 'live all',
      env: { ...utf8, COLUMNS: '40' },
      status: 0,
      stdout: /^(?:.{0,40}\n)+$/,
    },
    {
      line: 'live all',
      env: ascii,
      status: 0,
      stdout: /^(?=.*direction.*\d deg {2}) *id {2}[ -~\n]+$/s,
    },
    { line: 'meta 110', env: ascii, status: 0, stdout: /^[ -~\n]+$/ },
    { line: 'meta all', env: ascii, status: 0, stdout: table('id') },
    { line: 'archive 110 --start 1h', env: ascii, status: 0, stdout: table('time UTC') },
    {
      line: 'live 110',
      env: utf8,
      status: 0,
      stderr:
        'Data: Simulated by vane: none of it is real. License: https://creativecommons.org/publicdomain/zero/1.0/\n',
    },
  ]);
  programAnswers([{ line: 'live 110 603', env: ascii, status: 0, stdout: table('id') }]);
});
