import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../src/makeFolder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('makeFolder makes missing folders and keeps existing ones', async () => {
  const path = join(folder, 'a', 'b', 'c');
  makeFolder(path);
  await writeFile(join(path, 'file'), '');
  makeFolder(path);
  expect((await stat(join(path, 'file'))).isFile()).toBe(true);
});

it.each([
  ['in place of the folder', ['file'], 'EEXIST'],
  ['in place of a parent folder', ['file', 'a', 'b'], 'ENOTDIR'],
])('makeFolder throws where there is a file %s', async (_, names, code) => {
  await writeFile(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, ...names))).toThrow(expect.objectContaining({ code }));
});

it.runIf(process.platform === 'linux')(
  'makeFolder throws at once, and does not try for ever, below /proc where mkdir always fails',
  () => {
    expect(() => makeFolder('/proc/a/b')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  },
);
