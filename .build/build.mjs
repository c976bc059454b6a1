// Makes dist/ of src/: modules that share what they have in common. Packages stay where they are.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { textPlugin } from './text.mjs';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  plugins: [textPlugin],
  chunkNames: 'chunks/[name]-[hash]',
  // Names stay, to be read in the traces of `--verbose`.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 100,
  logLevel: 'warning',
});
