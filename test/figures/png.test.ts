import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure, Mark } from '../../src/figures/figure.ts';
import { charactersWithoutFont, writePng } from '../../src/figures/png.ts';
import { pixelStyle } from '../../src/figures/style.ts';
import { OPTIONS, plotData, stationOf, swingingRows } from '../support/pictures.ts';

/** Share of pixels that may differ visibly from the kept picture: fonts and curves are rounded. */
const TOLERANCE = 0.001;
/** Difference of a colour, of 255, that is not seen. */
const UNSEEN = 16;

interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Decodes PNG of eight bits RGBA without filters, as vane writes it. */
function decode(png: Buffer): Image {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const pixels = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = row * (4 * width + 1);
    if (rows[from] !== 0) throw new Error(`row ${row} has a filter`);
    pixels.set(rows.subarray(from + 1, from + 1 + 4 * width), row * 4 * width);
  }
  return { width, height, pixels };
}

const draw = async (figure: Figure, theme: 'light' | 'dark' = 'light'): Promise<Buffer> =>
  Buffer.from(await writePng(figure, theme));

const data = plotData([stationOf(swingingRows(3), { name: 'Préalpes ↓ Жя' })], 3);
const drawRose = (): Figure => drawFigure('rose', data, OPTIONS, pixelStyle(400, 420));
const rose = drawRose();

/** Pixels that are darker than the ground. */
function inkIn({ width, pixels }: Image, top: number, bottom: number): number {
  let count = 0;
  for (let at = 4 * width * top; at < 4 * width * bottom; at += 4) {
    if ((pixels[at] as number) < 128) count++;
  }
  return count;
}

/** A small figure with nothing but a text. */
const withText = (text: string): Figure => ({
  ...rose,
  ...{ width: 40, height: 30 },
  marks: [{ kind: 'text', role: 'ink', at: [10, 20], anchor: 'start', text }],
});

describe('the PNG of a figure', () => {
  it('shows the title, with letters beyond ASCII', async () => {
    const title = inkIn(decode(await draw(rose)), 12, 30);
    expect(title).toBeGreaterThan(100);
    const empty = { ...rose, marks: [] };
    expect(inkIn(decode(await draw(empty)), 12, 30)).toBe(0);
    // Each letter of another script is drawn, not left out.
    const letters = ['é', 'Ж', '↓', '°'];
    const topOf = (place: number): number => 100 + 40 * place;
    const marks = letters.map(
      (text, place): Mark => ({
        ...{ kind: 'text', role: 'ink', at: [10, topOf(place) + 15], anchor: 'start', text },
      }),
    );
    const image = decode(await draw({ ...empty, marks }));
    for (const [place, letter] of letters.entries()) {
      const ink = inkIn(image, topOf(place), topOf(place) + 20);
      expect(ink, letter).toBeGreaterThan(2);
    }
  });

  it('has a box exactly for each character that charactersWithoutFont names', async () => {
    // No font has a character for this code point.
    const box = await draw(withText('\u{10ffff}'));
    const characters = [...'aé–°↓Жاאอ小浜한あ☂𝄞😀'];
    const boxed: string[] = [];
    for (const character of characters) {
      if (box.equals(await draw(withText(character)))) boxed.push(character);
    }
    expect(await charactersWithoutFont(withText(characters.join('')))).toEqual(boxed);
    expect(boxed).toContain('小');
    // A variation selector has no shape in any font.
    expect(await charactersWithoutFont(withText('☂\ufe0f'))).toEqual([]);
  });

  it('looks like the stored picture rose.png', async () => {
    const drawn = await draw(rose);
    const kept = decode(await readFile(new URL('rose.png', import.meta.url)));
    const { width, height, pixels } = decode(drawn);
    expect([width, height]).toEqual([kept.width, kept.height]);
    let different = 0;
    const isSeen = (at: number): boolean =>
      Math.abs((pixels[at] as number) - (kept.pixels[at] as number)) > UNSEEN;
    for (let at = 0; at < pixels.length; at += 4) {
      if (isSeen(at) || isSeen(at + 1) || isSeen(at + 2)) different++;
    }
    expect(different / (width * height)).toBeLessThan(TOLERANCE);
  });

  it('is as wide as the figure, has a dark ground in the dark theme, and the same bytes for the same data', async () => {
    const [light, again, dark] = [
      await draw(rose),
      await draw(drawRose()),
      await draw(rose, 'dark'),
    ];
    expect(light.equals(again)).toBe(true);
    const { width, pixels } = decode(dark);
    expect(width).toBe(400);
    expect([...pixels.subarray(0, 4)]).toEqual([0x0d, 0x11, 0x17, 0xff]);
  });
});
