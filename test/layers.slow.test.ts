import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const FORBIDDEN = [
  ['src/domain/a.ts', '../wire/archive.ts'],
  ['src/domain/b.ts', '../io.ts'],
  ['src/domain/d.ts', '../statistics/rose.ts'],
  ['src/statistics/a.ts', '../wire/archive.ts'],
  ['src/statistics/b.ts', '../io.ts'],
  ['src/wire/a.ts', '../service/service.ts'],
  ['src/wire/b.ts', '../main.ts'],
  ['src/service/a.ts', '../formats/index.ts'],
  ['src/service/http/a.ts', '../../commands/live.ts'],
  ['src/formats/a.ts', '../output/write.ts'],
  ['src/formats/b.ts', '../figures/figure.ts'],
  ['src/figures/a.ts', '../output/write.ts'],
  ['src/output/a.ts', '../formats/index.ts'],
  ['src/server/a.ts', '../commands/live.ts'],
  ['src/commands/a.ts', '../cli.ts'],
  ['src/commands/b.ts', 'node:process'],
] as const;

const ALLOWED = [
  ['src/wire/c.ts', '../domain/rows.ts'],
  ['src/wire/d.ts', '../statistics/rose.ts'],
  ['src/figures/c.ts', '../formats/index.ts'],
  ['src/service/http/c.ts', '../../wire/archive.ts'],
  ['src/commands/c.ts', '../formats/index.ts'],
] as const;

let folder: string;
let complaints: string;

/** Runs the linter, as configured for this project, on files that only have these imports. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-layers-'));
  for (const name of ['biome.json', '.gitignore']) {
    await copyFile(join(ROOT, name), join(folder, name));
  }
  for (const [file, specifier] of [...FORBIDDEN, ...ALLOWED]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `import { x } from '${specifier}';\nexport const y = x;\n`);
  }
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const { stdout } = await execa(biome, ['lint', '--reporter=github', '.'], {
    cwd: folder,
    reject: false,
  });
  complaints = stdout;
});
afterAll(() => rm(folder, { recursive: true }));

const isRefused = (file: string): boolean =>
  complaints
    .split('\n')
    .some((line) => line.includes('noRestrictedImports') && line.includes(`/${file},`));

it.each(FORBIDDEN)('the linter refuses in %s the import of %s', (file) => {
  expect(isRefused(file)).toBe(true);
});

it.each(ALLOWED)('the linter allows in %s the import of %s', (file) => {
  expect(isRefused(file)).toBe(false);
});
