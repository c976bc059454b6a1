// Builds dist/ from src/ with esbuild; code that several modules need goes into shared chunks.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';
import { textInputs, textPlugin } from './text.mjs';

// The build bundles all packages but the dependencies, which are installed with vane.
const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));

await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  metafile: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // cli-table3 loads the packages @colors only for a table with colours.
  external: [...Object.keys(dependencies), '@colors/*'],
  // CommonJS packages load Node's own modules by `require`, which an ES module lacks.
  banner: { js: 'const require = process.getBuiltinModule;' },
  plugins: [textPlugin],
  // Name the files .mjs: Node looks for no package.json beside an .mjs file.
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  // Keep names of functions, since the traces of `--verbose` show them.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 100,
  logLevel: 'warning',
});
const modules = Object.keys(metafile.inputs).filter((path) => !path.startsWith('text:'));
await writeFile('dist/NOTICES.txt', noticesOf([...modules, ...textInputs]));
