import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT, readDocument } from '../support/documents.ts';
import { codes, tables } from '../support/tables.ts';

const contributing = readDocument('CONTRIBUTING.md');
const about = JSON.parse(readDocument('package.json')) as { version: string } & Record<
  'dependencies' | 'devDependencies' | 'scripts',
  Record<string, string>
>;

describe('CONTRIBUTING.md', () => {
  it('gives a reason for each dependency, and for no other package', () => {
    const named = tables(contributing, 'package').flatMap(([names = '']) => codes(names));
    const types = /^@types\//;
    const expected = Object.keys({ ...about.dependencies, ...about.devDependencies });
    expect(named.sort()).toEqual(expected.filter((name) => !types.test(name)).sort());
  });

  it.each(['CONTRIBUTING.md', 'docs/releasing.md'])(
    '%s names only files and folders that exist',
    (path) => {
      const paths = codes(readDocument(path)).filter((code) =>
        /^(?:\.build|\.ci|\.github|bin|completions|docs|src|test)\/[\w./-]*$/.test(code),
      );
      expect(paths.length).toBeGreaterThan(1);
      expect(paths.filter((path) => !existsSync(ROOT + path))).toEqual([]);
    },
  );

  it('names only scripts that package.json has', () => {
    const text = contributing + readDocument('docs/releasing.md');
    const scripts = Array.from(text.matchAll(/npm run ([\w:]+)/g), ([, name]) => name);
    expect(scripts.filter((name) => !Object.hasOwn(about.scripts, name ?? ''))).toEqual([]);
  });
});

it('CHANGELOG.md has a dated release for the version of package.json', () => {
  const releases = readDocument('CHANGELOG.md').split(/^## /m).slice(1);
  const heads = releases.map((release) => release.split('\n')[0]?.replace(/ - .*/, ' - '));
  expect(heads).toContain(`[${about.version}] - `);
});
