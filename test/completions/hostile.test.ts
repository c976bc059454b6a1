import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { execa, execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { manualPage } from '../../.build/documents/index.ts';
import { completeWords } from '../../src/completions/complete.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../../src/completions/scripts.ts';

const HOSTILE = 'it\'s "a" `touch x` $(touch x) [b]:c \\ %d {e} <f> #g ;h &i |j !k ’l‘ @(m)';

/** A program whose every word of prose would do harm where it was not quoted. */
function hostileProgram() {
  const program = new Command('vane').description(HOSTILE).addHelpText('after', `.${HOSTILE}`);
  program.option('--all-over <text>', HOSTILE);
  program
    .command('go')
    .alias('g')
    .summary(HOSTILE)
    .description(`.${HOSTILE}`)
    .addArgument(program.createArgument('<where>', HOSTILE).choices(['a b', "c'd", '$(touch x)']))
    .argument('[stations...]', HOSTILE)
    .addOption(new Option('-k, --kind <kind>', HOSTILE).choices(['e f', '`g`']))
    .option('--many <folder...>', HOSTILE)
    .addHelpText('after', `'${HOSTILE}\n\nExamples:\n  $ ${HOSTILE}`)
    .action(() => {});
  return program;
}

const has = (program: string): boolean =>
  !execaSync(program, ['--version'], { reject: false }).failed;

describe('help texts with quotes and shell syntax', () => {
  it.each(SHELLS.filter((shell) => has(shell)))(
    'help texts with quotes and shell syntax leave the completion script valid for %s -n',
    async (shell) => {
      const folder = await mkdtemp(join(tmpdir(), 'vane-hostile-'));
      const path = join(folder, 'script');
      await writeFile(path, COMPLETION_SCRIPTS[shell]);
      const { stderr } = await execa(shell, ['-n', path]);
      expect(stderr).toBe('');
      await rm(folder, { recursive: true });
    },
  );

  it('help texts with quotes and shell syntax are unchanged in the completions', async () => {
    const known = { favourites: () => [], keys: () => [], stations: async () => [] };
    const offered = async (...typed: string[]) =>
      (await completeWords(hostileProgram(), typed, known)).candidates;
    expect(await offered('g')).toEqual([
      ['go', HOSTILE],
      ['g', HOSTILE],
    ]);
    expect(await offered('go', '')).toEqual([['a b'], ["c'd"], ['$(touch x)']]);
    expect(await offered('go', 'x', '--ki')).toEqual([['--kind', HOSTILE]]);
    expect(await offered('g', 'x', '-k', '')).toEqual([['e f'], ['`g`']]);
  });

  it.runIf(has('groff'))(
    'help texts with quotes and shell syntax are unchanged in the manual page as groff shows it',
    async () => {
      const input = manualPage(hostileProgram(), '1');
      const { stdout, stderr } = await execa('groff', ['-k', '-man', '-ww', '-Tutf8', '-P-cbou'], {
        input,
      });
      expect(stderr).toBe('');
      const words = stdout.replace(/\s+/g, ' ');
      expect(words.split(HOSTILE).length - 1).toBeGreaterThanOrEqual(8);
    },
  );
});
