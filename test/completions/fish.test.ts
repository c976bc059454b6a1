import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bare, named, SHELL_OFFERS } from './completionCases.ts';
import { ROOT, type Stage, setStage, whyNo } from './stage.ts';

const reason = whyNo('fish', false);
if (reason) console.warn(`Completions of fish were not tried: ${reason}.`);

describe.skipIf(reason !== undefined)('completion in fish', () => {
  let stage: Stage;
  /** Candidates with their descriptions for each of some lines. */
  async function ask(lines: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const script = `source '${ROOT}completions/vane.fish'
for line in $argv
  complete -C "$line"
  printf '\\0'
end`;
    const { stdout, stderr } = await execa('fish', ['--no-config', '-c', script, '--', ...lines], {
      cwd: join(stage.folder, 'work'),
      env: { ...stage.env, ...env },
    });
    expect(stderr).toBe('');
    return stdout
      .split('\0')
      .slice(0, -1)
      .map((text) => text.split('\n').filter(Boolean));
  }
  let answers: string[][];
  beforeAll(async () => {
    stage = await setStage();
    answers = await ask(SHELL_OFFERS.map(([line]) => line));
  });

  afterAll(() => stage?.strike());

  it.each(
    SHELL_OFFERS.map(([line, offers], index) => [line, named(offers), offers, index] as const),
  )('completion in fish after “%s” offers %s', (_line, _named, offers, index) => {
    const words = (answers[index] ?? []).map((line) => line.split('\t')[0] ?? '');
    expect(bare(words)).toEqual([...offers].sort());
  });

  it('completion in fish offers files only where a file is expected', async () => {
    const lines = [
      'vane live -o wi',
      'vane live --output=wi',
      'vane live --name wi',
      'vane live wi',
    ];
    expect(await ask(lines)).toEqual([['wind 2024.csv'], ['--output=wind 2024.csv'], [], []]);
  });

  it('completion in fish shows station names beside ids, in ascending order of ids, as the built program offers them', async () => {
    expect((await ask(['vane live '], { ANSWERED_AT: '' }))[0]).toEqual([
      '110\tDune du Pilat',
      '603\t$(touch pwned)',
      '666\t`touch pwned`',
      `1104\t'"; touch pwned #`,
      '1500\t[a]:b\\c %B{d} ␛[31m',
    ]);
  });

  it('completion in fish offers no stations without a cached list of stations', async () => {
    expect(await ask(['vane live '], { VANE_CACHE_DIR: join(stage.folder, 'none') })).toEqual([[]]);
  });
});
