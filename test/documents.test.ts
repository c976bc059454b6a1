import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli.ts';
import { FIELDS, fieldOf } from '../src/domain/condition/fields.ts';
import { COLUMNS } from '../src/domain/reading.ts';
import { SPEED_UNITS } from '../src/domain/units.ts';
import { EXIT, EXIT_MEANINGS } from '../src/errors.ts';
import { ALL_FORMATS } from '../src/flags/formats.ts';
import { ENVIRONMENT } from '../src/flags/settings.ts';
import { fakeIo } from './support/fake-io.ts';
import { words } from './support/question.ts';
import { vane } from './support/run.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

const readme = read('README.md');
const contributing = read('CONTRIBUTING.md');
const about = JSON.parse(read('package.json')) as { version: string } & Record<
  'dependencies' | 'devDependencies' | 'scripts',
  Record<string, string>
>;

const section = (document: string, heading: string): string =>
  document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The cells of the tables whose head begins with a text, one array for each row. */
const tables = (document: string, head: string): string[][] =>
  document
    .split(/\n(?!\|)/)
    .map((block) => block.trim())
    .filter((block) => block.startsWith(`| ${head} |`))
    .flatMap((block) => block.split('\n').slice(2))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** The texts between backquotes. */
const codes = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code]) => code ?? '');

/** The anchor that GitHub and npm give a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const program = await createProgram(fakeIo(), async () => {});
const { commands } = program;

/** The format in the request that a command line is read into. */
async function formatAsked(line: readonly string[]): Promise<unknown> {
  let format: unknown;
  const program = await createProgram(fakeIo(), async (request) => {
    const { output, stream } = request as Record<'output' | 'stream', { format: unknown }>;
    format = (output ?? stream).format;
  });
  await program.parseAsync(line, { from: 'user' });
  expect(format).toBeDefined();
  return format;
}

describe('README.md', () => {
  it('has under the heading Commands a section for each command, and no other section', () => {
    const shown = program.createHelp().visibleCommands(program);
    const names = shown
      .map((command) => `vane ${command.name()}`)
      .filter((name) => name !== 'vane help');
    const headings = Array.from(
      section(readme, 'Commands').matchAll(/^### `(.+)`$/gm),
      ([, name]) => name,
    );
    expect(headings.sort()).toEqual(names.sort());
  });

  it('has a row for each unit of speed, with its label', () => {
    const rows = tables(readme, '`--units`');
    const named = rows.map(([name = '', label]) => [codes(name)[0], label]);
    const units = Object.entries(SPEED_UNITS).map(([name, { label }]) => [name, label]);
    expect(named).toEqual(units);
  });

  it('has a row for each column of an archive', () => {
    const rows = tables(readme, 'archive column');
    const named = rows.flatMap(([names = '']) => codes(names));
    expect(named).toEqual(COLUMNS.map(({ name }) => name));
  });

  it('has a row for each format, with the commands that write it, in the words of the manual page', () => {
    const writers = new Map<string, string[]>();
    for (const command of commands) {
      const format = command.options.find(({ long }) => long === '--format');
      for (const word of format?.argChoices ?? []) {
        writers.set(word, [...(writers.get(word) ?? []), command.name()]);
      }
    }
    const rows = tables(readme, '`-f`');
    const named = rows.map(([name = '', , commands = '']) => [
      codes(name)[0],
      commands.split(', '),
    ]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(writers));
    const meanings = rows.map(([name = '', , , meaning]) => [codes(name)[0], meaning]);
    const known = Object.entries(ALL_FORMATS).map(([name, { meaning }]) => [name, meaning]);
    expect(Object.fromEntries(meanings)).toEqual(Object.fromEntries(known));
  });

  const endings = tables(readme, '`-f`').flatMap(([name = '', files = '', commands = '']) =>
    codes(files).map((ending) => [ending, codes(name)[0] ?? '', commands.split(', ')[0] ?? '']),
  );

  it.each(endings)(
    'says that a file name ending in %s picks the format %s for vane %s, which is true',
    async (ending, name, command) => {
      const line = [command, '110', ...(command === 'archive' ? ['--start', '3d'] : [])];
      const byEnding = await formatAsked([...line, '-o', `file${ending}`]);
      const byFlag = await formatAsked([...line, '-o', 'file.dat', '-f', name]);
      expect(byEnding).toBe(byFlag);
    },
  );

  it('names each field of conditions, as the help of vane watch does', async () => {
    const { out: help } = await vane(['watch', '--help']);
    const [, text = ''] = /^Conditions compare ([^;]*);/m.exec(readme) ?? [];
    expect(codes(text)).toEqual(Object.keys(FIELDS));
    for (const field of Object.keys(FIELDS)) {
      expect(fieldOf(field)).toBe(field);
      expect(help).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });

  it('explains each exit code in the words of the manual page', () => {
    const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
    const expected = names.map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]]);
    expect(tables(readme, 'code')).toEqual(expected);
  });

  it('explains each environment variable in the words of the manual page', () => {
    const expected = Object.entries(ENVIRONMENT).map(([names, meaning]) => [
      names.replace(/\w+/g, '`$&`'),
      meaning,
    ]);
    expect(tables(readme, 'variable')).toEqual(expected);
  });

  const examples = Array.from(
    readme.matchAll(/^\$ vane (--demo .*)\n((?:[^$`].*\n)+)/gm),
    ([, line = '', output = '']) => [line, output] as const,
  );
  /** Whether a command has the same output at any time: its period is written as dates. */
  const isFixed = (line: string): boolean => / --start 20/.test(line);

  it('has examples whose output is fixed', () => {
    expect(examples.filter(([line]) => isFixed(line))).not.toEqual([]);
  });

  it.each(examples.filter(([line]) => isFixed(line)))(
    'shows the exact output of vane %s',
    async (line, output) => {
      const { code, out } = await vane(words(line), {
        now: Date.UTC(2026, 0),
        env: { COLUMNS: '80' },
      });
      expect({ code, out }).toEqual({ code: 0, out: output });
    },
  );

  it.each(examples.filter(([line]) => !isFixed(line)))(
    'shows as many lines of output as vane %s has, whose values follow the clock',
    async (line, output) => {
      const { code, out } = await vane(words(line), { env: { COLUMNS: '80' } });
      expect({ code, lines: out.split('\n').length }).toEqual({
        code: 0,
        lines: output.split('\n').length,
      });
    },
  );

  const links = Array.from(readme.matchAll(/\]\(([^):]+)\)/g), ([, target = '']) => target);

  it.each(links.filter((link) => !link.startsWith('#')))(
    'links to the file %s, which exists',
    (path) => {
      expect(existsSync(ROOT + path)).toBe(true);
    },
  );

  it('links only to headings that it has, each once', () => {
    const headings = Array.from(
      readme.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm),
      ([, text = '']) => anchorOf(text),
    );
    const anchors = links.filter((link) => link.startsWith('#'));
    expect(anchors.length).toBeGreaterThan(10);
    expect(anchors.filter((link) => !headings.includes(link.slice(1)))).toEqual([]);
    expect(headings).toEqual([...new Set(headings)]);
  });
});

describe('CONTRIBUTING.md', () => {
  it('gives a reason for each dependency, and for no other package', () => {
    const named = tables(contributing, 'package').flatMap(([names = '']) => codes(names));
    const types = /^@types\//;
    const expected = Object.keys({ ...about.dependencies, ...about.devDependencies });
    expect(named.sort()).toEqual(expected.filter((name) => !types.test(name)).sort());
  });

  it('names only files and folders that exist', () => {
    const paths = codes(contributing).filter((code) =>
      /^(?:\.build|\.ci|bin|completions|src|test)\/[\w./-]*$/.test(code),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(ROOT + path))).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    const scripts = Array.from(contributing.matchAll(/npm run ([\w:]+)/g), ([, name]) => name);
    expect(scripts.filter((name) => !Object.hasOwn(about.scripts, name ?? ''))).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  const releases = read('CHANGELOG.md').split(/^## /m).slice(1);

  it('has a dated release for the version of package.json', () => {
    const heads = releases.map((release) => release.split('\n')[0]?.replace(/ - .*/, ' - '));
    expect(heads).toContain(`[${about.version}] - `);
  });
});

it.each(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'completions/vane.1'])(
  '%s tells nowhere to install the npm package vane, which is another program than vane-cli',
  (path) => {
    const install = /\b(?:npm|pnpm|yarn|npx)\s+(?:i|install|add)\b[^\n`]*\bvane\b(?!-cli)/;
    expect(read(path)).not.toMatch(install);
  },
);
