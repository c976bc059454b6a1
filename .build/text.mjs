// Plugins of esbuild and vitest for imports of `file?text`. A .ts file becomes a script for
// browsers with all that it imports, a .mjs file gives the text that it exports by default, made of the
// files in its `inputs`, and any other file gives its own text.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const QUERY = '?text';

/** The files that went into the texts so far. */
export const textInputs = new Set();

/** The file that an import names: one beside the importing file, or one of a package. */
function fileOf(id, folder) {
  const path = id.slice(0, -QUERY.length);
  if (path.startsWith('.')) return resolve(folder, path);
  return createRequire(import.meta.url).resolve(path);
}

async function textOf(path) {
  textInputs.add(path);
  if (path.endsWith('.mjs')) {
    const made = await import(pathToFileURL(path).href);
    for (const input of made.inputs) textInputs.add(input);
    return made.default;
  }
  // Browsers read each line end of HTML as \n, and hash styles and scripts with it.
  if (!path.endsWith('.ts')) return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const { outputFiles, metafile } = buildSync({
    entryPoints: [path],
    bundle: true,
    metafile: true,
    write: false,
    format: 'esm',
    // For the platform `node`, esbuild drops an import of a Node module of which nothing is used.
    platform: 'node',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 100,
  });
  for (const input of Object.keys(metafile.inputs)) textInputs.add(input);
  return outputFiles[0].text;
}

/** The plugin for esbuild that gives an import of `file?text` as text. */
export const textPlugin = {
  name: 'text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: fileOf(path, resolveDir),
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
    id.endsWith(QUERY) ? BEGIN + fileOf(id, dirname(importer)) + END : undefined,
  load: async (id) =>
    id.startsWith(BEGIN)
      ? `export default ${JSON.stringify(await textOf(id.slice(BEGIN.length, -END.length)))}`
      : undefined,
};
