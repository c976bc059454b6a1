import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { expectColumns } from '../support/fits.ts';
import { naming } from '../support/naming.ts';
import { runHere, words } from '../support/question.ts';
import { checkXml } from '../support/strictXml.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

let folder: string;
let server: RunningServer;
let env: Readonly<Record<string, string>>;
let isArchiveDown = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-plot-'));
  const simulated = simulatedService(Date.now);
  const service: StationService = {
    ...simulated,
    archive: (...request) =>
      isArchiveDown ? Promise.reject(new Error('down')) : simulated.archive(...request),
    /** Station 1500 has a name in a script that the font of PNG lacks. */
    async live(station, options) {
      const response = await simulated.live(station, options);
      if (station !== 1500) return response;
      return {
        ...response,
        data: { ...response.data, meta: { ...response.data.meta, name: '小浜 é' } },
      };
    },
  };
  server = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
  env = {
    VANE_CACHE_DIR: join(folder, 'cache'),
    LANG: 'C.UTF-8',
    VANE_BASE_URL: server.baseUrl,
  };
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Runs the built program in the folder of the tests. */
const program = (line: string, more: Readonly<Record<string, string>> = {}) =>
  execaNode(BIN, words(line), {
    cwd: folder,
    env: { ...env, ...more },
    reject: false,
    stripFinalNewline: false,
  });

/** Runs vane in this process; @ stands for the folder of the tests. */
const vane = (line: string, more: Readonly<Record<string, string>> = {}) =>
  runHere(line.replace('@', `${folder}/`), { env: { ...env, ...more }, now: Date.now() });

const MAY = '--start 2024-05-01 --stop 2024-05-06';

describe('vane plot', () => {
  it('vane plot draws a series in a pipe as text of 80 columns without colours', async () => {
    const { exitCode, stdout, stderr } = await program(`plot 110 ${MAY} --knots`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(24);
    expect(lines[0]).toBe('Plage des Embruns (simulated): wind');
    expect(lines[1]).toMatch(
      /^2024-05-01 to 2024-05-06 · UTC · kn · 1,[78]\d\d readings · coverage/,
    );
    expect(lines.at(-1)).toContain('creativecommons.org');
    expectColumns(stdout, 80);
    expect(stdout).not.toContain('\u001b');
  });

  it('vane plot draws within COLUMNS and LINES, and in ASCII in a locale without UTF-8', async () => {
    const { stdout } = await vane(`plot 110 ${MAY}`, {
      COLUMNS: '50',
      LINES: '18',
      LC_ALL: 'C',
    });
    expect(stdout).toMatch(/^[\n -~]*$/);
    expectColumns(stdout, 50);
  });

  it('vane plot draws in 24-bit colours where FORCE_COLOR is 3', async () => {
    const { stdout } = await vane(`plot 110 ${MAY} --kind pattern`, { FORCE_COLOR: '3' });
    expect(stdout).toContain('\u001b[48;2;');
  });

  /** Lets a run write a kind of picture in a format, and checks the file. */
  async function expectPicture(kind: string, format: string, run: typeof vane): Promise<void> {
    const line = `plot 110 603 ${MAY} --kind ${kind} -o @${kind}.${format}`;
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    const what = `${name} of 3,\\d{3} readings of 2 stations from 2024-05-01 to 2024-05-06 UTC`;
    expect(stderr).toMatch(new RegExp(`^${what} in \\S*${kind}\\.${format}\\.\\n$`));
    const bytes = await readFile(join(folder, `${kind}.${format}`));
    if (format === 'svg') checkXml(bytes.toString());
    if (format === 'png') expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    if (format === 'html') expect(bytes.toString()).toContain('<table>');
  }

  it('bin/vane.js plot writes a series as png', () =>
    expectPicture('series', 'png', (line) => program(line.replace('@', ''))));

  it('vane plot -o says in the zone of --tz what it wrote and where, and nothing with --quiet', async () => {
    const line = 'plot 110 --start 2024-05-01 --stop 2024-05-02 --tz Europe/Paris -o @day.svg';
    const span = ['2024-05-01 ', '2024-05-02', 'Europe/Paris'];
    const { stderr } = await vane(line);
    expect(stderr).toMatch(naming('360 readings', 'station 110', ...span, `${folder}/day.svg`));
    expect((await vane(`${line} -q`)).stderr).toBe('');
  });

  it.each(['svg', 'html'])('vane plot writes a series as %s', (format) =>
    expectPicture('series', format, vane),
  );

  it.each(['rose', 'calendar', 'pattern'])(
    'vane plot writes a %s as svg and html',
    async (kind) => {
      for (const format of ['svg', 'html']) await expectPicture(kind, format, vane);
    },
  );

  // A PNG is drawn of the SVG, whatever the kind.
  it('vane plot writes a rose as png', () => expectPicture('rose', 'png', vane));

  it('vane plot writes a picture exactly as high as --height, and without --height as high as its panels', async () => {
    const sizeOf = async (options: string) => {
      const line = `plot 110 603 ${MAY} --kind rose -f svg ${options}`;
      return (await vane(line)).stdout
        .match(/width="(\d+)" height="(\d+)"/)
        ?.slice(1)
        .map(Number);
    };
    expect(await sizeOf('--width 700 --height 500')).toEqual([700, 500]);
    const [width = 0, height = 0] = (await sizeOf('')) ?? [];
    expect(height).toBeLessThan(0.8 * width);
  });

  it('vane plot exits with 2 where --height has no room for the panels, and writes no file', async () => {
    const ids = '110 603 832 1500 41 2 3 12 17 19 33 43';
    const line = `plot ${ids} ${MAY} --kind calendar -f svg --width 200 --height 200`;
    const { exitCode, stdout, stderr } = await vane(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('200 × 200 px');
  });

  it('vane plot --from a file of vane archive draws the same numbers as from the service', async () => {
    await vane(`archive 110 ${MAY} --header names -o @station-110.csv`);
    const served = await vane(`plot 110 ${MAY} --kind rose`);
    const read = await vane(`plot --from @station-110.csv ${MAY} --kind rose`);
    expect(read.exitCode).toBe(0);
    const numbers = (text: string): string[] =>
      text.split('\n').filter((line) => /^(?:[NESW]+|calm) +\d/.test(line));
    expect(numbers(read.stdout)).toEqual(numbers(served.stdout));
    expect(numbers(read.stdout)).toHaveLength(17);
  });

  it('vane plot draws an empty picture for a period without data, and says so on stderr', async () => {
    const { exitCode, stdout, stderr } = await vane(
      'plot 110 --start 2010-01-01 --stop 2010-01-02',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('0 readings');
    expect(stderr).toMatch(naming('No data', 'station 110', '2010-01-01 '));
  });

  it('vane plot exits with 3 for a station that the service does not know', async () => {
    const { exitCode, stdout, stderr } = await vane(`plot 99999999 ${MAY}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('99999999');
  });

  it('bin/vane.js writes the wind now as a dial of 60 px, and a file for each station', async () => {
    const dial = await program("plot 110 --kind now --width 60 --where 'state = on' -o now.png");
    expect([dial.exitCode, dial.stdout]).toEqual([0, '']);
    expect(dial.stderr).toMatch(naming('station 110', 'now.png'));
    const png = await readFile(join(folder, 'now.png'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([60, 60]);
    const { exitCode } = await vane('plot 110 603 --kind now -o @now-{station}.svg -q');
    expect(exitCode).toBe(0);
    for (const id of [110, 603]) {
      const svg = await readFile(join(folder, `now-${id}.svg`), 'utf8');
      expect(checkXml(svg)).toContain('desc');
    }
  });

  it('vane plot --kind now writes the wind in a pipe as a sentence and the readings of the last hour', async () => {
    for (const columns of [80, 40]) {
      const { stdout } = await vane('plot 110 --kind now --knots', { COLUMNS: `${columns}` });
      expectColumns(stdout, columns);
      expect(stdout).toMatch(/ kn from [NESW]+ \d+°|^calm /m);
      expect(stdout.match(/^\d{4}-\d\d-\d\d \d\d:\d\d /gm)?.length).toBeGreaterThan(10);
    }
  });

  it('vane plot --kind now draws the dial without the last hour where the archive fails, and says so', async () => {
    isArchiveDown = true;
    const { exitCode, stdout, stderr } = await vane('plot 832 --kind now --retries 0');
    isArchiveDown = false;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('measured');
    expect(stderr).toMatch(naming('station 832', 'last hour'));
  });

  it('vane plot refuses a selection of more than 12 stations', async () => {
    const { exitCode, stderr } = await vane('plot all');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(naming(12, '--limit 12'));
  });
});
