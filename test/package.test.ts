import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

it('packs what runs, and nothing else', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
    cwd,
  });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const others = packed.files
    .map(({ path }) => path)
    .filter((path) => !/^dist\/(commands|formats|server|service|shared)\/[\w./-]+\.js$/.test(path));
  expect(others.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/package.json',
    'bin/vane.js',
    'completions/_vane',
    'completions/vane.1',
    'completions/vane.bash',
    'completions/vane.fish',
    'completions/vane.ps1',
    'dist/archive.cjs',
    'dist/cli.cjs',
    'dist/live.cjs',
    'dist/main.cjs',
    'package.json',
  ]);
});

describe('a script of dist/', () => {
  const DIST = fileURLToPath(new URL('../dist', import.meta.url));
  const modulesOf = async (name: string): Promise<string[]> => {
    const text = await readFile(`${DIST}/${name}.cjs`, 'utf8');
    return [...text.matchAll(/importModule\(\s*"\.\/([\w/]+)\.js"\s*\)/g)].map(
      ([, path = '']) => path,
    );
  };

  it.each([
    ['cli', ['commands/archive', 'commands/live']],
    ['live', ['commands/archive']],
    ['archive', ['commands/live']],
  ])('%s has its own command, and loads the others when they are wanted', async (name, others) => {
    const modules = new Set(await modulesOf(name));
    expect(['commands/archive', 'commands/live'].filter((path) => modules.has(path))).toEqual(
      others,
    );
    expect(modules).toContain('commands/serve');
    const isWhole = name !== 'cli';
    expect([modules.has('server/server'), modules.has('service/cache')]).toEqual([
      isWhole,
      isWhole,
    ]);
  });

  it.each(['cli', 'live', 'archive'])('%s is ASCII, and starts no programs', async (name) => {
    const text = await readFile(`${DIST}/${name}.cjs`, 'latin1');
    expect(Buffer.byteLength(text)).toBe(text.length);
    expect(text.includes('require("node:child_process")')).toBe(false);
  });
});
