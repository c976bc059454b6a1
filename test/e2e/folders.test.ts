import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import cacache from 'cacache';
import { execaNode } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { naming } from '../support/naming.ts';
import { runHere } from '../support/question.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-folders-'));
  for (const name of ['home', 'tmp', 'work']) await mkdir(join(folder, name));
});
afterEach(async () => {
  const left = await readdir(join(folder, 'tmp'));
  await rm(folder, { recursive: true, force: true });
  expect(left, 'files that vane left in the temporary folder').toEqual([]);
});

type Env = Record<string, string | undefined>;

/** Runs the built command as a user with an empty home and an empty temporary folder. */
const vane = (line: string, env: Env = {}) =>
  execaNode(BIN, line.split(' '), {
    cwd: join(folder, 'work'),
    reject: false,
    stripFinalNewline: false,
    env: {
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      XDG_CACHE_HOME: undefined,
      VANE_CACHE_DIR: undefined,
      ...env,
    },
  });

/** Runs vane in this process. */
const vaneHere = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runHere(line, { env, now: Date.now() });

const MONTH = 'archive 110 --start 2024-01-01 --stop 2024-01-03';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
});
afterAll(() => server.close());

/** An export that reads nothing from the cache of the user, and writes nothing into it. */
const uncached = () => `${MONTH} --no-cache --base-url ${server.baseUrl}`;

/** Every path below a folder, with the content of files. */
async function contentsOf(place: string): Promise<Record<string, string>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [
      path,
      entry.isFile() ? await readFile(path, 'latin1') : entry.isDirectory() ? '/' : '@',
    ];
  });
  return Object.fromEntries(await Promise.all(files));
}

describe('the temporary folder', () => {
  it.each(['--help', '--demo live 110', `${MONTH} -o wind.parquet`, 'config list'])(
    'is empty after vane %s',
    async (line) => {
      const { exitCode } = await vane(line, { VANE_BASE_URL: server.baseUrl });
      expect(exitCode).toBe(0);
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    },
  );
});

describe('in a VANE_CACHE_DIR with files of other programs,', () => {
  it('vane cache clear, with and without --max-size, deletes no files of other programs', async () => {
    const place = join(folder, 'shared');
    for (const n of [1, 2, 3, 4, 5]) await cacache.put(place, `other ${n}`, `content ${n}`);
    await mkdir(join(place, 'live-v1'));
    await writeFile(join(place, 'live-v1', 'mine'), 'mine');
    const before = await contentsOf(place);
    const env = { VANE_CACHE_DIR: place, VANE_CACHE_MAX_SIZE: '1kB' };
    await vane(`${MONTH} -f csv --base-url ${server.baseUrl}`, env);
    await vaneHere(`live 110 --base-url ${server.baseUrl}`, env);
    expect((await vaneHere('cache list', env)).stderr).toMatch(/^1 response /);
    expect((await vane('cache clear', env)).stderr).toMatch(/^Removed 1 response /);
    expect(await contentsOf(place)).toMatchObject(before);
    for (const n of [1, 2, 3, 4, 5]) {
      expect(String((await cacache.get(place, `other ${n}`)).data)).toBe(`content ${n}`);
    }
  });

  it('a folder called answers with files of another program is not used as a cache', async () => {
    const place = join(folder, 'shared');
    await mkdir(join(place, 'answers'), { recursive: true });
    await writeFile(join(place, 'answers', 'mine'), 'mine');
    const env = { VANE_CACHE_DIR: place };
    const { exitCode, stderr } = await vaneHere(
      `${MONTH} -q -f csv --base-url ${server.baseUrl}`,
      env,
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    const told = await vaneHere(`live 110 --base-url ${server.baseUrl}`, env);
    expect(told.stderr).toMatch(naming(place, join(place, 'answers'), 'another program'));
    expect((await vaneHere('cache clear', env)).exitCode).toBe(2);
    expect(await readdir(join(place, 'answers'))).toEqual(['mine']);
  });

  it.each(['list', 'clear'])(
    'a file in place of VANE_CACHE_DIR is reported by vane cache %s',
    async (task) => {
      await writeFile(join(folder, 'file'), '');
      const place = join(folder, 'file');
      const { exitCode, stdout, stderr } = await vaneHere(`cache ${task}`, {
        VANE_CACHE_DIR: place,
      });
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(naming(place, 'VANE_CACHE_DIR')),
      });
    },
  );

  it('vane cache clear deletes temporary files of unfinished writes', async () => {
    const env = { VANE_CACHE_DIR: join(folder, 'cache') };
    await vaneHere(`${MONTH} -f csv --base-url ${server.baseUrl}`, env);
    const left = join(folder, 'cache', 'answers', 'tmp', 'left');
    await mkdir(join(left, '..'), { recursive: true });
    await writeFile(left, 'half');
    await vaneHere('cache clear', env);
    expect(existsSync(left)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('an export that may block', () => {
  /** Loaded before vane: says on stderr that the fifo is opened. */
  const TELL_OPEN = `--import=data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      if (String(path).endsWith('fifo')) process.stderr.write('opened');
      return openSync(path, ...rest);
    };
    syncBuiltinESMExports();`)}`;

  async function endsAtOnce(child: ReturnType<typeof vane>): Promise<void> {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const { exitCode, signal } = await child;
    clearTimeout(late);
    expect({ exitCode, signal }).toEqual({ exitCode: undefined, signal: 'SIGTERM' });
  }

  it('an export into a fifo without a reader ends at the first SIGTERM', async () => {
    execFileSync('mkfifo', [join(folder, 'work', 'fifo')]);
    const child = vane(`${uncached()} -f csv -o fifo`, { NODE_OPTIONS: TELL_OPEN });
    await once(child.stderr, 'data');
    await endsAtOnce(child);
    expect((await child).stderr).toMatch(/^opened/);
  });

  it('ends at the first SIGTERM although its cache folder below /proc cannot be made', async () => {
    const server = await startFaultyServer(['silence']);
    const line = `${MONTH} -f csv --base-url ${server.baseUrl}`;
    const child = vane(line, { VANE_CACHE_DIR: '/proc/vane/cache' });
    await until(() => server.requests.length > 0);
    await endsAtOnce(child);
    await server.close();
  });

  it('writes all rows to a fifo that has a reader', async () => {
    const fifo = join(folder, 'work', 'fifo');
    execFileSync('mkfifo', [fifo]);
    const child = vane(`${uncached()} -f csv -o fifo`);
    const text = await readFile(fifo, 'utf8');
    expect((await child).exitCode).toBe(0);
    expect(text.split('\n').length).toBeGreaterThan(400);
  });
});

const STRANGER = 54_321;
const noOtherUser =
  process.geteuid?.() === 0 && existsSync('/usr/bin/setpriv')
    ? undefined
    : 'needs root and setpriv to act as another user';
if (noOtherUser !== undefined) console.log(`Skipped, another user on the machine: ${noOtherUser}.`);

describe.skipIf(noOtherUser !== undefined)('with another user on the machine,', () => {
  /** Runs a shell command as another user. */
  const asStranger = (command: string): void => {
    const as = [`--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups'];
    execFileSync('setpriv', [...as, 'sh', '-ec', command], { cwd: '/' });
  };
  let shared: string;
  beforeEach(async () => {
    shared = join(folder, 'shared');
    await mkdir(shared);
    await chmod(folder, 0o755);
    await chmod(shared, 0o1777);
  });

  it.each(['answers', 'answers/live-v1'])(
    'a cache whose folder %s belongs to another user is not used',
    async (own) => {
      asStranger(`cd ${shared}; umask 0; mkdir -p ${own}`);
      const { exitCode, stderr } = await vaneHere(`live 110 --base-url ${server.baseUrl}`, {
        VANE_CACHE_DIR: shared,
      });
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(naming(join(shared, 'answers'), 'another user'));
      expect(Object.keys(await contentsOf(shared))).toHaveLength(own.split('/').length);
    },
  );

  it('an export refuses to write through a link that another user put into a shared folder', async () => {
    const secret = join(folder, 'home', '.bashrc');
    await writeFile(secret, 'mine');
    asStranger(`ln -s ${secret} ${shared}/wind.csv; ln -s ${folder}/home/new ${shared}/new.csv`);
    for (const name of ['wind.csv', 'new.csv']) {
      const { exitCode, stderr } = await vaneHere(`${uncached()} -q -o ${shared}/${name}`);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringMatching(naming(`${shared}/${name}`, 'a link of another user')),
      });
    }
    expect(await readFile(secret, 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'home', 'new'))).toBe(false);
  });

  it('an export that replaces a file of another user in a shared folder keeps neither its owner, its setuid bits nor write access for others', async () => {
    asStranger(`cd ${shared}; echo theirs > wind.csv; chmod 6777 wind.csv`);
    expect((await vane(`${uncached()} -q -o ${shared}/wind.csv`)).exitCode).toBe(0);
    const { uid, mode } = await stat(join(shared, 'wind.csv'));
    expect({ uid, mode: (mode & 0o7777).toString(8) }).toEqual({ uid: 0, mode: '775' });
  });

  it('archive --append refuses a link that another user put into a shared folder', async () => {
    const missing = join(folder, 'home', '.bash_login');
    asStranger(`cd ${shared}; ln -s ${missing} 110-2024-01.csv; ln -s ${missing} wind.csv`);
    const refusal = (name: string) =>
      expect.stringMatching(naming(`${shared}/${name}`, 'a link of another user'));
    const whole = await vaneHere(`${uncached()} -q --append -o ${shared}/wind.csv`);
    expect([whole.exitCode, whole.stderr]).toEqual([2, refusal('wind.csv')]);
    const split = await vaneHere(
      `${uncached()} -q --append --split month -o ${shared}/{station}-{year}-{month}.csv`,
    );
    expect([split.exitCode, split.stderr]).toEqual([2, refusal('110-2024-01.csv')]);
    expect(existsSync(missing)).toBe(false);
  });

  it('an export writes through a link that the user put into a shared folder', async () => {
    await symlink(join(folder, 'work', 'target.csv'), join(shared, 'own.csv'));
    expect((await vaneHere(`${uncached()} -q -o ${shared}/own.csv`)).exitCode).toBe(0);
    expect(existsSync(join(folder, 'work', 'target.csv'))).toBe(true);
  });

  it('an export writes through a link of another user in a folder that only the user may write', async () => {
    const link = join(folder, 'work', 'wind.csv');
    await symlink('target.csv', link);
    await lchown(link, STRANGER, STRANGER);
    expect((await vaneHere(`${uncached()} -q -o ${link}`)).exitCode).toBe(0);
    expect(existsSync(join(folder, 'work', 'target.csv'))).toBe(true);
  });
});
