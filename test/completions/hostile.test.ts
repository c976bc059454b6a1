import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { execa, execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { completionScript } from '../../src/completions/index.ts';
import { manualPage } from '../../src/completions/man.ts';
import { SHELLS } from '../../src/completions/shells.ts';
import { readTree } from '../../src/completions/tree.ts';

const HOSTILE = 'it\'s "a" `touch x` $(touch x) [b]:c \\ %d {e} <f> #g ;h &i |j !k ’l‘ @(m)';

/** A program whose every word of prose would do harm where it was not quoted. */
function hostileTree() {
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
  return readTree(program);
}

const has = (program: string): boolean =>
  !execaSync(program, ['--version'], { reject: false }).failed;

describe('hostile prose', () => {
  it.each(SHELLS.filter((shell) => has(shell)))(
    '%s reads a script made of hostile help texts',
    async (shell) => {
      const folder = await mkdtemp(join(tmpdir(), 'vane-hostile-'));
      const path = join(folder, 'script');
      await writeFile(path, completionScript(shell, hostileTree()));
      const { stderr } = await execa(shell, ['-n', path]);
      expect(stderr).toBe('');
      await rm(folder, { recursive: true });
    },
  );

  it.runIf(has('fish'))('fish shows hostile help texts unchanged', async () => {
    const script = `${completionScript('fish', hostileTree())}\ncomplete -C 'vane g'; complete -C 'vane go '; complete -C 'vane go x --ki'; complete -C 'vane g x -k '`;
    const { stdout } = await execa('fish', ['--no-config', '-c', script]);
    expect(stdout.split('\n')).toEqual([
      `g\t${HOSTILE}`,
      `go\t${HOSTILE}`,
      '$(touch x)',
      'a b',
      "c'd",
      `--kind\t${HOSTILE}`,
      `e f\t${HOSTILE}`,
      `\`g\`\t${HOSTILE}`,
    ]);
  });

  it.runIf(has('groff'))('groff shows hostile help texts unchanged', async () => {
    const input = manualPage(hostileTree(), '1');
    const { stdout, stderr } = await execa('groff', ['-k', '-man', '-ww', '-Tutf8', '-P-cbou'], {
      input,
    });
    expect(stderr).toBe('');
    const words = stdout.replace(/\s+/g, ' ');
    expect(words.split(HOSTILE).length - 1).toBeGreaterThanOrEqual(8);
  });
});
