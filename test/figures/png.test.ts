import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure, Mark } from '../../src/figures/figure.ts';
import { writePng } from '../../src/figures/png.ts';
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

/** Decodes a PNG of eight bits RGBA that is not interlaced, as vane writes it. */
function decode(png: Buffer): Image {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([...png.subarray(24, 29)]).toEqual([8, 6, 0, 0, 0]);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const [name, length] = [png.toString('latin1', at + 4, at + 8), png.readUInt32BE(at)];
    if (name === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  const rows = inflateSync(Buffer.concat(parts));
  const bytes = 4 * width;
  const pixels = new Uint8Array(bytes * height);
  for (let row = 0; row < height; row++) {
    const from = row * (bytes + 1);
    for (let x = 0; x < bytes; x++) {
      const at = row * bytes + x;
      const left = x < 4 ? 0 : (pixels[at - 4] as number);
      const up = row === 0 ? 0 : (pixels[at - bytes] as number);
      const upLeft = x < 4 || row === 0 ? 0 : (pixels[at - bytes - 4] as number);
      const filters = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)];
      pixels[at] = (rows[from + 1 + x] as number) + (filters[rows[from] as number] as number);
    }
  }
  return { width, height, pixels };
}

/** The filter Paeth of the PNG specification (W3C Recommendation, third edition, 9.4). */
function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const distances = [left, up, upLeft].map((value) => Math.abs(guess - value));
  return [left, up, upLeft][distances.indexOf(Math.min(...distances))] as number;
}

const draw = async (figure: Figure, theme: 'light' | 'dark' = 'light'): Promise<Buffer> =>
  Buffer.from(await writePng(figure, theme));

const data = plotData([stationOf(swingingRows(3), { name: 'Préalpes ↓ Жя' })], 3);
const drawRose = (): Figure => drawFigure('rose', data, OPTIONS, pixelStyle(400, 420));
const rose = drawRose();
/** The rose in light, which several tests read. */
const drawn = draw(rose);

/** Pixels that are darker than the ground. */
function inkIn({ width, pixels }: Image, top: number, bottom: number): number {
  let count = 0;
  for (let at = 4 * width * top; at < 4 * width * bottom; at += 4) {
    if ((pixels[at] as number) < 128) count++;
  }
  return count;
}

describe('the PNG of a figure', () => {
  it('the PNG of a figure shows the title, with letters beyond ASCII', async () => {
    expect(inkIn(decode(await drawn), 12, 30)).toBeGreaterThan(100);
    // Each letter of another script is drawn, not left out.
    const letters = ['é', 'Ж', '↓', '°'];
    const topOf = (place: number): number => 100 + 40 * place;
    const marks = letters.map(
      (text, place): Mark => ({
        ...{ kind: 'text', role: 'ink', at: [10, topOf(place) + 15], anchor: 'start', text },
      }),
    );
    const image = decode(await draw({ ...rose, marks }));
    expect(inkIn(image, 12, 30)).toBe(0);
    for (const [place, letter] of letters.entries()) {
      const ink = inkIn(image, topOf(place), topOf(place) + 20);
      expect(ink, letter).toBeGreaterThan(2);
    }
  });

  it('the PNG of a wind rose looks like the stored picture rose.png', async () => {
    const kept = decode(await readFile(new URL('rose.png', import.meta.url)));
    const { width, height, pixels } = decode(await drawn);
    expect([width, height]).toEqual([kept.width, kept.height]);
    let different = 0;
    const isSeen = (at: number): boolean =>
      Math.abs((pixels[at] as number) - (kept.pixels[at] as number)) > UNSEEN;
    for (let at = 0; at < pixels.length; at += 4) {
      if (isSeen(at) || isSeen(at + 1) || isSeen(at + 2)) different++;
    }
    expect(different / (width * height)).toBeLessThan(TOLERANCE);
  });

  it('the PNG of a figure is as wide as the figure, has a dark ground in the dark theme, and the same bytes for the same data', async () => {
    const [again, dark] = [await draw(drawRose()), await draw(rose, 'dark')];
    expect((await drawn).equals(again)).toBe(true);
    const { width, pixels } = decode(dark);
    expect(width).toBe(400);
    expect([...pixels.subarray(0, 4)]).toEqual([0x0d, 0x11, 0x17, 0xff]);
  });
});
