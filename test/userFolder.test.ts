import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPrivateFolder, makeFolder } from '../src/userFolder.ts';

const USER = process.geteuid?.();
const STRANGER = 54_321;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vane-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const find = (isMade = true, names = ['.cache', 'vane']) =>
  findPrivateFolder({ within: home, names }, USER, isMade);

const OWN = join('.cache', 'vane');

describe('findPrivateFolder', () => {
  it('findPrivateFolder makes the folder and its missing parents with mode 0700', () => {
    expect(find()).toBe(join(home, OWN));
    for (const path of ['.cache', OWN]) {
      expect(statSync(join(home, path)).mode & 0o777).toBe(0o700);
    }
    expect(find()).toBe(join(home, OWN));
  });

  it('findPrivateFolder makes a missing folder that the user named with mode 0700', () => {
    const within = join(home, 'a', 'b');
    expect(findPrivateFolder({ within, names: [] }, USER, true)).toBe(within);
    expect(statSync(within).mode & 0o777).toBe(0o700);
  });

  it('findPrivateFolder makes no folder when isMade is false', () => {
    expect(find(false)).toBeUndefined();
    expect(findPrivateFolder({ within: join(home, 'no'), names: [] }, USER, false)).toBeUndefined();
  });

  it('findPrivateFolder accepts a folder that other users may read', () => {
    mkdirSync(join(home, OWN), { recursive: true, mode: 0o755 });
    expect(find()).toBe(join(home, OWN));
  });

  it('findPrivateFolder finds the folder below a home that is a link', () => {
    mkdirSync(join(home, 'real'), { mode: 0o700 });
    symlinkSync('real', join(home, 'link'));
    const found = findPrivateFolder({ within: join(home, 'link'), names: ['vane'] }, USER, true);
    expect(found).toBe(join(home, 'real', 'vane'));
  });
});

describe('findPrivateFolder refuses an unsafe folder', () => {
  const refuse = (message: RegExp): void => expect(find).toThrow(message);

  it('findPrivateFolder refuses a link in place of the folder, even to a folder of the user', () => {
    mkdirSync(join(home, 'elsewhere'));
    mkdirSync(join(home, '.cache'));
    symlinkSync(join(home, 'elsewhere'), join(home, OWN));
    refuse(/vane is a link$/);
  });

  it.each([
    ['0770', 0o770],
    ['0707', 0o707],
    ['1777', 0o1777],
  ])('findPrivateFolder refuses a folder that others may write, by mode %s', (_octal, mode) => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, OWN), mode);
    refuse(/other users .*vane; chmod go-w/);
  });

  it('findPrivateFolder refuses a folder below one that others may write', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, '.cache'), 0o777);
    refuse(/other users may write to .*\.cache/);
  });

  it('findPrivateFolder makes no folder below one that others may write', () => {
    const shared = join(home, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    symlinkSync('shared', join(home, 'link'));
    for (const way of ['shared', 'link']) {
      const place = { within: join(home, way, 'a', 'b'), names: ['answers'] };
      expect(() => findPrivateFolder(place, USER, true)).toThrow(
        /other users may write to .*shared$/,
      );
    }
    expect(readdirSync(shared)).toEqual([]);
  });

  it('findPrivateFolder refuses a folder below a home in which others may rename folders', () => {
    chmodSync(home, 0o777);
    refuse(/other users may write to /);
  });

  it.runIf(USER === 0)('findPrivateFolder refuses a folder that belongs to another user', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    lchownSync(join(home, OWN), STRANGER, STRANGER);
    refuse(/vane belongs to another user$/);
  });

  it.runIf(USER === 0)('findPrivateFolder refuses a folder below the home of another user', () => {
    lchownSync(home, STRANGER, STRANGER);
    refuse(/belongs to another user$/);
  });
});

describe('makeFolder', () => {
  it('makeFolder makes missing folders and keeps existing ones', () => {
    const path = join(home, 'a', 'b', 'c');
    expect(makeFolder(path)).toEqual([join(home, 'a'), join(home, 'a', 'b'), path]);
    writeFileSync(join(path, 'file'), '');
    expect(makeFolder(path)).toEqual([]);
    expect(statSync(join(path, 'file')).isFile()).toBe(true);
  });

  it.each([
    ['in place of the folder', ['file'], 'EEXIST'],
    ['in place of a parent folder', ['file', 'a', 'b'], 'ENOTDIR'],
  ])('makeFolder throws where there is a file %s', (_, names, code) => {
    writeFileSync(join(home, 'file'), '');
    expect(() => makeFolder(join(home, ...names))).toThrow(expect.objectContaining({ code }));
  });

  it.runIf(process.platform === 'linux')(
    'makeFolder throws at once, and does not try for ever, below /proc where mkdir always fails',
    () => {
      expect(() => makeFolder('/proc/a/b')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    },
  );
});
