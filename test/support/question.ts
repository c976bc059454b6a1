import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect } from 'vitest';
import type { FakeIoOptions } from './fake-io.ts';
import { vane } from './run.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

/**
 * A command line as people type it, with the exit code and output it should have. A string is the
 * whole output of a stream; a RegExp matches a part of it.
 */
export interface Question {
  readonly line: string;
  readonly status: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

/**
 * Makes rows for `it.each`. A row has the line, the exit code and the output for the test's title,
 * and then the question itself.
 */
export function titled<Q extends Question>(questions: readonly Q[]) {
  return questions.map((question) => {
    const { line, status, stdout, stderr } = question;
    const none = stdout === '' ? 'nothing on stdout' : 'anything';
    const printed = String(stdout || stderr || none)
      .replaceAll('\n', ' ')
      .trim();
    return [line, status, printed, question] as const;
  });
}

/** Exit code and output of a run. */
export interface Outcome {
  readonly exitCode?: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Checks the exit code and output of a command line. A stream that the question leaves out may hold
 * anything.
 */
export function expectAnswer(outcome: Outcome, { status, stdout, stderr }: Question): void {
  expectText(outcome.stderr, stderr);
  expectText(outcome.stdout, stdout);
  expect(outcome.exitCode).toBe(status);
}

function expectText(text: string, expected: string | RegExp | undefined): void {
  if (typeof expected === 'string') expect(text).toBe(expected);
  else if (expected) expect(text).toMatch(expected);
}

/**
 * Runs the words after `vane` in this process, by the code that the built program runs: a start of
 * the program takes 0.2 s. For questions about words and printed text; those about pipes, files of
 * the folder, signals, terminals or other programs need a process.
 */
export async function runHere(line: string, options: FakeIoOptions): Promise<Outcome> {
  const { code, out, err } = await vane(words(line), options);
  return { exitCode: code, stdout: out, stderr: err };
}

/** Runs a line of a shell in a folder, where `vane` is the built program. */
export async function runInShell(
  line: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execa({
    shell: '/bin/sh',
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
    env,
  })`${`vane() { '${process.execPath}' '${BIN}' "$@"; }; ${line}`}`;
  return { exitCode, stdout, stderr };
}

/** The words of a command line; blanks within quotes do not end a word. */
export const words = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
