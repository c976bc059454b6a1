import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileCacheFolder } from '../src/compileCache.ts';
import { findOwnFolder, SharedFolderError } from '../src/ownFolder.ts';

const USER = process.geteuid?.();
const STRANGER = 54_321;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vane-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const find = (isMade = true, names = ['.cache', 'vane']) =>
  findOwnFolder({ within: home, names, user: USER, isMade });

const OWN = join('.cache', 'vane');

describe('findOwnFolder', () => {
  it('an own folder and its missing parents are made with mode 0700', () => {
    expect(find()).toBe(join(home, OWN));
    for (const path of ['.cache', OWN]) {
      expect(statSync(join(home, path)).mode & 0o777).toBe(0o700);
    }
    expect(find()).toBe(join(home, OWN));
  });

  it('an own folder is not made when isMade is false', () => {
    expect(find(false)).toBeUndefined();
    expect(findOwnFolder({ within: join(home, 'no'), names: [], user: USER, isMade: false })).toBe(
      undefined,
    );
  });

  it('an own folder may be readable by other users', () => {
    mkdirSync(join(home, OWN), { recursive: true, mode: 0o755 });
    expect(find()).toBe(join(home, OWN));
  });

  it('an own folder is found below a home that is a link', () => {
    mkdirSync(join(home, 'real'), { mode: 0o700 });
    symlinkSync('real', join(home, 'link'));
    const found = findOwnFolder({
      within: join(home, 'link'),
      names: ['vane'],
      user: USER,
      isMade: true,
    });
    expect(found).toBe(join(home, 'real', 'vane'));
  });
});

describe('an unsafe folder', () => {
  const refuse = (message: RegExp): void => {
    expect(find).toThrow(SharedFolderError);
    expect(find).toThrow(message);
  };

  it('a link is refused as an own folder, even to a folder of the user', () => {
    mkdirSync(join(home, 'elsewhere'));
    mkdirSync(join(home, '.cache'));
    symlinkSync(join(home, 'elsewhere'), join(home, OWN));
    refuse(/vane is a link$/);
  });

  it.each([0o770, 0o707, 0o1777])('an own folder with mode %o is refused', (mode) => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, OWN), mode);
    refuse(/other users may write .*vane; chmod go-w ends that$/);
  });

  it('an own folder below a folder that others may write is refused', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, '.cache'), 0o777);
    refuse(/other users may write .*\.cache/);
  });

  it('an own folder is refused where others may rename a folder above it', () => {
    chmodSync(home, 0o777);
    refuse(/other users may write /);
  });

  it.runIf(USER === 0)('an own folder of another user is refused', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    lchownSync(join(home, OWN), STRANGER, STRANGER);
    refuse(/vane belongs to another user$/);
  });

  it.runIf(USER === 0)('an own folder below the home of another user is refused', () => {
    lchownSync(home, STRANGER, STRANGER);
    refuse(/belongs to another user$/);
  });
});

describe('compileCacheFolder', () => {
  const of = (within: string, temporary: string) =>
    compileCacheFolder({ within, names: ['.cache', 'vane'] }, USER, temporary);

  it('the compile cache lies below the caches of the user', () => {
    mkdirSync(join(home, 'tmp'));
    expect(of(home, join(home, 'tmp'))).toBe(join(home, OWN, 'compiled'));
    expect(statSync(join(home, OWN, 'compiled')).mode & 0o777).toBe(0o700);
  });

  it('there is no compile cache below the temporary folder, or where others may write', () => {
    expect(of(home, tmpdir())).toBeUndefined();
    expect(of(join(home, 'missing'), join(home, 'tmp'))).toBeUndefined();
    mkdirSync(join(home, 'tmp'));
    chmodSync(home, 0o777);
    expect(of(home, join(home, 'tmp'))).toBeUndefined();
  });

  it('there is no compile cache below the temporary folder reached through a link', () => {
    mkdirSync(join(home, 'tmp', 'user'), { recursive: true });
    symlinkSync(join('tmp', 'user'), join(home, 'link'));
    expect(of(join(home, 'link'), join(home, 'tmp'))).toBeUndefined();
  });
});
