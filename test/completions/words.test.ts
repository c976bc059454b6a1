import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitShellLine } from '../../src/completions/complete.ts';
import { vane } from '../support/run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-words-'));
  const favourites = { home: 110, hut: { station: 'PP603', when: 'avg > 9kn' } };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ units: 'kn', favourites }));
  await writeFile(join(folder, 'broken.json'), '{');
});
afterAll(() => rm(folder, { recursive: true }));

async function offered(typed: readonly string[], config = 'config.json'): Promise<string> {
  const { code, out, err } = await vane(['completion', 'words', '--', ...typed], {
    env: { VANE_CONFIG: join(folder, config), VANE_CACHE_DIR: join(folder, 'none') },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('vane completion words:', () => {
  const OFFERS: readonly (readonly [typed: readonly string[], lines: string | RegExp])[] = [
    [['live', ''], 'words\nhome\t110\nhut\tPP603\nfavourites\tall of your favourites\n'],
    [['live', 'home', 'h'], 'words\nhut\tPP603\n'],
    [['archive', 'HU'], 'words\nhut\tPP603\n'],
    [
      ['config', 'get', 'favourites.h'],
      'words\nfavourites.home\t110\nfavourites.hut\tPP603\nfavourites.hut.when\tavg > 9kn\n',
    ],
    [
      ['config', 'unset', ''],
      /^words\nbase_url\nunits\ntz\nfavourites\.home\t110\n(?:fav.*\n){2}$/,
    ],
    [['config', 'set', 'favourites.home.'], /^words\nfavourites\.home\.when\t.+\n$/],
    [['config', 'set', 'favourites.hut.'], 'words\nfavourites.hut.when\tavg > 9kn\n'],
    [['config', 'set', 'favorites.hut.when', 'not av'], /^open\nnot avg\t/],
    [['config', 'set', 'favourites.when', 'av'], 'words\n'],
    [['config', 'set', 'favourites.x'], 'words\n'],
    [['config', 'set', 'favourites.home', ''], 'words\n'],
    [['config', 'set', 'units', 'k'], 'words\nkmh\nkn\n'],
    [['--base-url', ''], 'words\nhttps://api.pioupiou.fr\nhttps://api.openwindmap.org\n'],
    [['live', '--tz', 'europe/paris'], 'words\nEurope/Paris\n'],
    [['live', '--tz', ''], /^words\nutc\nlocal\nAfrica\/(?:.*\n){300}/],
    [['archive', '--columns', 'time,'], /^open\ntime,lat\t.*\n(?:time,.*\n){16}$/],
    [['watch', '--when', 'not av'], /^open\nnot avg\tmean wind speed, with a unit: .*\n$/],
    [['watch', '--until', 'state != o'], 'words\n'],
    [['live', '-qf', 'geo'], 'words\ngeojson\n'],
    [['live', '-fcsv', '--for'], 'words\n'],
    [['live', '--output=x'], 'files\n'],
  ];
  const shown = (lines: string | RegExp) =>
    typeof lines === 'string' ? JSON.stringify(lines) : `text that matches ${lines}`;
  it.each(OFFERS.map(([typed, lines]) => [typed, shown(lines), lines] as const))(
    'vane completion words prints for the words %j, with the favourites home and hut, %s',
    async (typed, _shown, lines) => {
      const out = await offered(typed);
      if (typeof lines === 'string') expect(out).toBe(lines);
      else expect(out).toMatch(lines);
    },
  );

  const ODD: readonly (readonly string[])[] = [
    [],
    [''],
    ['bogus', ''],
    ['live', '--bogus', '--bogus='],
    ['live', '"', "'"],
    ['--', ''],
    ['-', '-='],
    ['man', ''],
    ['completion', 'words', ''],
    ['live', '\u0000\n\t'],
    ['live', '--when', '('.repeat(10_000)],
  ];
  it.each(ODD.map((typed) => [JSON.stringify(typed).slice(0, 60), typed] as const))(
    'vane completion words exits with 0 for the odd words %s and prints nothing on stderr',
    async (_shown, typed) => {
      expect(await offered(typed)).toMatch(/^words\n/);
    },
  );

  it('vane completion words with a broken config file offers the keys of vane config and no favourite', async () => {
    expect(await offered(['live', ''], 'broken.json')).toBe('words\n');
    expect(await offered(['config', 'get', ''], 'broken.json')).toBe(
      'words\nbase_url\nunits\ntz\n',
    );
  });

  it.each([
    ['', ['']],
    ['live ', ['live', '']],
    ['live  a', ['live', 'a']],
    ["watch --when 'avg > 1", ['watch', '--when', "'avg > 1"]],
    ["watch --when 'avg > ", ['watch', '--when', "'avg > "]],
    ['-o a\\ b "c d" ', ['-o', 'a\\ b', '"c d"', '']],
    ['-o a\\', ['-o', 'a\\']],
  ])('vane completion words splits the line %j into %j', (line, words) => {
    expect(splitShellLine(line)).toEqual(words);
  });
});
