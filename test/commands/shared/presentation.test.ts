import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vane } from '../../support/run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-presentation-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A colour code of a terminal. */
const COLOUR = '\u001b[';

describe('a table in a file', () => {
  const FORCED = { FORCE_COLOR: '1' };
  it.each([
    [['live', '110'], ['--color'], {}, true],
    [['live', '110'], ['--color'], { NO_COLOR: '1' }, true],
    [['live', '110'], [], FORCED, false],
    [['live', '110'], ['--no-color'], FORCED, false],
    [['archive', '110', '--start', '1h'], ['--color'], {}, true],
    [['archive', '110', '--start', '1h'], [], FORCED, false],
  ])(
    'of vane %j with %j and the environment %j has colours: %s',
    async (command, flags, env, expected) => {
      const path = join(folder, 'table.txt');
      const args = [...command, '--demo', '-f', 'table', '-o', path, ...flags];
      expect(await vane(args, { env })).toMatchObject({ code: 0, out: '' });
      expect((await readFile(path, 'utf8')).includes(COLOUR)).toBe(expected);
    },
  );
});
