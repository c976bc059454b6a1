import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, execaNode } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../../src/domain/station.ts';
import type { StationService } from '../../src/service/service.ts';
import { type FaultName, type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';
import { openTerminal, type Terminal, whyNoTmux } from '../support/tmux.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-watch-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Environment of a clock that starts at `NOW` and passes only while vane sleeps. */
const clock = (speed: number) => ({
  NODE_OPTIONS: `--import=${FAST_CLOCK}`,
  FAST_CLOCK_SPEED: String(speed),
  FAST_CLOCK_START: String(NOW),
});

/** Ids of the processes that a process has started. */
async function childrenOf(id: string): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return pairs.flatMap(([pid, parent]) => (parent === id ? [Number(pid)] : []));
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

const noTmux = whyNoTmux();
if (noTmux) console.log(`skipped: vane watch in a real terminal, as ${noTmux}`);

describe.skipIf(noTmux)('vane watch in a real terminal', () => {
  let server: FaultyServer;
  let terminal: Terminal;
  const start = async (
    columns: number,
    rows: number,
    {
      plan = [],
      speed = 1,
      args = '',
      stations = '110 603',
    }: {
      plan?: Parameters<typeof startFaultyServer>[0];
      speed?: number;
      args?: string;
      stations?: string;
    } = {},
  ) => {
    server = await startFaultyServer(plan);
    terminal = await openTerminal(columns, rows, { ...clock(speed), VANE_CACHE_DIR: folder });
    await terminal.type('echo before', 'Enter');
    await terminal.until((shown) => shown[1] === 'before' && shown[2] === '$');
    const line = `${process.execPath} ${BIN} watch ${stations} ${args} --no-cache --base-url ${server.baseUrl}; echo "[$?]"`;
    await terminal.type(line, 'Enter');
  };
  afterEach(async () => {
    await terminal.close();
    await server.close();
  });

  const showsTable = (rows: string[]) => rows.some((row) => row.includes('  Dune du Pilat'));
  /** The screen with placeholders for times that change each second. */
  const still = (rows: string[]): string =>
    rows
      .join('\n')
      .replace(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')
      .replace(/(next )?poll in .*|polling…/g, 'POLL')
      .replace(/\d+ (s|min)\b/g, 'AGE')
      .trimEnd();

  it('the screen of vane watch fits 80×24, fits 40×12 after a resize, and disappears at the end', async () => {
    await start(80, 24);
    const wide = await terminal.until((rows) => showsTable(rows) && rows.join().includes('▄▄█'));
    expect(wide).toHaveLength(24);
    expect(still(wide)).toMatchSnapshot('80×24');
    await terminal.resize(40, 12);
    const narrow = await terminal.until((rows) => rows[0]?.startsWith('2 stations') ?? false);
    expect(narrow).toHaveLength(12);
    expect(still(narrow)).toMatchSnapshot('40×12');
    await terminal.resize(80, 24);
    const again = await terminal.until((rows) => rows[0]?.startsWith('vane watch') ?? false);
    expect(still(again)).toBe(still(wide));
    await terminal.type('q');
    const after = await terminal.until((rows) => rows.some((row) => row === '[0]'));
    expect(after.join('\n')).not.toMatch(/Dune|station|poll/);
    expect(after[1]).toBe('before');
    expect(await terminal.query('#{cursor_flag} #{alternate_on} #{history_size}')).toBe('1 0 0');
  });

  const shows = (text: string | RegExp) =>
    terminal.until((rows) => rows.some((row) => row.search(text) >= 0));

  it('the keys that the key ? of vane watch lists choose a station, scroll the screen and change its order', async () => {
    await start(80, 6, { stations: 'all' });
    const first = (name: string) =>
      terminal.until((rows) => rows[2]?.includes(`  ${name}`) ?? false);
    await first('␛[2J');
    await terminal.type('Down');
    await shows(/^ *7> /);
    await terminal.type('j', 'j', 'Down');
    await shows(/^ *110> /);
    await shows(/^… 2 above, 2 below/);
    await terminal.type('k', 'Up', 'NPage');
    await shows(/^ *110> /);
    await terminal.type('End', 'PPage', 'Home');
    await shows(/^ *7> /);
    await terminal.type('s', 's');
    await first('Wetterstation');
    await terminal.type('?');
    await terminal.until((rows) => rows.includes('s              changes the order (avg)'));
    await terminal.type('Enter');
    await first('Wetterstation');
    await terminal.type('q');
    await terminal.until((rows) => rows.some((row) => row === '[0]'));
  });

  it('Enter in vane watch opens the chosen station with its card, its last 24 hours and its alerts, and Esc returns', async () => {
    await start(80, 30, { args: "--when 'avg > 1kmh'" });
    await shows(/^.*110 +! Dune/);
    await terminal.type('Down', 'Enter');
    const opened = await terminal.until(
      (rows) => rows.includes('Dune du Pilat: wind') && /Esc returns/.test(rows.join()),
    );
    const text = opened.join('\n');
    expect(text).toMatch(/^when avg > 1kmh · true at 1 of 1 station$/m);
    expect(text).toMatch(/^votes +12 up, 1 down$/m);
    expect(text).toMatch(/^2024-01-14 12:\d\d to 2024-01-15 12:\d\d · UTC · km\/h · \d+ readings/m);
    expect(text).toMatch(/^12:\d\d:\d\d Dune du Pilat: avg > 1kmh is true$/m);
    expect(text).toContain('Esc returns');
    expect(text).not.toContain('Taveuni');
    await terminal.resize(50, 20);
    const narrow = await terminal.until(
      (rows) => rows.length === 20 && rows.join().includes('Esc returns'),
    );
    expect(narrow.join()).toContain('wind');
    await terminal.resize(80, 30);
    await terminal.type('Escape');
    await shows(/^ *603 +Taveuni/);
    await shows(/^ *110> /);
    await terminal.type('q');
    await shows(/^\[0\]$/);
  });

  it('the key / of vane watch finds stations by name or id, and letters of its text act as no keys', async () => {
    await start(80, 24, { stations: 'all' });
    await shows('Taveuni');
    await terminal.type('/', 'd', 'u', 'q', 's', 'u', '?');
    await shows(/^\/duqsu\?_ · /);
    await terminal.type('😀');
    await shows(/^\/duqsu\?😀_ · /);
    await terminal.type('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'n');
    const found = await shows(/^\/dun_ · .*1 station · /);
    expect(showsTable(found)).toBe(true);
    expect(found.join()).not.toContain('Taveuni');
    expect(found.join()).toContain('Esc clears');
    await terminal.type('Enter');
    await shows(/^ *110> /);
    await terminal.type('u');
    await shows('avg kn');
    await terminal.type('Escape');
    await shows('Taveuni');
    await terminal.type('/', '1', '3', '3');
    await terminal.until((rows) => rows.join().includes('Wetter') && !showsTable(rows));
    await terminal.type('Enter', 'q');
    await shows(/^\[0\]$/);
  });

  it('the key s of vane watch offers only orders whose column is shown', async () => {
    await start(40, 12, { stations: 'all' });
    const orders: string[] = [];
    for (let press = 0; press < 6; press++) {
      const rows = await terminal.until((all) =>
        all.some((row) => /s order \(/.test(row) && !row.includes(`(${orders.at(-1)})`)),
      );
      orders.push(/s order \((\w+)\)/.exec(rows.join('\n'))?.[1] ?? '');
      await terminal.type('s');
    }
    expect(orders).toEqual(['id', 'name', 'avg', 'gust', 'age', 'id']);
    await terminal.type('q');
    await shows(/^\[0\]$/);
  });

  it('the screen of vane watch keeps and marks the last values while polls fail, and Ctrl-C ends it without a message', async () => {
    let fault: FaultName = 'none';
    await start(80, 24, { plan: () => fault, speed: 120 });
    await terminal.until(showsTable);
    fault = 'status500';
    const failed = await terminal.until((rows) => rows.some((row) => /\d polls failed/.test(row)));
    expect(failed.find((row) => row.includes('  Dune'))).toMatch(/ \?$/);
    fault = 'none';
    const over = await terminal.until((rows) => !rows.some((row) => /polls? failed/.test(row)));
    expect(over.find((row) => row.includes('  Dune'))).not.toContain('?');
    expect(over.filter((row) => row.includes('  Dune'))).toHaveLength(1);
    await terminal.type('u');
    await terminal.until((rows) => rows.some((row) => row.includes('avg kn')));
    await terminal.type('C-c');
    // The shell drops the rest of its line, since a signal ended vane.
    await terminal.until((rows) => rows.some((row) => row.endsWith('$')) && !showsTable(rows));
    await terminal.type('echo "<$?>"', 'Enter');
    const end = await terminal.until((rows) => rows.some((row) => row === '<130>'));
    expect(end.join()).not.toContain('Interrupted');
    expect(await terminal.query('#{cursor_flag} #{alternate_on}')).toBe('1 0');
  });

  it('the key q ends a vane watch of an unreachable service with code 5 and the reason', async () => {
    await start(80, 24, { plan: () => 'reset' });
    await shows(/1 poll failed/);
    await terminal.type('q');
    const after = await shows(/^\[5\]$/);
    expect(after.join(' ')).toMatch(/vane: .*only poll/);
  });

  it('vane watch restores the terminal at Ctrl-Z and draws again at fg', async () => {
    await start(80, 24);
    await terminal.until(showsTable);
    await terminal.type('C-z');
    await terminal.until((rows) => rows.some((row) => /Stopped/.test(row)) && !showsTable(rows));
    expect(await terminal.query('#{cursor_flag}')).toBe('1');
    await terminal.type('fg', 'Enter');
    await terminal.until(showsTable);
    await terminal.type('q');
    await terminal.until((rows) => !showsTable(rows));
    expect(await terminal.query('#{cursor_flag} #{alternate_on}')).toBe('1 0');
  });

  it('vane watch -o ends when its terminal closes, and goes on at a SIGHUP from elsewhere', async () => {
    await start(80, 24, { args: `-o ${join(folder, 'closed.csv')}` });
    await terminal.until(showsTable);
    const [id] = await childrenOf(await terminal.query('#{pane_pid}'));
    expect(id).toBeGreaterThan(0);
    process.kill(id as number, 'SIGHUP');
    await terminal.type('u');
    await terminal.until((rows) => rows.some((row) => row.includes('avg kn')));
    await terminal.close();
    await until(() => !isAlive(id as number));
  });
});

/** The fixture's network, where station 110 has a new measurement in each response. */
function eachPollNew(): StationService {
  let timeMs = NOW;
  const renewed = (station: Station): Station =>
    station.id === 110
      ? {
          ...station,
          measurements: { ...station.measurements, date: new Date(timeMs++).toISOString() },
        }
      : station;
  return {
    ...fixtureService,
    async live(id, options) {
      const response = await fixtureService.live(id, options);
      return { ...response, data: renewed(response.data) };
    },
    async liveAll(options) {
      const response = await fixtureService.liveAll(options);
      return { ...response, data: response.data.map(renewed) };
    },
  };
}

describe('vane watch in a pipe:', () => {
  let server: FaultyServer;
  beforeAll(async () => {
    server = await startFaultyServer([], eachPollNew());
  });
  afterAll(() => server.close());
  const watch = (args: readonly string[]) =>
    execaNode(BIN, ['watch', ...args, '--base-url', server.baseUrl], {
      reject: false,
      stripFinalNewline: false,
      env: { ...clock(600), VANE_CACHE_DIR: folder },
    });

  it('vane watch in a pipe writes a record at once, and ends without an error when its reader closes the pipe', async () => {
    const child = watch(['all', '--no-cache', '-f', 'csv']);
    const [first] = await once(child.stdout, 'data');
    expect(String(first)).toMatch(/^id,meta\.name,/);
    child.stdout.destroy();
    const { exitCode, stderr } = await child;
    expect(stderr).toMatch(/^Data: .*\n$/);
    expect(exitCode).toBe(0);
  });

  it('SIGINT ends vane watch by that signal', async () => {
    const child = watch(['110', '--no-cache']);
    const [first] = await once(child.stdout, 'data');
    expect(JSON.parse(String(first)).id).toBe(110);
    child.kill('SIGINT');
    expect((await child).signal).toBe('SIGINT');
  });

  it('the parent of vane watch sees that SIGTERM ended it, and a shell shows 143', async () => {
    const line = `"${process.execPath}" "${BIN}" watch 110 --no-cache --base-url ${server.baseUrl}`;
    const script = `${line} & read -r go; kill -TERM $!; wait $!; echo "status $?"`;
    const shell = execa('sh', ['-c', script], { reject: false, env: clock(600) });
    await once(shell.stdout, 'data');
    shell.stdin.write('go\n');
    expect((await shell).stdout).toMatch(/\nstatus 143$/);
  });

  /** Starts a watch of station 110 whose condition is true at the first poll. */
  const execute = (command: string, speed = 1) => {
    const args = ['watch', '110', '--no-cache', '--when', 'avg > 1kmh', '--exec', command];
    return spawn(process.execPath, [BIN, ...args, '--base-url', server.baseUrl], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...clock(speed), VANE_CACHE_DIR: folder },
    });
  };
  /** The process id that a command of --exec writes. */
  async function idIn(stderr: AsyncIterable<Buffer>): Promise<number> {
    let text = '';
    for await (const piece of stderr) {
      text += piece;
      const [, id] = /^pid (\d+)$/m.exec(text) ?? [];
      if (id !== undefined) return Number(id);
    }
    throw new Error(`No process id in “${text}”`);
  }
  const STUBBORN = 'trap "" TERM; echo pid $$; sleep 600; true';

  it.each([
    ['at a signal a process of the command', `sh -c '${STUBBORN}' & wait`, ['SIGINT'], 10],
    // The clock is so slow that 2 s take minutes.
    ['at a second signal the command', STUBBORN, ['SIGINT', 'SIGTERM'], 0.01],
  ] as const)(
    'vane watch --exec kills %s that ignores SIGTERM, and then ends',
    async (_, command, signals, speed) => {
      const child = execute(command, speed);
      const id = await idIn(child.stderr);
      for (const signal of signals) child.kill(signal);
      const [, signal] = await once(child, 'exit');
      expect(signals).toContain(signal);
      await until(() => !isAlive(id));
    },
  );

  const FLOOD = "head -c 4194304 /dev/zero | tr '\\0' x";

  it('vane watch makes a command of --exec wait while stderr is not read, and loses no output', async () => {
    const [begun, done] = [join(folder, 'begun'), join(folder, 'heard')];
    const child = execute(`touch '${begun}'; ${FLOOD}; touch '${done}'`);
    await until(() => existsSync(begun));
    // Meanwhile the command would write all of its output if nothing made it wait.
    await execa({
      shell: true,
    })`for i in 1 2 3 4 5 6 7 8 9 10; do ${FLOOD} | cat > /dev/null; done`;
    expect(existsSync(done)).toBe(false);
    let length = 0;
    child.stderr.on('data', (piece: Buffer) => {
      length += piece.length;
    });
    await until(() => existsSync(done) && length > 4_194_304);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('a command of vane watch --exec runs to its end after the reader of stderr is gone', async () => {
    const done = join(folder, 'unheard');
    const child = execute(`${FLOOD}; touch '${done}'`);
    child.stderr.destroy();
    await until(() => existsSync(done));
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('vane watch goes on after SIGHUP under nohup', async () => {
    const args = [
      process.execPath,
      BIN,
      'watch',
      '110',
      '--no-cache',
      '--base-url',
      server.baseUrl,
    ];
    const child = execa('nohup', args, { reject: false, env: clock(600) });
    await once(child.stdout, 'data');
    child.kill('SIGHUP');
    for (let i = 0; i < 3; i++) await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await child).signal).toBe('SIGTERM');
  });

  it('vane watch -o opens its file again at SIGHUP, and goes on', async () => {
    const file = join(folder, 'again.csv');
    // One poll, whose measurement is the only record: the new file is not due to a record.
    const child = watch(['110', '--no-cache', '-o', file, '--interval', '9d']);
    await until(() => existsSync(file));
    await rename(file, `${file}.1`);
    child.kill('SIGHUP');
    await until(() => existsSync(file));
    child.kill('SIGTERM');
    expect((await child).signal).toBe('SIGTERM');
    expect(await readFile(file, 'utf8')).toBe('');
    expect(await readFile(`${file}.1`, 'utf8')).toMatch(/^id,.*\n110,.*\n$/);
  });

  it('vane watch -o writes to a new file after its file was renamed', async () => {
    const file = join(folder, 'wind.csv');
    const child = watch(['110', '--no-cache', '-o', file]);
    const lines = async (name: string) => {
      for (;;) {
        const text = await readFile(name, 'utf8').catch(() => '');
        if (text.includes('\n1')) return text.trimEnd().split('\n');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const [head] = await lines(file);
    await rename(file, `${file}.1`);
    expect((await lines(file))[0]).toBe(head);
    child.kill('SIGTERM');
    expect((await child).stdout).toBe('');
    expect((await lines(`${file}.1`))[0]).toBe(head);
  });
});
