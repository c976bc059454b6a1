// Makes dist/ of src/. A native tool starts in a few milliseconds. What Node allows is few files, and
// CommonJS where a start is felt: to read, link and compile modules takes longer than to run them.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { build } from 'esbuild';

const SRC = resolve('src');
const DIST = 'dist';

/**
 * Scripts that src/main.ts runs, each of the command line and at most one command: the ones that a
 * person waits for at each look.
 */
const SCRIPTS = { cli: undefined, live: 'commands/live.ts', archive: 'commands/archive.ts' };

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

/** What scripts load as modules, by paths under src/. */
const apart = new Set();

/** Leaves out of a script what it may not need: the commands, but for its own, and what is heavy. */
const partsApart = (own) => ({
  name: 'parts-apart',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = relative(SRC, resolve(resolveDir, path));
      const isCommand = relative(SRC, importer) === 'cli.ts' && part.startsWith('commands/');
      if (part === own || !(isCommand || HEAVY.test(part))) return undefined;
      apart.add(part);
      return { path: `./${part.replace(/\.ts$/, '.js')}`, external: true };
    });
  },
});

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

/** A script that is not loaded by Node itself may not import; what does so is given to it. */
function withoutImports(text, imports) {
  const expected = imports.filter(({ kind }) => kind === 'dynamic-import').length;
  const found = text.match(/\bimport\(/g)?.length ?? 0;
  if (found !== expected) throw new Error(`${expected} imports look like ${found}`);
  return text.replaceAll(/\bimport\(/g, 'importModule(');
}

await rm(DIST, { recursive: true, force: true });
const commonJs = {
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  external: ['chalk', 'csv-stringify', 'csv-parse', 'luxon', 'undici'],
  // What asks Node for a package by require is told where from.
  define: { 'import.meta.url': '__filename', 'import.meta.dirname': '__dirname' },
};
await build({ ...commonJs, entryPoints: ['src/main.ts'] });
for (const [name, own] of Object.entries(SCRIPTS)) {
  const { outputFiles, metafile } = await build({
    ...commonJs,
    entryPoints: [{ in: 'src/cli.ts', out: name }],
    // As src/keptCode.ts wants them.
    banner: { js: '(function(exports,require,module,__filename,__dirname,importModule){' },
    footer: { js: '})' },
    charset: 'ascii',
    plugins: [partsApart(own), withoutPrograms],
    write: false,
    metafile: true,
  });
  const [{ imports }] = Object.values(metafile.outputs);
  await writeFile(`${DIST}/${name}.cjs`, withoutImports(outputFiles[0].text, imports));
}

// The rest are modules that share what they have in common. Packages stay where they are.
await build({
  ...common,
  entryPoints: [...apart].map((part) => `src/${part}`),
  format: 'esm',
  splitting: true,
  chunkNames: 'shared/[name]-[hash]',
  packages: 'external',
});
