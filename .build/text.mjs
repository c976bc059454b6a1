// Imports of `file?text`, for esbuild and vitest: a file as text, a script for browsers with all that
// it imports, or the text that a module of this folder makes.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const QUERY = '?text';

async function textOf(path) {
  if (path.endsWith('.mjs')) return (await import(pathToFileURL(path).href)).default;
  if (!path.endsWith('.ts')) return readFileSync(path, 'utf8');
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    // Modules of Node are left out where nothing of them is used.
    platform: 'node',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 100,
  });
  return outputFiles[0].text;
}

/** For esbuild. */
export const textPlugin = {
  name: 'text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -QUERY.length)),
      namespace: 'text',
    }));
    onLoad({ filter: /./, namespace: 'text' }, async ({ path }) => ({
      contents: await textOf(path),
      loader: 'text',
    }));
  },
};

// The ending of the path is hidden from vite, which has rules of its own for styles.
const [BEGIN, END] = ['\0text:', '.text'];

/** For vitest. */
export const viteTextPlugin = {
  name: 'text',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id.endsWith(QUERY)
      ? BEGIN + resolve(dirname(importer), id.slice(0, -QUERY.length)) + END
      : undefined,
  load: async (id) =>
    id.startsWith(BEGIN)
      ? `export default ${JSON.stringify(await textOf(id.slice(BEGIN.length, -END.length)))}`
      : undefined,
};
