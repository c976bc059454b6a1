import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, posix, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { FilesOptions } from '../../flags/history.ts';
import { createFileNameTest } from '../../output/template.ts';
import { explainReadError } from './fault.ts';
import { mayContainWanted, parsePartition } from './partition.ts';

/** Matches the names of exported files. */
const EXPORT = /\.(?:csv|txt|ndjson|parquet)(?:\.gz)?$/i;

/**
 * Lists the files of `--from` without repetitions: named files, matches of globs, and files within
 * folders. Folders `station=…` and `year=…` are skipped if they contain nothing wanted.
 * @throws UsageError for a glob or folder without files, a folder that cannot be read, and an
 *   output file among the files
 */
export async function findFiles(options: FilesOptions): Promise<readonly string[]> {
  const globs = await Promise.all(options.paths.map((path) => expandGlob(path, options)));
  const places = globs.flat();
  const lists = await Promise.all(places.map((path) => filesAt(path, options)));
  const files = [...new Set(lists.flat())];
  refuseOutput(options.output, places, files);
  return files;
}

/**
 * Refuses an output file that would replace a file of `--from`, or that the next run would read.
 */
function refuseOutput(
  output: string | undefined,
  places: readonly string[],
  files: readonly string[],
): void {
  if (output === undefined || output === '-') return;
  const find = (paths: readonly string[], matches: (path: string) => boolean) =>
    paths.find((path) => path !== '-' && matches(path));
  for (let above = dirname(resolve(output)); above !== dirname(above); above = dirname(above)) {
    const folder = find(places, createFileNameTest(above));
    if (folder === undefined) continue;
    throw new UsageError(
      `--output ${output} is in the folder ${folder} of --from; choose another folder.`,
    );
  }
  const read = find([...places, ...files], createFileNameTest(output));
  if (read === undefined) return;
  throw new UsageError(
    `--output ${output} would replace ${read} of --from; name another file for the output.`,
  );
}

const statusOf = (path: string) => stat(path).catch(() => undefined);

/**
 * The paths that match a glob. An existing path is taken literally, even if it looks like a glob.
 */
async function expandGlob(
  path: string,
  { paths, stationWords }: FilesOptions,
): Promise<readonly string[]> {
  if (path === '-' || (await statusOf(path))) return [path];
  const { convertPathToPattern, glob, isDynamicPattern } = await import('tinyglobby');
  const pattern = sep === '\\' ? path.replaceAll(sep, '/') : path;
  if (isDynamicPattern(pattern)) {
    const here = resolve('.');
    // Search from the root: otherwise a pattern such as ../*/x.csv misses the working directory.
    const whole = isAbsolute(path) ? pattern : posix.join(convertPathToPattern(here), pattern);
    const cwd = parse(here).root;
    // Match folders too, as a shell does.
    const kinds = { onlyFiles: false, expandDirectories: false };
    const found = await glob(whole, { cwd, absolute: true, ...kinds });
    if (found.length === 0) throw new UsageError(`--from: no file matches ${path}.`);
    return found.map((one) => (isAbsolute(path) ? one : relative(here, one) || '.')).sort();
  }
  if (!stationWords.includes(path)) return [path];
  const file = paths.find((other) => !stationWords.includes(other)) ?? 'FILE';
  throw new UsageError(
    `--from: there is no file ${path}. Put stations before --from: ${path} --from ${file}`,
  );
}

/** A named file, or the exported files below a named folder. */
async function filesAt(path: string, options: FilesOptions): Promise<readonly string[]> {
  const status = path === '-' ? undefined : await statusOf(path);
  if (status === undefined) return [path];
  if (!status.isDirectory())
    return mayContainWanted(parsePartition(dirname(path)), options) ? [path] : [];
  let isPruned = false;
  async function filesBelow(folder: string): Promise<string[]> {
    if (!mayContainWanted(parsePartition(folder), options)) {
      isPruned = true;
      return [];
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
      throw explainReadError(error, folder);
    });
    const files: string[] = [];
    for (const entry of entries) {
      const below = join(folder, entry.name);
      // Skip folders with names like files, as Spark creates them, and fifos.
      if (entry.isDirectory()) files.push(...(await filesBelow(below)));
      else if (EXPORT.test(entry.name) && (entry.isFile() || entry.isSymbolicLink()))
        files.push(below);
    }
    return files;
  }
  const files = await filesBelow(path);
  if (files.length > 0 || isPruned) return files.sort();
  throw new UsageError(`--from: the folder ${path} has no file in csv, txt, ndjson or parquet.`);
}
