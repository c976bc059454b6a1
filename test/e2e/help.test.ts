import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { vane } from '../support/run.ts';
import { openTerminal, whyNoTmux } from '../support/tmux.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const QUESTIONS = [
  {
    rule: 'vane live --help has a sentence, the usage and three examples',
    line: 'live --help',
    stdout: /^Shows .*\n\nUsage: vane live .*\n\nExamples:\n(?: {2}\$ .*\n){3}\n/,
  },
  {
    rule: 'vane archive --help groups its options',
    line: 'archive --help',
    stdout: /^Selection:$[\s\S]*^Period:$[\s\S]*^Output:$[\s\S]*^Requests:$/m,
  },
  {
    rule: 'the help of a command ends with a line about vane --help',
    line: 'watch --help',
    stdout: /options of every command.*vane --help/,
  },
  {
    rule: 'completion offers the rest of a list of columns',
    line: 'completion words -- archive --columns time,pr',
    stdout: /^open\ntime,pressure\t.*\n$/,
  },
  {
    rule: 'completion offers time zones',
    line: 'completion words -- live --tz Europe/Par',
    stdout: /^words\nEurope\/Paris\n$/,
  },
  {
    rule: 'completion offers words for a start',
    line: 'completion words -- archive --start last-h',
    stdout: /^words\nlast-hour\n$/,
  },
];

/** Run by the built program. */
const OF_PROGRAM = [
  {
    rule: 'vane --help lists the options of every command',
    line: '--help',
    stdout: /^ {2}--base-url <url>/m,
  },
  {
    rule: 'completion offers fields within an open quote',
    line: 'completion words --line -- watch --when "avg > 5kn and tr',
    stdout: /^open\navg > 5kn and trend\t/,
  },
];

it.each(QUESTIONS.map(({ rule, line, stdout }) => [rule, line, stdout] as const))(
  '%s (vane %s)',
  async (_rule, line, stdout) => {
    const { code, out, err } = await vane(line.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(stdout);
  },
);

it.each(OF_PROGRAM.map(({ rule, line, stdout }) => [rule, line, stdout] as const))(
  '%s (bin/vane.js %s)',
  async (_rule, line, stdout) => {
    const outcome = await execa(process.execPath, [BIN, ...line.split(' ')], {
      stripFinalNewline: false,
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(stdout);
  },
);

it.skipIf(whyNoTmux())(
  'vane man shows the page in the pager of man, and leaves Ctrl-C to the pager, which q ends',
  async () => {
    const terminal = await openTerminal(80, 24, { PAGER: 'less' });
    onTestFinished(terminal.close);
    const isOpen = (rows: string[]) => rows.includes('SYNOPSIS');
    for (const [keys, last] of [
      [['q'], '[0]'],
      [['C-c', 'q'], 'vane: Interrupted.'],
    ] as const) {
      await terminal.type(`clear; ${process.execPath} ${BIN} man; echo "[$?]"`, 'Enter');
      const page = await terminal.until(isOpen);
      expect(page[0]).toMatch(/^VANE\(1\) .* VANE\(1\)$/);
      for (const key of keys) {
        expect(await terminal.screen()).toContain('SYNOPSIS');
        await terminal.type(key);
      }
      await terminal.until((rows) => rows.includes(last));
    }
  },
);

it.skipIf(whyNoTmux())(
  'vane man on a terminal without the program man exits with 1 and names the folder of the pages',
  async () => {
    const terminal = await openTerminal(80, 24);
    onTestFinished(terminal.close);
    await terminal.type(`PATH=/nowhere ${process.execPath} ${BIN} man; echo "[$?]"`, 'Enter');
    const rows = await terminal.until((shown) => shown.includes('[1]'));
    expect(rows.join('')).toMatch(/the program man .*docs\/reference /);
  },
);
