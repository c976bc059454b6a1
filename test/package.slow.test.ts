import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, expect, it } from 'vitest';

const cwd = fileURLToPath(new URL('..', import.meta.url));
let name: string;
let paths: string[];
beforeAll(async () => {
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
    cwd,
  });
  const [packed] = JSON.parse(stdout) as [{ name: string; files: { path: string }[] }];
  name = packed.name;
  paths = packed.files.map(({ path }) => path);
}, 60_000);

it('npm pack makes the package vane-cli of the files that vane needs to run, and of no others', () => {
  expect(name).toBe('vane-cli');
  const others = paths.filter((path) => !/^dist\/chunks\/[\w-]+\.mjs$|^docs\//.test(path));
  expect(others.sort()).toEqual([
    '.github/SECURITY.md',
    '.github/now.svg',
    '.github/page.png',
    '.github/rose.svg',
    '.github/series.svg',
    '.github/terminal.svg',
    '.github/watch.svg',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
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
  const isOfImage = (name: string) => name.endsWith('.tgz');
  const files = docs.filter(
    (name) => statSync(join(cwd, 'docs', name)).isFile() && !isOfImage(name),
  );
  expect(paths.filter((path) => path.startsWith('docs/')).sort()).toEqual(
    files.map((name) => `docs/${name}`).sort(),
  );
});

it('each link of README.md and docs leads to a file of the package', () => {
  const pages = paths.filter((path) => /^(?:README|docs\/.*)\.md$/.test(path));
  const broken = pages.flatMap((page) =>
    Array.from(readFileSync(join(cwd, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g))
      .map(([, link = '']) => link)
      .filter((link) => !/^\w+:/.test(link) && !paths.includes(join(dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('dist/ loads each package that is installed with vane, except one that only pins a version', () => {
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
