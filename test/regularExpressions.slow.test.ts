import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { checkSync } from 'recheck';
import { afterEach, expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Modules that compose regular expressions when they are loaded. */
const COMPOSING = ['../src/wire/check.ts', '../src/wire/scanRows.ts'];

/** The regular expressions of src as `/source/flags`, each with its source and its flags. */
const expressions = new Map<string, [source: string, flags: string]>();
const add = (source: string, flags = ''): void => {
  expressions.set(`/${source}/${flags}`, [source, flags]);
};

/** Adds the literals below a node of a syntax tree. */
function addLiterals(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string };
    add(pattern, flags);
  }
  for (const child of Object.values(node)) addLiterals(child);
}

async function addLiteralsOfSrc(): Promise<void> {
  const names = await readdir(SRC, { recursive: true });
  for (const name of names.filter((path) => /\.(?:ts|cjs)$/.test(path))) {
    const { code } = await transform(await readFile(join(SRC, name), 'utf8'), { loader: 'ts' });
    addLiterals(parseAst(code));
  }
}

async function addComposed(): Promise<void> {
  vi.resetModules();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [source, flags]) {
        add(source, flags);
        return new target(source, flags);
      },
    }),
  );
  for (const module of COMPOSING) await import(module);
  vi.unstubAllGlobals();
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it('no regular expression of src takes time that grows faster than the text', {
  timeout: 900_000,
}, async () => {
  // The other backends of recheck need Java or a program for this machine.
  vi.stubEnv('RECHECK_BACKEND', 'pure');
  await addLiteralsOfSrc();
  await addComposed();
  expect(expressions.size).toBeGreaterThan(100);
  const results = [...expressions].map(([text, [source, flags]]) => {
    const { status } = checkSync(source, flags, { timeout: null });
    return [text, status] as const;
  });
  expect(results.filter(([, status]) => status !== 'safe')).toEqual([]);
});
