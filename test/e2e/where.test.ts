import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { SPEED_UNIT_NAMES } from '../../src/domain/units.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { naming } from '../support/naming.ts';
import { expectAnswer, type Question, runHere, runInShell, titled } from '../support/question.ts';

const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;

/** A windy day of the simulated network in Brittany. */
const NOW = Date.UTC(2024, 1, 4, 12);

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  const now = () => NOW;
  server = await startServer({ service: simulatedService(now), host: '127.0.0.1', port: 0, now });
  folder = await mkdtemp(join(tmpdir(), 'vane-questions-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const env = () => ({
  VANE_BASE_URL: server.baseUrl,
  VANE_CACHE_DIR: join(folder, 'cache'),
  VANE_CONFIG: join(folder, 'config.json'),
});

const rowsOf = (questions: readonly Question[]) =>
  titled(questions.map((question) => ({ stdout: '', ...question })));

/** Runs the questions in this process, at a time that stands still. */
function answers(questions: readonly Question[]): void {
  it.each(rowsOf(questions))('%s (vane %s)', async (_rule, line, question) => {
    expectAnswer(await runHere(line, { env: env(), now: NOW }), question);
  });
}

/** Runs the questions with the built program in a shell, at a time that passes only while it waits. */
function programAnswers(questions: readonly Question[]): void {
  it.each(rowsOf(questions))('%s (bin/vane.js %s)', async (_rule, line, question) => {
    const outcome = await runInShell(`vane ${line}`, folder, {
      ...env(),
      NODE_OPTIONS: `--import=${FAST_CLOCK}`,
      FAST_CLOCK_SPEED: '600',
      FAST_CLOCK_START: String(NOW),
    });
    expectAnswer(outcome, question);
  });
}

const CREDIT = /^Data: Simulated by vane: .* License: \S+\n$/;

describe('conditions on the command line:', () => {
  const west = "--near 48,-4.7 --radius 200 --where 'avg in 15..25kn and dir in SW..NW'";
  const westerly = '(?:SW|WSW|W|WNW|NW)';
  answers([
    {
      rule: 'live --where lists the stations whose wind matches',
      line: `live ${west}`,
      status: 0,
      stdout: new RegExp(
        `^ *id +name +km +avg km/h.*\\n(?:.* ${westerly} +\\d+(?:\\.\\d)?° .*\\n)+$`,
      ),
      stderr: CREDIT,
    },
    {
      rule: 'live --where goes with --sort, --limit and another unit',
      line: `live ${west} --sort gust --limit 3 --knots -f csv`,
      status: 0,
      stdout: /^id,.*,distance_km\n(?:\d+,.*\n){3}$/,
      stderr: CREDIT,
    },
    {
      rule: 'a condition that no station meets gives a note and the exit code 0',
      line: "live all --where 'distance < 5km' --near 48,-4.7 --radius 1",
      status: 0,
      stderr: naming('No station', 'Data: '),
    },
    {
      rule: 'meta --where describes the stations whose wind matches',
      line: `meta ${west} --limit 2 -f ndjson`,
      status: 0,
      stdout: /^(?:\{"id":\d+,.*"rating":.*\}\n){2}$/,
      stderr: CREDIT,
    },
    {
      rule: 'archive --where exports the stations whose latest wind matches',
      line: `archive ${west} --limit 2 --start 1h -f ndjson -q`,
      status: 0,
      stdout: /^(?:\{"station":\d+,"time":"2024-02-04T11:.*\}\n)+$/,
      stderr: '',
    },
    {
      rule: '--events of watch --where has events of matching stations only',
      line: "watch all --count 1 --where 'dir in SW..NW' --when 'max > 35kn' --events --line '{event} {point}' -q",
      status: 0,
      stdout: new RegExp(`^(?:true ${westerly}\\n)+$`),
      stderr: '',
    },
    ...['live', 'meta', 'archive --start 3d'].map((command) => ({
      rule: 'only vane watch compares the trend',
      line: `${command} --where 'avg > 5kn and trend > 5kn'`,
      status: 2,
      stderr: naming(
        '--where',
        '“trend”',
        'vane watch',
        `\n  avg > 5kn and trend > 5kn\n${' '.repeat(16)}^\n`,
      ),
    })),
    {
      rule: 'a distance in a condition is in km',
      line: "live --near 48,-4.7 --where 'distance < 25nm'",
      status: 2,
      stderr: naming('--where', 'kilometres', '“nm”', `\n  distance < 25nm\n${' '.repeat(15)}^\n`),
    },
    {
      rule: 'a distance in a condition needs --near',
      line: "live --where 'distance < 25'",
      status: 2,
      stderr: naming('--where', '“distance”', '--near', '\n  distance < 25\n  ^\n'),
    },
    {
      rule: 'a speed in a condition needs a unit',
      line: "meta --where 'avg > 15'",
      status: 2,
      stderr: naming('--where', '“15”', ...SPEED_UNIT_NAMES, `\n  avg > 15\n${' '.repeat(10)}^\n`),
    },
    {
      rule: 'an empty condition is refused',
      line: "live --where ''",
      status: 2,
      stderr: naming('--where', 'empty', '\n  \n  ^\n'),
    },
    {
      rule: '--events needs a condition',
      line: 'watch 110 --events',
      status: 2,
      stderr: naming('--events', '--when', '--until'),
    },
  ]);

  programAnswers([
    {
      rule: 'watch --where records the stations whose wind matches',
      line: `watch ${west} --count 1 --line '{point} {name}'`,
      status: 0,
      stdout: new RegExp(`^(?:${westerly} .*\\n)+$`),
      stderr: CREDIT,
    },
    {
      rule: 'watch --where compares the trend',
      line: "watch 110 603 --count 2 --where 'trend > 300kn' -q",
      status: 0,
      stderr: '',
    },
  ]);
});
