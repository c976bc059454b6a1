import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { naming } from '../support/naming.ts';
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
  titled(questions).map(([rule, line, question]) => {
    const variables = Object.entries(question.env ?? {}).map(
      ([name, value]) => `${name}=${value} `,
    );
    return [rule, variables.join(''), line, question] as const;
  });

/** Runs the questions in this process. */
function answers(questions: readonly Asked[]): void {
  it.each(rowsOf(questions))('%s (%svane %s)', async (_rule, _variables, line, question) => {
    const env = await variablesOf(question);
    expectAnswer(await runHere(line, { env, now: Date.now() }), question);
  });
}

/** Runs the questions with the built program, with the variables of this process too. */
function programAnswers(questions: readonly Asked[]): void {
  it.each(rowsOf(questions))('%s (%sbin/vane.js %s)', async (_rule, _variables, line, question) => {
    const env = await variablesOf(question);
    const options = { cwd: folder, env, reject: false, stripFinalNewline: false };
    expectAnswer(await execaNode(BIN, words(line), options), question);
  });
}

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
        {
          rule: `${spelling} is a unit of --units`,
          line: `live 110 --units ${spelling}`,
          status: 0,
          stdout: heads(label),
        },
        {
          rule: `${spelling} is a unit in conditions`,
          line: `watch 110 --count 1 -f ndjson --when 'avg > 9 ${spelling} and avg < 12${spelling}'`,
          status: 0,
          stdout: /^\{"id":110/,
        },
      ]),
    ),
  );

  answers([
    {
      rule: 'words that are no stations are searched for in names',
      line: 'live plage des embruns',
      status: 0,
      stdout: /^110 {2}Plage des Embruns/m,
      stderr: /“plage des embruns”.*names/,
    },
    {
      rule: 'the simulated network has two stations near Annecy whose measurements are old',
      line: 'live annecy',
      status: 0,
      stdout: /^801 .* old {2}off .*\n802 .* old {2}on /m,
    },
    {
      rule: 'a station may be named by its printed id, and the word live may be left out',
      line: '--knots MW800',
      status: 0,
      stdout: /^800 /m,
    },
    {
      rule: '--radius accepts kilometres',
      line: 'live --near 45.9,6.2 --radius 30km',
      status: 0,
      stdout: /Col du Vent/,
    },
    {
      rule: '--radius accepts nautical miles',
      line: 'live --near 45.9,6.2 --radius 15nm',
      status: 0,
      stdout: /Col du Vent/,
    },
    {
      rule: '--radius accepts miles',
      line: 'live --near 45.9,6.2 --radius 10mi',
      status: 0,
      stdout: /Col du Vent/,
    },
    {
      rule: 'help names a command',
      line: 'help live',
      status: 0,
      stdout: /\nUsage: vane live/,
      stderr: '',
    },
    {
      rule: 'a comma may join stations',
      line: 'live 110,603',
      status: 0,
      stdout: /\n110 .*\n603 /,
    },
    {
      rule: 'commas may follow stations',
      line: 'live 110, 603,',
      status: 0,
      stdout: /\n110 .*\n603 /,
    },
    {
      rule: '--start and --stop accept the words yesterday and today',
      line: 'archive 110,603 --start yesterday --stop today -f ndjson',
      status: 0,
      stdout: /"station":110,.*"station":603,/s,
    },
    {
      rule: '--start accepts the word today',
      line: 'archive 110 --start today --dry-run',
      status: 0,
      stdout: /\n110 +\S+T00:00:00\.000Z /,
    },
    {
      rule: 'a blank may stand between date and time',
      line: 'archive 110 --start "2024-06-01 12:00" --stop 2024-06-02 --dry-run',
      status: 0,
      stdout: /\n110 +2024-06-01T12:00:00\.000Z +2024-06-02T00:00:00\.000Z /,
    },
    {
      rule: 'a month may have one digit',
      line: 'archive 110 --start 2024-5-1 --stop 2024-5 --dry-run',
      status: 0,
      stdout: /\n110 +2024-05-01T00:00:00\.000Z +2024-05-01T00:00:00\.000Z /,
    },
  ]);

  programAnswers([
    {
      rule: '--report - prints the report on stdout',
      line: 'archive 110 --start 2024-06-01 --stop 2024-06-02 -o report.csv --report -',
      status: 0,
      stdout: /^\{\n {2}"rows": \d+,.*"files": \[\n {4}"report\.csv"/s,
    },
  ]);

  answers(
    [
      {
        rule: 'the error for two conditions shows how to join them',
        line: 'watch 110 --when "avg > 15kn" --when "max > 25kn"',
        status: 2,
        stderr: naming('--when', "--when 'avg > 15kn or max > 25kn'"),
      },
      ...['--since', '--from', '--after'].map((name) => ({
        rule: 'the error names --start for the option of another program',
        line: `archive 110 ${name} 2024`,
        status: 2,
        stderr: naming(name, '--start', 'vane archive --help'),
      })),
      ...['--to', '--end', '--before'].map((name) => ({
        rule: 'the error names --stop for the option of another program',
        line: `archive 110 --start 2024 ${name}=2025`,
        status: 2,
        stderr: naming(name, '--stop', 'vane archive --help'),
      })),
      {
        rule: 'the error for a wrong position of --near shows the right form',
        line: 'live --near 43.4 4.9',
        status: 2,
        stderr: naming('--near', 'latitude,longitude', '“43.4”'),
      },
      {
        rule: 'an option that takes one value may be given once only',
        line: 'live --state on --state off',
        status: 2,
        stderr: naming('--state', 'twice', '“on”', '“off”'),
      },
      ...['help bogus', 'help config bogus', 'config help bogus'].map((line) => ({
        rule: 'an unknown command is refused by help',
        line,
        status: 2,
        stderr: /“bogus”.*“vane (config )?--help”/s,
      })),
      {
        rule: '--upstream refuses an address with /v1',
        line: 'serve --upstream http://127.0.0.1:9/v1',
        status: 2,
        stderr: naming('--upstream', '/v1', 'http://127.0.0.1:9.\n'),
      },
      {
        rule: 'the report on stdout needs one file for the data',
        line: 'archive 110 --start today --report -',
        status: 2,
        stderr: naming('--report -', '--output'),
      },
    ].map((question) => ({ ...question, stdout: '' })),
  );
});

describe('dates of the command line in a zone:', () => {
  const at = (start: string) => new RegExp(`\\n110 +${start}:00\\.000Z `);
  const day = 'archive 110 --start 2024-03-31 --stop 2024-04-01 --dry-run';
  const VANE_TZ = 'Europe/Paris';
  answers([
    {
      rule: 'VANE_TZ sets the zone of --start and --stop',
      line: day,
      env: { VANE_TZ },
      status: 0,
      stdout: at('2024-03-30T23:00'),
    },
    {
      rule: '--tz sets the zone of --start and --stop',
      line: `${day} --tz Europe/Paris`,
      status: 0,
      stdout: at('2024-03-30T23:00'),
    },
    {
      rule: '--tz takes precedence over VANE_TZ for the dates of the command line',
      line: `${day} --tz utc`,
      env: { VANE_TZ },
      status: 0,
      stdout: at('2024-03-31T00:00'),
    },
    {
      rule: 'tz of the config file reads dates where it shows times, as in a table',
      line: `${day} -f table`,
      env: { VANE_CONFIG: 'config.json' },
      status: 0,
      stdout: at('2024-03-30T15:00'),
    },
    {
      rule: 'tz of the config file does not apply to dates of csv',
      line: `${day} -f csv`,
      env: { VANE_CONFIG: 'config.json' },
      status: 0,
      stdout: at('2024-03-31T00:00'),
    },
    {
      rule: 'a time that the clock skips is moved, with a note',
      line: 'archive 110 --start 2024-03-31T02:30 --stop 2024-03-31T12:00Z --tz Europe/Paris --dry-run',
      status: 0,
      stdout: at('2024-03-31T01:30'),
      stderr: naming(
        '--start',
        '2024-03-31T02:30',
        'Europe/Paris',
        '2024-03-31T03:30:00.000+02:00',
      ),
    },
    {
      rule: 'a time that the clock shows twice is read as one of them, with a note',
      line: 'archive 110 --start 2024-10-26 --stop "2024-10-27 2:30" --tz Europe/Paris --dry-run',
      status: 0,
      stdout: /T22:00:00\.000Z +2024-10-27T01:30:00\.000Z /,
      stderr: naming(
        '--stop',
        '2024-10-27 2:30',
        'twice',
        'Europe/Paris',
        '2024-10-27T02:30:00.000+01:00',
      ),
    },
  ]);
});

describe('units and tz of the config file change tables, not data for scripts:', () => {
  const VANE_CONFIG = 'config.json';
  const period = '--start 2024-06-01 --stop 2024-06-02';
  answers([
    {
      rule: 'a table of vane live has the unit of the config file',
      line: 'live 110',
      env: { VANE_CONFIG },
      status: 0,
      stdout: / avg kn /,
    },
    {
      rule: 'a table of vane archive has the unit of the config file',
      line: `archive 110 ${period} -f table`,
      env: { VANE_CONFIG },
      status: 0,
      stdout: /gust kn/,
    },
    {
      rule: 'csv stays in km/h and UTC whatever units and tz of the config file are',
      line: `archive 110 ${period} -f csv`,
      env: { VANE_CONFIG },
      status: 0,
      stdout: /\n"utc","degrees","degrees","km\/h","km\/h","km\/h",.*\n"2024-06-01T00:\S+Z",/,
    },
    {
      rule: 'csv has the unit and zone of VANE_UNITS and VANE_TZ',
      line: `archive 110 ${period} -f csv`,
      env: { VANE_CONFIG, VANE_UNITS: 'KT', VANE_TZ: 'Europe/Paris' },
      status: 0,
      stdout:
        /\n"Europe\/Paris","degrees","degrees","kn","kn","kn",.*\n"2024-06-01T00:\S+\+02:00",/,
    },
    {
      rule: 'records of vane watch stay in UTC whatever tz of the config file is',
      line: 'watch 110 --count 1 -f ndjson',
      env: { VANE_CONFIG },
      status: 0,
      stdout: /"date":"\S{10}T\S{12}Z"/,
    },
    {
      rule: 'config list names the source of each value',
      line: 'config list',
      env: { VANE_CONFIG, VANE_UNITS: 'ms' },
      status: 0,
      stdout: /\nunits +ms +environment VANE_UNITS\ntz +Asia\/Tokyo +file, for people\n$/,
    },
    {
      rule: 'config --help says what units and tz apply to',
      line: 'config --help',
      status: 0,
      stdout: /units and tz affect\nonly what people read/,
    },
  ]);
});

describe('tables follow locale and COLUMNS:', () => {
  const utf8 = { LC_ALL: 'C.UTF-8' };
  const ascii = { LC_ALL: 'C' };
  /** Rows of ASCII alone, after the name of the first column. */
  const table = (head: string) => new RegExp(`^ *${head}  [ -~\\n]+$`);

  answers([
    {
      rule: 'a table of vane live has the sign ° in a UTF-8 locale',
      line: 'live 110 603',
      env: utf8,
      status: 0,
      stdout: /°/,
    },
    {
      rule: 'a table of vane live fits 40 columns where COLUMNS is 40',
      line: 'live all --limit 100',
      env: { ...utf8, COLUMNS: '40' },
      status: 0,
      stdout: /^(?:.{0,40}\n)+$/,
    },
    {
      rule: 'a table of vane live is ASCII in the locale C',
      line: 'live all --limit 100',
      env: ascii,
      status: 0,
      stdout: /^(?=.*direction.*\d deg {2}) *id {2}[ -~\n]+$/s,
    },
    {
      rule: 'a card of a station is ASCII in the locale C',
      line: 'meta 110',
      env: ascii,
      status: 0,
      stdout: /^[ -~\n]+$/,
    },
    {
      rule: 'a table of meta is ASCII in the locale C',
      line: 'meta all --limit 100',
      env: ascii,
      status: 0,
      stdout: table('id'),
    },
    {
      rule: 'a table of an archive is ASCII in the locale C',
      line: 'archive 110 --start 1h -f table',
      env: ascii,
      status: 0,
      stdout: table('time UTC'),
    },
    {
      rule: 'the credit on stderr is one line',
      line: 'live 110',
      env: utf8,
      status: 0,
      stderr: /^Data: .*Simulated.*https:\/\/creativecommons\.org\/publicdomain\/zero\/1\.0\/\n$/,
    },
  ]);
  programAnswers([
    {
      rule: 'a table of the built program is ASCII in the locale C',
      line: 'live 110 603',
      env: ascii,
      status: 0,
      stdout: table('id'),
    },
  ]);
});
