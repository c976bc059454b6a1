import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { checkSync } from 'recheck';
import { afterEach, expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** The modules that compose regular expressions, each with a call that loads it. */
const COMPOSING: Readonly<Record<string, () => Promise<unknown>>> = {
  'wire/check.ts': () => import('../src/wire/check.ts'),
  'wire/scanRows.ts': () => import('../src/wire/scanRows.ts'),
};

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

/** @returns the modules that compose regular expressions */
async function addLiteralsOfSrc(): Promise<string[]> {
  const composing: string[] = [];
  const names = await readdir(SRC, { recursive: true });
  for (const name of names.filter((path) => /\.(?:ts|cjs)$/.test(path))) {
    const { code } = await transform(await readFile(join(SRC, name), 'utf8'), { loader: 'ts' });
    addLiterals(parseAst(code));
    if (/\bRegExp\(/.test(code)) composing.push(name);
  }
  return composing;
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
  for (const compose of Object.values(COMPOSING)) await compose();
  vi.unstubAllGlobals();
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it('no regular expression in src needs time that grows faster than the text', {
  timeout: 900_000,
}, async () => {
  // The other backends of recheck need Java or a program for this machine.
  vi.stubEnv('RECHECK_BACKEND', 'pure');
  expect((await addLiteralsOfSrc()).sort()).toEqual(Object.keys(COMPOSING));
  await addComposed();
  expect(expressions.size).toBeGreaterThan(100);
  // recheck confirms an attack by its time, so a busy machine can make it wrong: retry.
  const isSafe = ([source, flags]: readonly [string, string]): boolean =>
    [1, 2, 3, 4, 5].some(() => checkSync(source, flags, { timeout: null }).status === 'safe');
  const unsafe = [...expressions].filter(([, expression]) => !isSafe(expression));
  expect(unsafe.map(([text]) => text)).toEqual([]);
});
