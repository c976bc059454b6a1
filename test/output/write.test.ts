import { existsSync, readdirSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InterruptedError, OutputError, UsageError } from '../../src/errors.ts';
import { readOutputTarget } from '../../src/output/target.ts';
import { checkOutputTarget, writeOutput } from '../../src/output/write.ts';
import { fakeIo } from '../support/fake-io.ts';
import { naming } from '../support/naming.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-'));
});
afterEach(() => rm(folder, { recursive: true }));

const toFile = (name: string) => ({ path: join(folder, name), isGzip: name.endsWith('.gz') });

it('writeOutput writes each piece to stdout and leaves it open', async () => {
  const io = fakeIo();
  await writeOutput(['a', 'b'], { path: undefined, isGzip: false }, io);
  await writeOutput(['c'], { path: undefined, isGzip: false }, io);
  expect(io.out()).toBe('abc');
});

it('writeOutput replaces a file in one rename and keeps its permissions', async () => {
  const target = toFile('wind.csv');
  await writeFile(target.path, 'old');
  await chmod(target.path, 0o640);
  await writeOutput(['ne', 'w'], target, fakeIo());
  expect(await readFile(target.path, 'utf8')).toBe('new');
  expect((await stat(target.path)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(['wind.csv']);
});

it('writeOutput drops the set-user-id and set-group-id bits of the file that it replaces', async () => {
  const target = toFile('wind.csv');
  await writeFile(target.path, 'old');
  await chmod(target.path, 0o6755);
  await writeOutput(['new'], target, fakeIo());
  expect((await stat(target.path)).mode & 0o7777).toBe(0o755);
});

it('writeOutput compresses a .gz file', async () => {
  const target = toFile('wind.csv.gz');
  await writeOutput(['time\n', '2024\n'], target, fakeIo());
  expect(gunzipSync(await readFile(target.path)).toString()).toBe('time\n2024\n');
});

it('writeOutput replaces the target of a link, not the link', async () => {
  await mkdir(join(folder, 'data'));
  const file = join(folder, 'data', 'wind.csv');
  await writeFile(file, 'old');
  await symlink(file, join(folder, 'link.csv'));
  await writeOutput(['new'], toFile('link.csv'), fakeIo());
  expect(await readlink(join(folder, 'link.csv'))).toBe(file);
  expect(await readFile(file, 'utf8')).toBe('new');
});

it('writeOutput writes to a device without replacing it', async () => {
  await writeOutput(['x'], { path: '/dev/null', isGzip: false }, fakeIo());
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
});

it('a failed writeOutput leaves the old file and no temporary file', async () => {
  const target = toFile('wind.csv');
  await writeFile(target.path, 'old');
  const failure = new Error('no more');
  async function* broken() {
    yield 'half';
    throw failure;
  }
  await expect(writeOutput(broken(), target, fakeIo())).rejects.toBe(failure);
  expect(await readFile(target.path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['wind.csv']);
});

it('a writeOutput that fails at the first piece leaves no temporary file', async () => {
  const found: number[] = [];
  function* breakOff() {
    found.push(readdirSync(folder).length);
    yield 'text';
    throw new Error('broken');
  }
  await expect(writeOutput(breakOff(), toFile('wind.csv'), fakeIo())).rejects.toThrow('broken');
  expect(found).toEqual([1]);
  expect(await readdir(folder)).toEqual([]);
});

it('an interrupted writeOutput leaves no file and throws the reason of the interruption', async () => {
  const io = fakeIo();
  const reason = new InterruptedError('SIGINT');
  async function* endless() {
    for (let line = 0; ; line++) {
      if (line === 3) io.interrupt(reason);
      await new Promise(setImmediate);
      yield 'line\n';
    }
  }
  await expect(writeOutput(endless(), toFile('wind.csv'), io)).rejects.toBe(reason);
  expect(await readdir(folder)).toEqual([]);
});

it.skipIf(!existsSync('/dev/full'))(
  'writeOutput reports a full disk (needs /dev/full)',
  async () => {
    const written = writeOutput(['x'.repeat(100)], { path: '/dev/full', isGzip: false }, fakeIo());
    await expect(written).rejects.toThrow(OutputError);
    await expect(written).rejects.toThrow(naming('/dev/full', 'disk is full'));
  },
);

it('checkOutputTarget refuses an output file that is a folder or lies below a file', async () => {
  await expect(checkOutputTarget({ path: folder, isGzip: false }, fakeIo())).rejects.toThrow(
    UsageError,
  );
  await writeFile(join(folder, 'file'), '');
  const below = toFile('file/no/wind.csv');
  await expect(checkOutputTarget(below, fakeIo())).rejects.toThrow(/is not a folder/);
  await expect(checkOutputTarget(toFile('wind.csv'), fakeIo())).resolves.toBeUndefined();
  await expect(
    checkOutputTarget({ path: undefined, isGzip: false }, fakeIo()),
  ).resolves.toBeUndefined();
});

it('writeOutput removes temporary files of vane and of the user that are older than a day', async () => {
  const io = fakeIo();
  const age = async (name: string, hours: number) => {
    await writeFile(join(folder, name), 'half');
    const seconds = io.now() / 1000 - hours * 3600;
    await utimes(join(folder, name), seconds, seconds);
  };
  await age('.vane-abc.tmp', 25);
  await age('.vane-young.tmp', 23);
  await age('.vane-abc.csv', 25);
  await age('other.tmp', 25);
  await mkdir(join(folder, '.vane-folder.tmp'));
  await utimes(join(folder, '.vane-folder.tmp'), 1, 1);
  await writeOutput(['new'], toFile('wind.csv'), io);
  expect((await readdir(folder)).sort()).toEqual([
    '.vane-abc.csv',
    '.vane-folder.tmp',
    '.vane-young.tmp',
    'other.tmp',
    'wind.csv',
  ]);
});

it('writeOutput writes through a link to a missing file', async () => {
  await symlink('later.csv', join(folder, 'link.csv'));
  await writeOutput(['new'], toFile('link.csv'), fakeIo());
  expect(await readlink(join(folder, 'link.csv'))).toBe('later.csv');
  expect(await readFile(join(folder, 'later.csv'), 'utf8')).toBe('new');
});

it('writeOutput replaces a link that is part of a circle of links by the file', async () => {
  await symlink('b.csv', join(folder, 'a.csv'));
  await symlink('a.csv', join(folder, 'b.csv'));
  await writeOutput(['new'], toFile('a.csv'), fakeIo());
  expect(await readFile(join(folder, 'a.csv'), 'utf8')).toBe('new');
});

it('readOutputTarget reads -, /dev/stdout and /dev/fd/1 as stdout, and refuses names of folders', () => {
  for (const name of [undefined, '-', '/dev/stdout', '/dev/fd/1']) {
    expect(readOutputTarget(name).path).toBeUndefined();
  }
  for (const name of ['', 'folder/', 'wind.csv/']) {
    expect(() => readOutputTarget(name)).toThrow(UsageError);
  }
  expect(readOutputTarget('wind.CSV.GZ')).toEqual({ path: 'wind.CSV.GZ', isGzip: true });
});
