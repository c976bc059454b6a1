import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naming } from '../support/naming.ts';
import { expectAnswer, type Question, runHere, runInShell, titled } from '../support/question.ts';

let folder: string;
const ENV = { VANE_BASE_URL: 'ftp://x', LC_ALL: 'C.UTF-8' };

/** Runs a line of a shell, where `vane` is the built program. */
const shell = (line: string) => runInShell(line, folder, ENV);

/** Runs vane in this process; @ stands for the folder of the tests. */
const vane = (line: string) =>
  runHere(line.replace('@', `${folder}/`), { env: ENV, now: Date.now() });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-usage-'));
  const line = '--demo archive 110 --start 2024-05-01 --stop 2024-05-02 -o @station-110.csv.gz';
  expect((await vane(line)).exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true }));

it('each example of vane stats --help and vane plot --help with --from works on the file that it names', async () => {
  const help = `${(await vane('stats --help')).stdout}${(await vane('plot --help')).stdout}`;
  const examples = Array.from(help.matchAll(/^ {2}\$ (vane .*--from .*)$/gm), ([, line]) => line);
  expect(examples).not.toEqual([]);
  for (const line of examples) expect(await shell(line ?? '')).toMatchObject({ exitCode: 0 });
});

describe('with a wrong VANE_BASE_URL', () => {
  const questions: readonly Question[] = [
    {
      rule: 'stats --from needs no address of a service',
      line: 'stats --from @station-110.csv.gz -f csv',
      status: 0,
      stdout: /^station,.*\n110,/,
    },
    {
      rule: 'plot --from needs no address of a service',
      line: 'plot --from @station-110.csv.gz',
      status: 0,
      stdout: /Station 110/,
    },
    {
      rule: 'the error for a wrong address names the variable that holds it',
      line: 'live 110',
      status: 2,
      stdout: '',
      stderr: naming('VANE_BASE_URL', '“ftp://x”'),
    },
    {
      rule: 'serve --demo refuses an option of --upstream',
      line: 'serve --demo --port 0 --warm',
      status: 2,
      stdout: '',
      stderr: naming('--warm', '--upstream', '--demo'),
    },
    {
      rule: 'serve --demo checks the value of an option that it refuses',
      line: 'serve --demo --port 0 --timeout junk',
      status: 2,
      stdout: '',
      stderr: naming('--timeout', '“junk”'),
    },
    {
      rule: '--demo needs no address of a service',
      line: "--demo watch 110 --until 'avg > 200kn' --count 1 -q",
      status: 7,
    },
  ];
  it.each(titled(questions))('%s (vane %s)', async (_rule, line, question) => {
    expectAnswer(await vane(line), question);
  });

  it('vane live with --color writes colours into a file', async () => {
    const { exitCode } = await vane('--demo live 110 --color -f table -o @c.txt');
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'c.txt'), 'utf8')).toContain('\u001b[');
  });

  it('vane plot refuses a file name that ends in .png.gz, and writes no file', async () => {
    const line = 'vane --demo plot 110 -o x.png.gz; code=$?; ls | grep png; exit $code';
    expectAnswer(await shell(line), {
      status: 2,
      stdout: '',
      stderr: naming('png', 'compressed'),
    });
  });
});
