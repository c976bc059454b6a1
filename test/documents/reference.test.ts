import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli.ts';
import { CONDITION_FIELDS, findConditionField } from '../../src/domain/condition/fields.ts';
import { SERVICE_COLUMNS } from '../../src/domain/readings/archiveColumns.ts';
import { SPEED_UNITS } from '../../src/domain/units.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { ROOT, readDocument } from '../support/documents.ts';
import { fakeIo } from '../support/fake-io.ts';
import { vane } from '../support/run.ts';
import { codes, tables } from '../support/tables.ts';

const program = await createProgram(fakeIo(), async () => {});
const { commands } = program;
const formats = readDocument('docs/reference/formats.md');
const configuration = readDocument('docs/reference/configuration.md');

/** The format in the request that a command line is read into. */
async function formatChosen(line: readonly string[]): Promise<unknown> {
  let format: unknown;
  const program = await createProgram(fakeIo(), async (request) => {
    const { output, stream } = request as Record<'output' | 'stream', { format: unknown }>;
    format = (output ?? stream).format;
  });
  await program.parseAsync(line, { from: 'user' });
  expect(format).toBeDefined();
  return format;
}

/** Folders and the terminal, of which the system tells vane; no user sets them for vane. */
const OF_SYSTEM = /^(?:HOME|USERPROFILE|LOCALAPPDATA|APPDATA|XDG_\w+|WT_SESSION)$/;

/** The environment variables that the code of vane reads: `env.X`, `{ X } = env`, or by name. */
function readVariables(): string[] {
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${ROOT}src/${name}`, 'utf8'))
    .join('\n');
  const pieces = [
    ...code.matchAll(/\benv\.[A-Z]\w+|\bvariable: '\w+'|\(env, '\w+'\)/g),
    ...code.matchAll(/\{[^{}]*\}(?= = env\b|: Io\['env'\])/g),
  ];
  const names = pieces.flatMap(([piece]) => piece.match(/\b[A-Z][A-Z_]+\b/g) ?? []);
  return [...new Set(names)].filter((name) => !OF_SYSTEM.test(name));
}

it('README.md has a row for each command, and for no other', () => {
  const shown = program.createHelp().visibleCommands(program);
  const names = shown.map((command) => `vane ${command.name()}`);
  const rows = tables(readDocument('README.md'), 'command').flatMap(([name = '']) => codes(name));
  expect(rows.sort()).toEqual(names.filter((name) => name !== 'vane help').sort());
});

describe('docs/reference/formats.md', () => {
  it('docs/reference/formats.md has a row for each unit of speed, with its label', () => {
    const rows = tables(formats, '`--units`');
    const named = rows.map(([name = '', label]) => [codes(name)[0], label]);
    const units = Object.entries(SPEED_UNITS).map(([name, { label }]) => [name, label]);
    expect(named).toEqual(units);
  });

  it('docs/reference/formats.md has a row for each column of an archive', () => {
    const named = tables(formats, 'column').flatMap(([names = '']) => codes(names));
    const added = ['station', 'flag', 'readings', 'coverage'];
    expect(named).toEqual([...SERVICE_COLUMNS.map(({ name }) => name), ...added]);
  });

  it('docs/reference/formats.md has a row for each format, with the commands that write the format', () => {
    const writers = new Map<string, string[]>();
    for (const command of commands) {
      const format = command.options.find(({ long }) => long === '--format');
      for (const word of format?.argChoices ?? []) {
        writers.set(word, [...(writers.get(word) ?? []), command.name()]);
      }
    }
    const named = tables(formats, '`-f`').map(([name = '', , commands = '']) => [
      codes(name)[0],
      commands.split(', '),
    ]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(writers));
  });

  const endings = tables(formats, '`-f`').flatMap(([name = '', files = '', commands = '']) =>
    codes(files).map((ending) => [ending, codes(name)[0] ?? '', commands.split(', ')[0] ?? '']),
  );

  it.each(endings)(
    'docs/reference/formats.md says that a file name ending in %s picks the format %s for vane %s, which is true',
    async (ending, name, command) => {
      const line = [command, '110', ...(command === 'archive' ? ['--start', '3d'] : [])];
      const byEnding = await formatChosen([...line, '-o', `file${ending}`]);
      const byFlag = await formatChosen([...line, '-o', 'file.dat', '-f', name]);
      expect(byEnding).toBe(byFlag);
    },
  );
});

it('docs/reference/conditions.md names each field of conditions, as the help of vane watch does', async () => {
  const { out: help } = await vane(['watch', '--help']);
  const rows = tables(readDocument('docs/reference/conditions.md'), 'field');
  expect(rows.flatMap(([name = '']) => codes(name))).toEqual(Object.keys(CONDITION_FIELDS));
  for (const field of Object.keys(CONDITION_FIELDS)) {
    expect(findConditionField(field)).toBe(field);
    expect(help).toMatch(new RegExp(`\\b${field}\\b`));
  }
});

describe('docs/reference/configuration.md', () => {
  it('docs/reference/configuration.md has a row for each exit code', () => {
    const codes = tables(configuration, 'code').map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT_CODES));
  });

  it('docs/reference/configuration.md has a row for each environment variable that vane reads, and for no other', () => {
    const named = tables(configuration, 'variable').flatMap(([names = '']) => codes(names));
    expect(named.sort()).toEqual(readVariables().sort());
  });
});

it('docs/reference/statistics.md explains each column of vane stats', async () => {
  const { out } = await vane([
    '--demo',
    'stats',
    '110',
    '--start',
    '2024-01',
    '--stop',
    '2024-02',
    '-f',
    'csv',
  ]);
  const explained = tables(readDocument('docs/reference/statistics.md'), 'field').flatMap(
    ([names = '', meaning = '']) => codes(`${names} ${meaning}`),
  );
  const columns = out.split('\n')[0]?.split(',') ?? [];
  // A table names the first and the last percentile and force.
  const isInner = (name: string) => /^(?:gust_)?p\d+$|^bft_\d+$/.test(name);
  expect(columns.length).toBeGreaterThan(30);
  expect(columns.filter((name) => !isInner(name) && !explained.includes(name))).toEqual([]);
});
