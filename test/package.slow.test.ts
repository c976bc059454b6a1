import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

it('npm pack makes the package vane-cli of the files that vane needs to run, and of no others', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
    cwd,
  });
  const [packed] = JSON.parse(stdout) as [{ name: string; files: { path: string }[] }];
  expect(packed.name).toBe('vane-cli');
  const paths = packed.files.map(({ path }) => path);
  const others = paths.filter((path) => !/^dist\/chunks\/[\w-]+\.mjs$|^docs\//.test(path));
  expect(others.sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/vane.js',
    'completions/_vane',
    'completions/vane.1',
    'completions/vane.bash',
    'completions/vane.fish',
    'completions/vane.ps1',
    'dist/NOTICES.txt',
    'dist/main.mjs',
    'package.json',
  ]);
  const docs = readdirSync(join(cwd, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = docs.filter((name) => statSync(join(cwd, 'docs', name)).isFile());
  expect(paths.filter((path) => path.startsWith('docs/')).sort()).toEqual(
    files.map((name) => `docs/${name}`).sort(),
  );
});

it('dist/ loads each package that is installed with vane, but one that only pins a version', () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
  const code = readdirSync(new URL('../dist/chunks', import.meta.url))
    .map((file) => read(`dist/chunks/${file}`))
    .join('');
  // Not `"name": version`, since dist/ has a copy of package.json.
  const isLoaded = (name: string) => new RegExp(`"${name}["/](?!:)`).test(code);
  const unused = Object.keys(dependencies).filter((name) => !isLoaded(name));
  expect(unused).toEqual(['light-my-request']);
});
