import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT, readDocument } from '../support/documents.ts';
import { codes, tables } from '../support/tables.ts';

const contributing = readDocument('CONTRIBUTING.md');
const about = JSON.parse(readDocument('package.json')) as { version: string } & Record<
  'dependencies' | 'devDependencies' | 'scripts',
  Record<string, string>
>;

describe('CONTRIBUTING.md', () => {
  it('CONTRIBUTING.md has a reason for each dependency, and for no other package', () => {
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

  it('CONTRIBUTING.md names only scripts that package.json has', () => {
    const text = contributing + readDocument('docs/releasing.md');
    const scripts = Array.from(text.matchAll(/npm run ([\w:]+)/g), ([, name]) => name);
    expect(scripts.filter((name) => !Object.hasOwn(about.scripts, name ?? ''))).toEqual([]);
  });
});

it('the newest section of CHANGELOG.md is unreleased, or of the version of package.json, with a date', () => {
  const [, newest] = readDocument('CHANGELOG.md').split(/^## /m);
  const head = newest?.split('\n')[0]?.replace(/ - \d{4}-\d\d-\d\d(?: \[YANKED\])?$/, ' - ');
  expect(['[Unreleased]', `[${about.version}] - `]).toContain(head);
});

describe('the lines of Node', () => {
  /** A list of majors, as `20 22 24 26` or `20, 22, 24 and 26`. */
  const majors = (text: string | undefined) => text?.match(/\d+/g);
  const lines = tables(readDocument('.github/SECURITY.md'), 'Node').map(([line]) => line);

  it.each([
    ['.ci/run', /^for version in (.*); do$/m],
    ['.github/workflows/ci.yml', /^ +node: \[(.*)\]$/m],
    ['CONTRIBUTING.md', /on Linux with Node ((?:\d+(?:, | and )?)+)/],
    ['docs/promise.md', /tested on Node ((?:\d+(?:, | and )?)+)/],
  ])('of .github/SECURITY.md are those that %s names', (path, list) => {
    expect(lines.length).toBeGreaterThan(3);
    expect(majors(list.exec(readDocument(path).replaceAll(/\s+(?=\d)/g, ' '))?.[1])).toEqual(lines);
  });
});

describe('the workflows', () => {
  it.each(readdirSync(`${ROOT}.github/workflows`))(
    '%s names each action by its commit, with the version as a comment',
    (name) => {
      const workflow = readDocument(`.github/workflows/${name}`);
      const actions = Array.from(workflow.matchAll(/uses: (.*)/g), ([, action = '']) => action);
      expect(actions.length).toBeGreaterThan(0);
      const pinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
      expect(actions.filter((action) => !/^\.\//.test(action) && !pinned.test(action))).toEqual([]);
    },
  );
});
