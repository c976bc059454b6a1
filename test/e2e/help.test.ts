import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { vane } from '../support/run.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const QUESTIONS = [
  {
    line: 'live --help',
    stdout: /^Shows .*\n\nUsage: vane live .*\n\nExamples:\n(?: {2}\$ .*\n){3}\n/,
  },
  {
    line: 'archive --help',
    stdout: /^Selection:$[\s\S]*^Period:$[\s\S]*^Output:$[\s\S]*^Requests:$/m,
  },
  { line: 'watch --help', stdout: /^vane --help lists the options of every command/m },
  { line: 'completion words -- archive --columns time,pr', stdout: /^open\ntime,pressure\t.*\n$/ },
  { line: 'completion words -- live --tz Europe/Par', stdout: /^words\nEurope\/Paris\n$/ },
  { line: 'completion words -- archive --start last-h', stdout: /^words\nlast-hour\n$/ },
];

/** Asked of the built program. */
const OF_PROGRAM = [
  { line: '--help', stdout: /^ {2}--base-url <url>/m },
  {
    line: 'completion words --line -- watch --when "avg > 5kn and tr',
    stdout: /^open\navg > 5kn and trend\t/,
  },
];

function expectLines(text: string, expected: RegExp): void {
  expect(text).toMatch(expected);
  expect(text.split('\n').length).toBeLessThanOrEqual(61);
}

it.each(QUESTIONS.map(({ line, stdout }) => [line, stdout] as const))(
  'vane %s exits with 0 and prints at most 60 lines on stdout, which match %s',
  async (line, stdout) => {
    const { code, out, err } = await vane(line.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expectLines(out, stdout);
  },
);

it.each(OF_PROGRAM.map(({ line, stdout }) => [line, stdout] as const))(
  'bin/vane.js %s exits with 0 and prints at most 60 lines on stdout, which match %s',
  async (line, stdout) => {
    const outcome = await execa(process.execPath, [BIN, ...line.split(' ')], {
      stripFinalNewline: false,
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expectLines(outcome.stdout, stdout);
  },
);
