// Makes dist/ of src/. A native tool starts in a few milliseconds; what Node allows is few files,
// and CommonJS where `vane --help` ends: reading and linking modules takes longer than running them.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const outdir = 'dist';
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Stays readable in a stack trace of `--verbose`.
  minifySyntax: true,
  logLevel: 'warning',
};

await rm(outdir, { recursive: true, force: true });

/** Commands are files of their own, loaded when they are wanted. */
const commandsApart = {
  name: 'commands-apart',
  setup: (plugin) =>
    plugin.onResolve({ filter: /^\.\/commands\// }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? { path: path.replace(/\.ts$/, '.js'), external: true }
        : undefined,
    ),
};

// The command line itself, with commander in it.
const main = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: `${outdir}/main.cjs`,
  format: 'cjs',
  plugins: [commandsApart],
  metafile: true,
});

const commands = Object.values(main.metafile.outputs)
  .flatMap(({ imports }) => imports)
  .filter(({ path, external }) => external && path.startsWith('./commands/'))
  .map(({ path }) => `src/${path.slice(2).replace(/\.js$/, '.ts')}`);

// Each command with what it alone needs; what several need is shared. Packages stay where they are.
await build({
  ...common,
  entryPoints: [...new Set(commands)],
  outbase: 'src',
  outdir,
  format: 'esm',
  splitting: true,
  chunkNames: 'shared/[name]-[hash]',
  packages: 'external',
});
