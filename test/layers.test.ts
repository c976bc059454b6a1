import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readDocument } from './support/documents.ts';
import { codes, tables } from './support/tables.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The layers of src/, from the top, each with the folders and files that CONTRIBUTING.md names. */
const LAYERS = tables(readDocument('CONTRIBUTING.md'), 'folder of `src/`').map(([names = '']) =>
  codes(names).map((name) => name.replace(/\/$/, '')),
);

/** What a module imports from files of vane, types too: `from '…'`, `import '…'`, `import('…')`. */
const importsOf = (text: string): string[] =>
  Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^'?]*)/g), ([, path]) => path ?? '');

/** Each module of src/, with the modules of src/ that it imports. */
const MODULES: Graph = new Map(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|cjs)$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => {
      const imports = importsOf(readFileSync(join(ROOT, 'src', path), 'utf8'));
      const targets = imports.map((target) => normalize(join(dirname(path), target)));
      return [path, new Set(targets.filter((target) => !target.startsWith('..')))];
    }),
);

/** Each folder of src/, with the folders beside it that its modules import from. */
function foldersOf(modules: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of modules) {
    for (const target of targets) {
      const [own, others] = [path.split('/'), target.split('/')];
      const depth = own.findIndex((name, index) => name !== others[index]);
      if (depth === own.length - 1 || depth === others.length - 1) continue;
      const folder = own.slice(0, depth + 1).join('/');
      const other = others.slice(0, depth + 1).join('/');
      folders.set(folder, (folders.get(folder) ?? new Set()).add(other));
    }
  }
  return folders;
}

/** The nodes of circles, and those between circles: what is left without all beginnings and ends. */
function circlesIn(graph: Graph): string[] {
  const edges = [...graph].flatMap(([from, targets]) => [...targets].map((to) => [from, to]));
  for (;;) {
    const begins = new Set(edges.map(([from]) => from));
    const ends = new Set(edges.map(([, to]) => to));
    const left = edges.filter(([from, to]) => begins.has(to) && ends.has(from));
    if (left.length === edges.length) return [...begins].map(String).sort();
    edges.splice(0, edges.length, ...left);
  }
}

const topOf = (path: string): string => path.split('/')[0] ?? '';
const layerOf = (path: string): number => LAYERS.findIndex((names) => names.includes(topOf(path)));

it('CONTRIBUTING.md has each folder and module of src/ in one layer, and nothing else', () => {
  const found = new Set([...MODULES.keys()].map(topOf));
  expect(LAYERS.flat().sort()).toEqual([...found].sort());
});

it('a module of src/ imports only from its own folder and from layers below it', () => {
  const all = [...MODULES].flatMap(([path, targets]) => [...targets].map((to) => [path, to]));
  const wrong = all.filter(
    ([path = '', target = '']) => topOf(path) !== topOf(target) && layerOf(path) >= layerOf(target),
  );
  expect(wrong.map((pair) => pair.join(' imports '))).toEqual([]);
  expect(all.length).toBeGreaterThan(MODULES.size);
});

it('modules of src/ do not import each other in circles, not even types', () => {
  expect(circlesIn(MODULES)).toEqual([]);
});

it('sibling folders of src/ do not import from each other in circles', () => {
  expect(circlesIn(foldersOf(MODULES))).toEqual([]);
});

it('the check of layers finds every form of import', () => {
  const text = `import { a } from './a.ts';
import type {
  B,
} from '../b.ts';
import './c.ts';
export * from './d/d.ts';
export type { E } from './e.ts';
const f = await import('./f.ts');
type G = import('./g.ts').G;
import h from './h.css?text';
import { i } from 'node:fs';`;
  const names = [
    './a.ts',
    '../b.ts',
    './c.ts',
    './d/d.ts',
    './e.ts',
    './f.ts',
    './g.ts',
    './h.css',
  ];
  expect(importsOf(text)).toEqual(names);
});

it('the check of layers finds circles of modules and of folders', () => {
  const modules = new Map([
    ['top.ts', new Set(['x/a/1.ts'])],
    ['x/a/1.ts', new Set(['x/b/2.ts'])],
    ['x/b/2.ts', new Set(['x/3.ts'])],
    ['x/b/4.ts', new Set(['x/a/5.ts', 'x/b/6.ts'])],
    ['x/b/6.ts', new Set(['x/b/4.ts'])],
  ]);
  expect(circlesIn(modules)).toEqual(['x/b/4.ts', 'x/b/6.ts']);
  expect(circlesIn(foldersOf(modules))).toEqual(['x/a', 'x/b']);
});
