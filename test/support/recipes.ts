import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The recipes of README.md by their titles. */
export const RECIPES = new Map(
  Array.from(
    README.matchAll(/<details>\n<summary>(.*?)<\/summary>\n(.*?)<\/details>/gs),
    ([, title = '', text = '']) => [title, text],
  ),
);

/** The code blocks of a recipe that are written in one language, such as `sh`. */
export function blocksOf(title: string, language: string): string[] {
  const blocks = RECIPES.get(title)?.matchAll(/^```(\w+)\n(.*?)^```$/gms) ?? [];
  const found = Array.from(blocks).filter(([, name]) => name === language);
  expect(found.length, `${language} in “${title}”`).toBeGreaterThan(0);
  return found.map(([, , code = '']) => code);
}

/** On Debian some programs are in /usr/sbin, which is not in the PATH of users. */
export const PATH = `${process.env.PATH}:/usr/sbin`;

/**
 * Whether a recipe needs a program that this machine lacks; prints then that its test is skipped.
 */
export function isMissing(name: string, program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH } });
    return false;
  } catch {
    console.log(`skipped: the recipe of README.md for ${name}, which is not installed`);
    return true;
  }
}
