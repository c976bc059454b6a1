import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitShellLine } from '../../src/completions/complete.ts';
import { vane } from '../support/run.ts';
import { bare, named, OTHER_OFFERS, type Row, SHELL_OFFERS } from './completionCases.ts';
import { type Stage, setStage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.strike());

/** Asks vane as a script does. @returns the kind of the offered words, and the words */
async function ask(flags: readonly string[], words: readonly string[]) {
  const args = ['completion', 'words', ...flags, '--', ...words];
  const { code, out, err } = await vane(args, { env: stage.env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [kind, ...lines] = out.trimEnd().split('\n');
  return { kind, offers: bare(lines.map((line) => line.split('\t')[0] ?? '')) };
}

/**
 * The words of a line are the same in each shell, so all lines are completed here, in this process.
 * The tests of the shells type only the lines of `SHELL_OFFERS` and `LINES`.
 */
describe('vane completion words', () => {
  const ofShells = SHELL_OFFERS.map(([line, offers, kind]): Row => [line, offers, kind]);
  const rows = [...ofShells, ...OTHER_OFFERS].map(
    ([line, offers, kind = 'words']) => [named(offers), line, offers, kind] as const,
  );

  it.each(rows)(
    'vane completion words offers %s after “%s”, whether the script of the shell passes the words of the line or the line cut at blanks',
    async (_named, line, offers, kind) => {
      const expected = { kind, offers: [...offers].sort() };
      // zsh and fish cut the line at words, with their quotes; bash cuts it at blanks.
      expect(await ask([], splitShellLine(line).slice(1))).toEqual(expected);
      expect(await ask(['--line'], line.split(' ').slice(1))).toEqual(expected);
    },
  );
});
