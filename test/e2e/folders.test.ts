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
import { execa, execaNode } from 'execa';
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
    'the temporary folder is empty after vane %s',
    async (line) => {
      const { exitCode } = await vane(line, { VANE_BASE_URL: server.baseUrl });
      expect(exitCode).toBe(0);
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    },
  );
});

describe('in a VANE_CACHE_DIR with files of other programs,', () => {
  it('vane cache clear, with and without --max-size, deletes no files of other programs in VANE_CACHE_DIR', async () => {
    const place = join(folder, 'shared');
    for (const name of ['live-v1', 'content-v2', 'compiled', 'responses-v1']) {
      await mkdir(join(place, name), { recursive: true });
      await writeFile(join(place, name, 'mine'), 'mine');
    }
    const before = await contentsOf(place);
    const env = { VANE_CACHE_DIR: place, VANE_CACHE_MAX_SIZE: '1kB' };
    await vane(`${MONTH} -f csv --base-url ${server.baseUrl}`, env);
    await vaneHere(`live 110 --base-url ${server.baseUrl}`, env);
    expect((await vaneHere('cache list', env)).stderr).toMatch(/^1 response /);
    expect((await vane('cache clear', env)).stderr).toMatch(/^Removed 1 response /);
    expect(await contentsOf(place)).toMatchObject(before);
  });

  it('a folder called answers in VANE_CACHE_DIR with files of another program is not used as a cache', async () => {
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
    'vane cache %s reports a file in place of VANE_CACHE_DIR',
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
});

describe('the cache that vane 1.0 left', () => {
  const LIVE_KEY = () => `v1 ${server.baseUrl} live 110`;

  /** Makes the cache of vane 1.0, with a live response of another wind. */
  async function leaveOldCache(cache: string): Promise<void> {
    const answer = { data: { id: 110, meta: { name: 'Wrong' } } };
    const entry = { askedMs: Date.now(), key: LIVE_KEY(), answer };
    const files = {
      'CACHEDIR.TAG':
        'Signature: 8a477f597d28d172789f06886806bc55\n' +
        '# Answers that vane keeps. vane removes whatever is in this folder.\n',
      'index-v5/d8/1f/0c': '\n1\t{}',
      'content-v2/sha512/1f/8b/00': 'content',
      'tmp/left': 'half',
      [`live-v1/${Buffer.from(LIVE_KEY()).toString('hex')}`]: JSON.stringify(entry),
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(cache, 'answers', name);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      await writeFile(path, text);
    }
    await mkdir(join(cache, 'compiled'));
    await writeFile(join(cache, 'compiled', 'code'), 'code');
  }

  it('the cache that vane 1.0 left is not read by a newer vane, but listed and removed by vane cache', async () => {
    const cache = join(folder, 'home', '.cache', 'vane');
    await leaveOldCache(cache);
    const { exitCode, stdout } = await vane(`live 110 --base-url ${server.baseUrl}`);
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('Wrong')]);
    const list = await vane('cache list');
    expect(list.stdout).toMatch(/^used +size +response\n.* live http.* 110\n$/);
    expect(list.stderr).toMatch(/^1 response \(.*\) and .* B from another version of vane in /);
    const { stderr } = await vane('cache clear');
    expect(stderr).toMatch(
      /^Removed 1 response \(.*\) and .* B from another version of vane; 0 responses \(0 B\) left\.\n$/,
    );
    expect(await readdir(cache)).toEqual(['answers']);
    expect(await readdir(join(cache, 'answers'))).toEqual(['CACHEDIR.TAG', 'responses-v1']);
    expect(await readdir(join(cache, 'answers', 'responses-v1'))).toEqual([]);
  });
});

it.skipIf(process.platform === 'win32')(
  'an export whose cache files the system cuts short, as on a full disk, writes all rows and leaves no part in the cache',
  async () => {
    const cache = join(folder, 'cache');
    const line = `${MONTH} -f csv --base-url ${server.baseUrl}`;
    const limited = await execa(
      'bash',
      ['-c', `ulimit -f 1; exec "$0" "$@"`, process.execPath, BIN, ...line.split(' ')],
      { reject: false, env: { VANE_CACHE_DIR: cache } },
    );
    expect(limited.exitCode).toBe(0);
    expect(limited.stdout.split('\n').length).toBeGreaterThan(400);
    expect(limited.stderr).toMatch(
      /^The cache in .* cannot be written \(.*\); continuing without it\.$/m,
    );
    expect(await readdir(join(cache, 'answers', 'responses-v1'))).toEqual([]);
  },
);

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

  it('an export whose cache folder below /proc cannot be made ends at the first SIGTERM', async () => {
    const server = await startFaultyServer(['silence']);
    const line = `${MONTH} -f csv --base-url ${server.baseUrl}`;
    const child = vane(line, { VANE_CACHE_DIR: '/proc/vane/cache' });
    await until(() => server.requests.length > 0);
    await endsAtOnce(child);
    await server.close();
  });

  it('an export writes all rows to a fifo that has a reader', async () => {
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

  it.each(['answers', 'answers/responses-v1'])(
    'a cache whose folder %s belongs to another user of the machine is not used',
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
