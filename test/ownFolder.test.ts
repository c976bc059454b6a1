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

describe('a folder of the user alone', () => {
  it('is made with mode 0700, all that is missing of its path', () => {
    expect(find()).toBe(join(home, OWN));
    for (const path of ['.cache', OWN]) {
      expect(statSync(join(home, path)).mode & 0o777).toBe(0o700);
    }
    expect(find()).toBe(join(home, OWN));
  });

  it('is not made by a reader', () => {
    expect(find(false)).toBeUndefined();
    expect(findOwnFolder({ within: join(home, 'no'), names: [], user: USER, isMade: false })).toBe(
      undefined,
    );
  });

  it('may be readable by others', () => {
    mkdirSync(join(home, OWN), { recursive: true, mode: 0o755 });
    expect(find()).toBe(join(home, OWN));
  });

  it('is found through a home that is a link', () => {
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

describe('a folder that another user could have made', () => {
  const refuse = (message: RegExp): void => {
    expect(find).toThrow(SharedFolderError);
    expect(find).toThrow(message);
  };

  it('is refused as a link, also to a folder of the user', () => {
    mkdirSync(join(home, 'elsewhere'));
    mkdirSync(join(home, '.cache'));
    symlinkSync(join(home, 'elsewhere'), join(home, OWN));
    refuse(/vane is a link$/);
  });

  it.each([0o770, 0o707, 0o1777])('is refused with mode %o', (mode) => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, OWN), mode);
    refuse(/other users may write .*vane; chmod go-w ends that$/);
  });

  it('is refused below a folder that others may write', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    chmodSync(join(home, '.cache'), 0o777);
    refuse(/other users may write .*\.cache/);
  });

  it('is refused where others may rename the folder above all of it', () => {
    chmodSync(home, 0o777);
    refuse(/other users may write /);
  });

  it.runIf(USER === 0)('is refused where another user owns it', () => {
    mkdirSync(join(home, OWN), { recursive: true });
    lchownSync(join(home, OWN), STRANGER, STRANGER);
    refuse(/vane belongs to another user$/);
  });

  it.runIf(USER === 0)('is refused below a home of another user', () => {
    lchownSync(home, STRANGER, STRANGER);
    refuse(/belongs to another user$/);
  });
});

describe('the folder of compiled code', () => {
  const of = (within: string | undefined, temporary: string) =>
    compileCacheFolder({
      caches: within === undefined ? undefined : { within, names: ['.cache', 'vane'] },
      user: USER,
      temporary,
    });
  const elsewhere = join(tmpdir(), '..');

  it('is below the caches of the user', () => {
    mkdirSync(join(home, 'tmp'));
    expect(of(home, join(home, 'tmp'))).toBe(join(home, OWN, 'compiled'));
    expect(statSync(join(home, OWN, 'compiled')).mode & 0o777).toBe(0o700);
  });

  it('is none without a home, below the temporary folder, or where others may write', () => {
    expect(of(undefined, elsewhere)).toBeUndefined();
    expect(of(home, tmpdir())).toBeUndefined();
    expect(of(join(home, 'missing'), join(home, 'tmp'))).toBeUndefined();
    mkdirSync(join(home, 'tmp'));
    chmodSync(home, 0o777);
    expect(of(home, join(home, 'tmp'))).toBeUndefined();
  });

  it('is none below the temporary folder reached through a link', () => {
    mkdirSync(join(home, 'tmp', 'user'), { recursive: true });
    symlinkSync(join('tmp', 'user'), join(home, 'link'));
    expect(of(join(home, 'link'), join(home, 'tmp'))).toBeUndefined();
  });
});
