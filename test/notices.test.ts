import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noticesOf } from '../.build/notices.mjs';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vane-notices-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Makes a package. @returns the path of its module */
async function makePackage(name: string, licence?: string): Promise<string> {
  const folder = join(root, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  const about = { name, version: '1.2.3', license: 'MIT' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(about));
  if (licence !== undefined) await writeFile(join(folder, 'LICENSE.md'), licence);
  return join(folder, 'lib', 'index.js');
}

it('dist/NOTICES.txt lists each bundled package once, with its licence, and not the files of vane', async () => {
  const gust = await makePackage('@wind/gust', 'Copyright of gust\r\n');
  const lull = await makePackage('lull', 'Copyright of lull\n');
  expect(noticesOf([lull, gust, `${gust}on`, join(root, 'src/main.ts')])).toBe(`\
dist/ contains code and data of the packages below, under their licences.

---- @wind/gust 1.2.3 (MIT)

Copyright of gust

---- lull 1.2.3 (MIT)

Copyright of lull
`);
});

it('the build fails where a bundled package has no licence file', async () => {
  const file = await makePackage('bare');
  expect(() => noticesOf([file])).toThrow(/\bbare\b.*licence/);
});

it('dist/NOTICES.txt lists packages in commands, scripts and styles of the page, coastlines, and code inside packages', async () => {
  const text = await readFile(new URL('../dist/NOTICES.txt', import.meta.url), 'utf8');
  const names = Array.from(text.matchAll(/^---- (\S+) /gm), ([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['commander', 'd3-shape', 'leaflet', 'world-atlas']),
  );
  expect(text).toContain('Copyright Fedor Indutny, 2018.');
});
