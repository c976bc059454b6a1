import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { blocksOf, readDocument } from './documents.ts';

/** The text of a file in docs/examples. */
export const example = (name: string): string => readDocument(`docs/examples/${name}`);

/** The code blocks of a recipe that are written in one language, such as `sh`. */
export function recipeBlocks(name: string, language: string): string[] {
  const found = blocksOf(`docs/recipes/${name}.md`).filter((block) => block.language === language);
  expect(found.length, `${language} in “${name}”`).toBeGreaterThan(0);
  return found.map(({ text }) => text);
}

/** On Debian some programs are in /usr/sbin, which is not in the PATH of users. */
export const PATH = `${process.env.PATH}:/usr/sbin`;

/**
 * Whether a recipe needs a program that this machine lacks; prints then that its test is skipped.
 */
export function isMissing(name: string, program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH } });
    return false;
  } catch {
    console.log(`skipped: the recipe for ${name}, which is not installed`);
    return true;
  }
}

type Environment = Readonly<Record<string, string>>;

/** Opens a folder in which the tests of a file run recipes, and closes it after the last test. */
export function useRecipeFolder(): RecipeFolder {
  const recipes = {} as RecipeFolder;
  beforeAll(async () => {
    Object.assign(recipes, await openRecipeFolder());
  });
  afterAll(() => recipes.close());
  return recipes;
}

/** A folder with the built program in the PATH and the simulated network. */
async function openRecipeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'vane-recipes-'));
  const service = simulatedService(Date.now);
  const network = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
  const bin = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
  await mkdir(join(folder, 'bin'));
  const vane = join(folder, 'bin', 'vane');
  await writeFile(vane, `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(vane, 0o755);
  const env = { VANE_BASE_URL: network.baseUrl, VANE_CACHE_DIR: join(folder, 'cache') };
  const run = (program: string, args: readonly string[], more: Environment = {}) =>
    execa(program, args, {
      cwd: folder,
      env: { ...env, PATH: `${join(folder, 'bin')}:${PATH}`, NO_PROXY: '*', ...more },
    });
  return {
    folder,
    env,
    /** Runs a program in the folder. */
    run,
    /** Runs a line of a shell in the folder. */
    sh: (line: string, more?: Environment) => run('sh', ['-c', line], more),
    /** A recipe with the folder in place of folders of the system. */
    adapt: (text: string): string =>
      text
        .replaceAll('/usr/local/bin', join(folder, 'bin'))
        .replaceAll(/\/(srv\/wind|var\/log\/vane)/g, folder),
    async close(): Promise<void> {
      await network.close();
      await rm(folder, { recursive: true });
    },
  };
}

type RecipeFolder = Awaited<ReturnType<typeof openRecipeFolder>>;

/** A watch of a recipe, which ends after its first poll. */
export const onePoll = (recipe: string): string =>
  recipe.replace('vane watch', 'vane watch --count 1');
