import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const HELP = [
  {
    line: 'live --help',
    stdout: /^Shows .*\n\nUsage: vane live .*\n\nExamples:\n(?: {2}\$ .*\n){3}\n/,
  },
  {
    line: 'archive --help',
    stdout: /^Selection:$[\s\S]*^Period:$[\s\S]*^Output:$[\s\S]*^Requests:$/m,
  },
  { line: 'watch --help', stdout: /^vane --help lists the options of every command/m },
  { line: '--help', stdout: /^ {2}--base-url <url>/m },
  { line: 'completion words -- archive --columns time,pr', stdout: /^open\ntime,pressure\t.*\n$/ },
  { line: 'completion words -- live --tz Europe/Par', stdout: /^words\nEurope\/Paris\n$/ },
  { line: 'completion words -- archive --start last-h', stdout: /^words\nlast-hour\n$/ },
  {
    line: 'completion words --line -- watch --when "avg > 5kn and tr',
    stdout: /^open\navg > 5kn and trend\t/,
  },
];

it.each(HELP.map(({ line, stdout }) => [line, stdout] as const))(
  'vane %s exits with 0 and prints at most 60 lines on stdout, which match %s',
  async (line, stdout) => {
    const outcome = await execa(process.execPath, [BIN, ...line.split(' ')], {
      stripFinalNewline: false,
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(stdout);
    expect(outcome.stdout.split('\n').length).toBeLessThanOrEqual(61);
  },
);
