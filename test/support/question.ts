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
  /** The rule that the line is an example of, as the beginning of the test's name. */
  readonly rule: string;
  readonly line: string;
  readonly status: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

/** Makes rows for `it.each`: the rule and the line for the test's name, then the question itself. */
export const titled = <Q extends Question>(questions: readonly Q[]) =>
  questions.map((question) => [question.rule, question.line, question] as const);

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
export function expectAnswer(
  outcome: Outcome,
  { status, stdout, stderr }: Omit<Question, 'rule' | 'line'>,
): void {
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
