import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Theme } from '../domain/palette.ts';
import type { Figure } from './figure.ts';
import { writeSvg } from './svg.ts';

const { resolve } = createRequire(import.meta.url);
const FONT = '@fontsource/dejavu-sans/files/dejavu-sans-latin';
// The renderer resvg needs font files. Without them it silently omits all text.
const FONTS = [`${FONT}-400-normal.woff2`, `${FONT}-700-normal.woff2`];

let loading: ReturnType<typeof load> | undefined;

/** The files that the PNG renderer needs. */
interface PngRendererFiles {
  /** The renderer's WebAssembly code. */
  readonly wasm: Buffer;
  /** The renderer's option with the fonts. */
  readonly font: {
    readonly fontBuffers: Buffer[];
    readonly loadSystemFonts: boolean;
    readonly defaultFontFamily: string;
  };
}

/** Reads the files that the PNG renderer needs. */
export async function readPngRenderer(): Promise<PngRendererFiles> {
  const [wasm, ...fonts] = await Promise.all(
    ['@resvg/resvg-wasm/index_bg.wasm', ...FONTS].map((name) => readFile(resolve(name))),
  );
  const font = {
    fontBuffers: fonts,
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  };
  return { wasm: wasm as Buffer, font };
}

/** Loads the renderer and its fonts once, since its WebAssembly can only be initialized once. */
async function load() {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const { wasm, font } = await readPngRenderer();
  await initWasm(wasm);
  return { Resvg, font };
}

/** Draws a picture as PNG. The same picture always results in the same bytes. */
export async function writePng(figure: Figure, theme: Theme): Promise<Uint8Array> {
  loading ??= load();
  const { Resvg, font } = await loading;
  const renderer = new Resvg(writeSvg(figure, { theme }), { font });
  const image = renderer.render();
  const png = image.asPng();
  // Free WebAssembly memory by hand, since Node's garbage collection does not cover it.
  image.free();
  renderer.free();
  return png;
}
