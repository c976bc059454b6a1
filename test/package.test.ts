import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

it('packs what runs, and nothing else', async () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
    cwd,
  });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const others = packed.files
    .map(({ path }) => path)
    .filter((path) => !/^dist\/chunks\/[\w-]+\.js$/.test(path));
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
    'dist/main.js',
    'package.json',
  ]);
});
