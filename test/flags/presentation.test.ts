import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vane } from '../support/run.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-presentation-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A colour code of a terminal. */
const COLOUR = '\u001b[';

describe('a table in a file', () => {
  it.each([
    ['has colours with --color', 'live 110 --color', {}, true],
    [
      'has colours with --color, also where NO_COLOR is set',
      'live 110 --color',
      { NO_COLOR: '1' },
      true,
    ],
    [
      'has no colours for FORCE_COLOR, which is for stdout',
      'live 110',
      { FORCE_COLOR: '1' },
      false,
    ],
    ['has no colours with --no-color', 'live 110 --no-color', { FORCE_COLOR: '1' }, false],
    ['has colours with --color', 'archive 110 --start 1h --color', {}, true],
    [
      'has no colours for FORCE_COLOR, which is for stdout',
      'archive 110 --start 1h',
      { FORCE_COLOR: '1' },
      false,
    ],
  ])('a table that -o writes into a file %s (vane %s)', async (_rule, line, env, expected) => {
    const path = join(folder, 'table.txt');
    const args = [...line.split(' '), '--demo', '-f', 'table', '-o', path];
    expect(await vane(args, { env })).toMatchObject({ code: 0, out: '' });
    expect((await readFile(path, 'utf8')).includes(COLOUR)).toBe(expected);
  });
});
