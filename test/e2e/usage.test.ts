import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswer, type Question, runInShell, titled } from '../support/question.ts';

let folder: string;
const run = (line: string) =>
  runInShell(line, folder, { VANE_BASE_URL: 'ftp://x', LC_ALL: 'C.UTF-8' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-usage-'));
  const line = 'vane --demo archive 110 --start 2024-05-01 --stop 2024-05-02 -o station-110.csv.gz';
  expect((await run(line)).exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

it('each example of vane stats --help and vane plot --help with --from works on the file that it names', async () => {
  const help = (await run('vane stats --help && vane plot --help')).stdout;
  const examples = Array.from(help.matchAll(/^ {2}\$ (vane .*--from .*)$/gm), ([, line]) => line);
  expect(examples).not.toEqual([]);
  for (const line of examples) expect(await run(line ?? '')).toMatchObject({ exitCode: 0 });
});

describe('a useless or wrong option or variable:', () => {
  const questions: readonly Question[] = [
    {
      line: 'vane stats --from station-110.csv.gz -f csv',
      status: 0,
      stdout: /^station,.*\n110,/,
    },
    { line: 'vane plot --from station-110.csv.gz', status: 0, stdout: /Station 110/ },
    {
      line: 'vane live 110',
      status: 2,
      stdout: '',
      stderr: /^vane: VANE_BASE_URL takes an address such as/,
    },
    {
      line: 'vane serve --demo --port 0 --warm',
      status: 2,
      stdout: '',
      stderr: 'vane: --warm is for --upstream; --demo asks no service.\n',
    },
    {
      line: 'vane serve --demo --port 0 --timeout junk',
      status: 2,
      stdout: '',
      stderr: /^vane: --timeout takes a length of time/,
    },
    {
      line: 'vane --demo plot 110 -o x.png.gz; code=$?; ls; exit $code',
      status: 2,
      stdout: 'station-110.csv.gz\n',
      stderr: /^vane: png is compressed in itself, and in \.gz nothing reads it/,
    },
    { line: 'vane --demo plot 110 --image off -o x.txt && rm x.txt', status: 0, stdout: '' },
    {
      line: 'vane --demo live 110 --color -f table -o c.txt && cat c.txt && rm c.txt',
      status: 0,
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
      stdout: /\u001b\[/,
    },
    {
      line: "vane --demo watch 110 --until 'avg > 200kn' --count 1 -q",
      status: 7,
    },
  ];

  it.each(titled(questions))('%s ends with %i and prints %s', async (...row) => {
    expectAnswer(await run(row[0]), row[3]);
  });
});
