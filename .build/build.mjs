// Makes dist/ of src/. A native tool starts in a few milliseconds. What Node allows is few files, and
// CommonJS where a start is felt: to read, link and compile modules takes longer than to run them.
import { readFile, rm } from 'node:fs/promises';
import { dirname, posix, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const SRC = resolve('src');
const DIST = 'dist';

/** What a person waits for at each look: the command line, and the commands that ask once. */
const BRIEF = ['main.ts', 'cli.ts', 'commands/live.ts', 'commands/archive.ts'];

/** Too large to be read by a command that may not need it. */
const HEAVY =
  /^(commands\/config\/parse|server\/server|service\/(simulated|cache|http\/undiciClient)|formats\/parquet)\.ts$/;

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Names stay, to be read in the traces of `--verbose`.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 100,
  logLevel: 'warning',
  outdir: DIST,
  outbase: 'src',
};

/** Where the parts of dist/ are loaded from the others, by their paths under src/. */
const apart = new Set();

const partsApart = {
  name: 'parts-apart',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const from = relative(SRC, importer);
      const part = relative(SRC, resolve(resolveDir, path));
      // By require: import() would bring up the loader of modules first.
      if (BRIEF.includes(part)) return { path: part, namespace: 'required' };
      const isCommand = from === 'cli.ts' && part.startsWith('commands/');
      if (!isCommand && !HEAVY.test(part)) return undefined;
      apart.add(part);
      return { path: address(entryOf(from), part, '.js'), external: true };
    });
    plugin.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${address('main.ts', path, '.cjs')}')`,
    }));
    plugin.onResolve({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

/** The brief part that a module is bundled into. */
const entryOf = (module) =>
  module === 'cli.ts' || module === 'commands/config/file.ts' ? 'cli.ts' : 'commands/live.ts';

function address(from, part, extension) {
  const path = posix.relative(dirname(from), part.replace(/\.ts$/, extension));
  return path.startsWith('.') ? path : `./${path}`;
}

/** commander would load what starts programs, for subcommands in files of their own. */
const withoutPrograms = {
  name: 'without-programs',
  setup(plugin) {
    plugin.onLoad({ filter: /commander\/lib\/command\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const line = "const childProcess = require('node:child_process');";
      if (!text.includes(line)) throw new Error(`commander has changed: ${line} is not there`);
      return { contents: text.replace(line, 'const childProcess = undefined;') };
    });
  },
};

await rm(DIST, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: BRIEF.map((part) => `src/${part}`),
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['chalk', 'csv-stringify', 'csv-parse', 'luxon', 'undici'],
  // What asks Node for a package by require is told where from.
  define: { 'import.meta.url': '__filename' },
  plugins: [partsApart, withoutPrograms],
});

// The rest are modules that share what they have in common. Packages stay where they are.
await build({
  ...common,
  entryPoints: [...apart].map((part) => `src/${part}`),
  format: 'esm',
  splitting: true,
  chunkNames: 'shared/[name]-[hash]',
  packages: 'external',
});
