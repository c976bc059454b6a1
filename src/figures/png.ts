import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Theme } from '../domain/palette.ts';
import { encodePng, type Pixels } from './encodePng.ts';
import type { Figure } from './figure.ts';
import { missingCharacters } from './fontCharacters.ts';
import { writeSvg } from './svg.ts';
import { readWoff } from './woff.ts';

const { resolve } = createRequire(import.meta.url);
const FONT = '@fontsource/dejavu-sans/files/dejavu-sans-latin';
// The renderer resvg needs fonts: without them it leaves out all text, and reports no error.
const FONTS = [`${FONT}-400-normal.woff`, `${FONT}-700-normal.woff`];

let loading: ReturnType<typeof load> | undefined;

/** Loads the renderer of PNG and its fonts at the first call; later calls get the same ones. */
export async function loadRenderer(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

/** Reads the WebAssembly of the PNG renderer, and the options that give a renderer its fonts. */
export async function readRenderer() {
  const [wasm, ...fonts] = await Promise.all(
    ['@resvg/resvg-wasm/index_bg.wasm', ...FONTS].map((name) => readFile(resolve(name))),
  );
  const font = {
    fontBuffers: fonts.map(readWoff),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  };
  return { wasm: wasm as Buffer, font };
}

async function load() {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const { wasm, font } = await readRenderer();
  await initWasm(wasm);
  return { Resvg, font };
}

/** Draws a picture as pixels. */
export async function drawPixels(figure: Figure, theme: Theme): Promise<Pixels> {
  const { Resvg, font } = await loadRenderer();
  const renderer = new Resvg(writeSvg(figure, { theme }), { font });
  const image = renderer.render();
  const { width, height, pixels } = image;
  // Memory of WebAssembly must be freed by hand: the garbage collection of Node does not reach it.
  image.free();
  renderer.free();
  return { width, height, pixels };
}

/** The characters of a picture that its pixels show as empty boxes, since no font has them. */
export async function charactersWithoutFont({ marks }: Figure): Promise<string[]> {
  const { font } = await loadRenderer();
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  return missingCharacters(texts, font.fontBuffers);
}

/** Draws a picture as PNG; the same picture always gives the same bytes. */
export async function writePng(figure: Figure, theme: Theme): Promise<Uint8Array> {
  return encodePng(await drawPixels(figure, theme));
}
