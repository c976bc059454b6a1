import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/documents.ts';
import { example, useRecipeFolder } from './support/recipes.ts';

const recipes = useRecipeFolder();

it('each file of docs/examples is named by a test, or by a document whose commands a test runs', () => {
  const read = (folder: string, ending: string): string =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
      .join('');
  const texts = read('test', '.ts') + read('docs/reference', '.md');
  const names = readdirSync(join(ROOT, 'docs/examples'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tgz'))
    .map(({ parentPath, name }) => relative(join(ROOT, 'docs/examples'), join(parentPath, name)));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`['/]${name}\\b`).test(texts))).toEqual([]);
});

it('the lines of docs/examples/crontab have a PATH and a time, and their command adds no row twice on two nights', async () => {
  const { folder, sh, adapt } = recipes;
  const lines = /^PATH=.*\n((?:[\d*,/-]+ ){5})([^%]+)\n$/;
  const [, time, command = ''] = lines.exec(example('crontab')) ?? [];
  expect(time).toBe('15 3 * * * ');
  const brief = adapt(command).replace('2024-01-30', '4d');
  for (let night = 0; night < 2; night++) await sh(brief);
  const [license, , names, , ...rows] = (await readFile(join(folder, '110.csv'), 'utf8')).split(
    '\n',
  );
  expect([license, names]).toEqual([
    expect.stringMatching(/^"License"/),
    expect.stringMatching(/^"time"/),
  ]);
  expect(rows.length).toBeGreaterThan(1000);
  expect(new Set(rows).size).toBe(rows.length);
});

it('the commands of docs/examples for tmux and waybar print one line for the status bar', async () => {
  const [, tmux = ''] = /'#\((.*)\)'$/m.exec(example('tmux.conf')) ?? [];
  const waybar = JSON.parse(example('waybar.jsonc')) as Record<string, { exec: string }>;
  const lines = [tmux, waybar['custom/wind']?.exec ?? ''].map((line) => recipes.sh(line));
  const outputs = await Promise.all(lines);
  expect(outputs.map(({ stderr }) => stderr)).toEqual(['', '']);
  const [named, short] = outputs.map(({ stdout }) => stdout);
  expect(short).toMatch(/^\d+ km\/h [NESW]+$|^calm$/);
  expect(named).toMatch(/^Plage des Embruns \(simulated\) (\d+ km\/h [NESW]+|calm)$/);
});
