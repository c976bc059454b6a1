import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeptCodeOptions, loadScript } from '../src/keptCode.ts';

const USER = process.geteuid?.();

let folder: string;
let path: string;
let kept: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-code-'));
  path = join(folder, 'say.cjs');
  kept = join(folder, 'code', path.replace(':', ''), 'live');
});
afterEach(() => rm(folder, { recursive: true }));

/** A script that has a function to be compiled once it is called. */
const saying = (word: string): string =>
  `(function(exports,require,module,__filename,__dirname,importModule){
function say(name) { return '${word} ' + name }
exports.say = say;
})`;

interface Said {
  say(name: string): string;
}

const load = (options: Partial<KeptCodeOptions> = {}) => {
  const script = loadScript(path, {
    folder: join(folder, 'code'),
    command: 'live',
    user: USER,
    require: createRequire(import.meta.url),
    importModule: async (specifier) => `${specifier}, imported`,
    ...options,
  });
  return { ...script, say: (script.exports as Said).say };
};

/** Runs a script once and keeps its code. */
async function keepCodeOf(source: string): Promise<void> {
  await writeFile(path, source);
  const { say, keep } = load();
  say('wind');
  keep();
}

/** Puts the code of one script where that of another one of the same length would be. */
async function passOff(source: string, as: string): Promise<void> {
  await keepCodeOf(source);
  const code = (await readFile(kept)).subarray(source.length);
  await writeFile(kept, Buffer.concat([Buffer.from(as), code]));
  await writeFile(path, as);
}

/** Scripts of the same length. V8 itself knows each one that it has compiled, so they are new ones. */
let word = 0;
const newWord = (): string => `word${(++word).toString().padStart(6, '0')}`;
let good: string;
let fine: string;
let goodScript: string;
let fineScript: string;
beforeEach(renew);

function renew(): void {
  good = newWord();
  fine = newWord();
  goodScript = saying(good);
  fineScript = saying(fine);
}

it('runs a script as CommonJS would', async () => {
  await writeFile(
    path,
    `(function(exports,require,module,__filename,__dirname,importModule){
module.exports = { __filename, __dirname, sep: require('node:path').sep, load: () => importModule('./other.mjs') };
})`,
  );
  const { load: loadOther, ...rest } = load().exports as {
    load(): Promise<unknown>;
    [name: string]: unknown;
  };
  expect(rest).toEqual({
    __filename: path,
    __dirname: dirname(path),
    sep: (await import('node:path')).sep,
  });
  expect(await loadOther()).toBe('./other.mjs, imported');
});

it('throws what the script throws, with where that was', async () => {
  await writeFile(path, '(function(){\n throw new RangeError("no wind") })');
  expect(() => load()).toThrow(
    expect.objectContaining({ message: 'no wind', stack: expect.stringContaining(`${path}:2:8`) }),
  );
});

describe('the code kept', () => {
  it('is taken for the very same script', async () => {
    await passOff(goodScript, fineScript);
    // Whatever the source says now, the code of the other was run.
    expect(load().say('wind')).toBe(`${good} wind`);
  });

  it('is of what has been compiled, also after the script had run', async () => {
    await writeFile(path, goodScript);
    load().keep();
    const before = (await stat(kept)).size;
    await rm(kept);
    await keepCodeOf(goodScript);
    expect((await stat(kept)).size).toBeGreaterThan(before);
  });

  it('stays as it is while it is of use', async () => {
    await keepCodeOf(goodScript);
    const { ino, mtimeMs } = await stat(kept);
    await keepCodeOf(goodScript);
    expect(await stat(kept)).toMatchObject({ ino, mtimeMs });
  });

  it('is not that of the script before it was changed', async () => {
    await keepCodeOf(goodScript);
    await writeFile(path, fineScript);
    expect(load().say('wind')).toBe(`${fine} wind`);
    await keepCodeOf(fineScript);
    expect((await readFile(kept)).subarray(0, fineScript.length).toString()).toBe(fineScript);
  });

  it('is of one command', async () => {
    await passOff(goodScript, fineScript);
    expect(load({ command: 'meta' }).say('wind')).toBe(`${fine} wind`);
  });

  it.runIf(USER !== undefined)('is for nobody but its owner', async () => {
    await passOff(goodScript, fineScript);
    expect(load({ user: (USER as number) + 1 }).say('wind')).toBe(`${fine} wind`);
    expect((await stat(kept)).mode & 0o077).toBe(0);
  });

  it('is passed over when it is damaged, and replaced', async () => {
    const damage = fc.oneof(
      fc.record({
        at: fc.double({ max: 1, min: 0, noNaN: true }),
        by: fc.integer({ min: 1, max: 255 }),
      }),
      fc.record({ upTo: fc.double({ max: 1, min: 0, noNaN: true, maxExcluded: true }) }),
      fc.record({ zeroesFrom: fc.double({ max: 1, min: 0, noNaN: true }) }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (what) => {
        renew();
        await passOff(goodScript, fineScript);
        const bytes = await readFile(kept);
        const sound = Buffer.from(bytes);
        const place = (part: number): number => Math.floor(part * (bytes.length - 1));
        if ('at' in what)
          bytes.writeUInt8((bytes[place(what.at)] as number) ^ what.by, place(what.at));
        if ('zeroesFrom' in what) bytes.fill(0, place(what.zeroesFrom));
        const damaged = 'upTo' in what ? bytes.subarray(0, place(what.upTo)) : bytes;
        fc.pre(!damaged.equals(sound));
        await writeFile(kept, damaged);
        const { say, keep } = load();
        expect(say('wind')).toBe(`${fine} wind`);
        keep();
        const replaced = await readFile(kept);
        const middle = (fineScript.length + replaced.length) / 2;
        expect(middle).toBeGreaterThan(fineScript.length);
        expect(replaced.subarray(0, fineScript.length).toString()).toBe(fineScript);
        expect(replaced.subarray(fineScript.length, middle).equals(replaced.subarray(middle))).toBe(
          true,
        );
      }),
    );
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['anything else', randomBytes(1000)],
  ])('is replaced when it is %s', async (_, code) => {
    await keepCodeOf(goodScript);
    const file = Buffer.concat([Buffer.from(fineScript), code, code]);
    await writeFile(kept, file);
    await keepCodeOf(fineScript);
    expect((await readFile(kept)).length).not.toBe(file.length);
    expect(load().say('wind')).toBe(`${fine} wind`);
  });

  it.skipIf(process.platform === 'win32')(
    'is not waited for where a pipe has its name',
    async () => {
      await keepCodeOf(goodScript);
      await rm(kept);
      await execa('mkfifo', [kept]);
      await keepCodeOf(goodScript);
      expect((await stat(kept)).isFile()).toBe(true);
    },
  );

  it('is not read where it is far too large', async () => {
    await passOff(goodScript, fineScript);
    await truncate(kept, 2 ** 40);
    expect(load().say('wind')).toBe(`${fine} wind`);
  });

  it('leaves nothing beside it', async () => {
    await keepCodeOf(goodScript);
    expect(await readdir(dirname(kept))).toEqual(['live']);
  });
});

describe('nothing is kept, and nothing fails,', () => {
  it('without a folder', async () => {
    await writeFile(path, goodScript);
    const { say, keep } = load({ folder: undefined });
    expect(say('wind')).toBe(`${good} wind`);
    keep();
    expect(await readdir(folder)).toEqual(['say.cjs']);
  });

  it('where there is a file in the way', async () => {
    await writeFile(join(folder, 'code'), '');
    await keepCodeOf(goodScript);
    expect(load().say('wind')).toBe(`${good} wind`);
    expect(await readFile(join(folder, 'code'), 'utf8')).toBe('');
  });

  it('where there is a folder in the way', async () => {
    await mkdir(kept, { recursive: true });
    await keepCodeOf(goodScript);
    expect(load().say('wind')).toBe(`${good} wind`);
    expect(await readdir(dirname(kept))).toEqual(['live']);
  });
});
