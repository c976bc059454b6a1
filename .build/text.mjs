// Plugins of esbuild and vitest for imports of `file?text`. A .ts file becomes a script for
// browsers with all that it imports, a .mjs file gives the text that it exports by default, and any
// other file gives its own text.
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
    // For the platform `node`, esbuild drops an import of a Node module of which nothing is used.
    platform: 'node',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 100,
  });
  return outputFiles[0].text;
}

/** The plugin for esbuild that gives an import of `file?text` as text. */
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

// Hide the file's extension from vite, which would treat a .css file by rules of its own.
const [BEGIN, END] = ['\0text:', '.text'];

/** The plugin for vitest that gives an import of `file?text` as text. */
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
