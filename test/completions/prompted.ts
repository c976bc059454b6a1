import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bare, LINES, named, SHELL_OFFERS } from './completionCases.ts';
import { openPrompt, type Prompt, type Stage, setStage, whyNo } from './stage.ts';

export interface Shell {
  readonly name: string;
  /** The command that starts it, and the file in the home folder that it reads first. */
  readonly start: string;
  readonly file: string;
  readonly text: string;
  /** How often Tab has to be pressed before there is a list. */
  readonly tabs: number;
}

/** Presses Tab in a real shell, after the lines that exercise its script. */
export function testPrompt({ name, start, file, text, tabs }: Shell): void {
  const reason = whyNo(name, true);
  if (reason) console.warn(`Completions of ${name} were not tried: ${reason}.`);

  describe.skipIf(reason !== undefined)(`Tab in ${name}`, () => {
    let stage: Stage;
    let prompt: Prompt;
    beforeAll(async () => {
      stage = await setStage();
      await writeFile(join(stage.folder, 'home', file), text);
      prompt = await openPrompt(start, stage);
    });
    afterAll(async () => {
      await prompt?.close();
      await stage?.strike();
    });

    const effect = (line: string, completed: string | undefined): string => {
      if (completed === undefined) return `is pressed at the end of the line “${line}”`;
      if (completed === line) return `leaves the line “${line}” unchanged`;
      return `completes the line “${line}” to “${completed}”`;
    };

    it.each(
      SHELL_OFFERS.map(
        ([line, offers, , completed]) =>
          [effect(line, completed), named(offers), line, offers, completed] as const,
      ),
    )(
      `Tab in ${name} %s, for which vane offers %s`,
      async (_effect, _named, line, offers, completed) => {
        const answer = await prompt.pressTab(line);
        expect(bare(answer.offers)).toEqual([...offers].sort());
        expect(answer.line).toBe(completed ?? answer.line);
      },
    );

    it.each(LINES.map(([line, completed]) => [effect(line, completed), line, completed] as const))(
      `Tab in ${name} %s`,
      async (_effect, line, completed) => {
        expect((await prompt.pressTab(line)).line).toBe(completed);
      },
    );

    it(`Tab in ${name} shows the names of stations that the built program offers, and runs no command that a name contains`, async () => {
      await prompt.run('unset ANSWERED_AT');
      await prompt.pressTab(`vane live ${'\t'.repeat(tabs - 1)}`);
      const screen = await prompt.screen();
      expect(screen).toMatch(/110 .*Dune du Pilat/);
      expect(screen).toContain('$(touch pwned)');
      expect(await readdir(join(stage.folder, 'work'))).not.toContain('pwned');
    });

    it(`Tab in ${name} offers no stations without a cached list of stations`, async () => {
      await prompt.run(`VANE_CACHE_DIR=${join(stage.folder, 'none')}`);
      expect(await prompt.pressTab('vane live ')).toEqual({ line: 'vane live ', offers: [] });
    });
  });
}
