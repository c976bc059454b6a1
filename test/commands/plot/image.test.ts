import { describe, expect, it } from 'vitest';
import { chooseImage } from '../../../src/commands/plot/image.ts';
import { writeIterm, writeKitty, writeSixel } from '../../../src/figures/inline.ts';
import type { Keyboard } from '../../../src/io.ts';
import { fakeIo } from '../../support/fake-io.ts';

const PNG = Uint8Array.from({ length: 10_000 }, (_, at) => at % 251);
const ESC = '\u001b';

describe('plot --image', () => {
  it('writes a PNG for kitty in pieces of at most 4096 characters, with the last piece marked', () => {
    const text = writeKitty(PNG);
    const pieces = text.trimEnd().split(`${ESC}\\`).slice(0, -1);
    const data = pieces.map((piece) => piece.slice(piece.indexOf(';') + 1));
    expect(Buffer.from(data.join(''), 'base64').equals(PNG)).toBe(true);
    for (const part of data) expect(part.length).toBeLessThanOrEqual(4096);
    expect(pieces[0]).toMatch(/_Ga=T,f=100,q=2,m=1;/);
    expect(pieces.at(-1)).toContain('_Gm=0;');
  });

  it('writes a PNG for iTerm2 with its size', () => {
    const text = writeIterm(PNG);
    const [, size, data = ''] = /size=(\d+):(.*)/.exec(text.slice(0, -2)) ?? [];
    expect(text.slice(-2)).toBe('\u0007\n');
    expect(size).toBe('10000');
    expect(Buffer.from(data, 'base64').equals(PNG)).toBe(true);
  });

  it('writes sixels that decode to the same pixels', () => {
    const [width, height] = [9, 8];
    const shades = [0, 51, 102, 153, 204, 255];
    const pixels = Uint8Array.from({ length: 4 * width * height }, (_, at) =>
      at % 4 === 3 ? 255 : (shades[(at * 7 + (at >> 5)) % 6] as number),
    );
    const text = writeSixel({ width, height, pixels });
    const decoded = decodeSixel(text, width, height);
    for (let at = 0; at < width * height; at++) {
      expect([...decoded.subarray(3 * at, 3 * at + 3)]).toEqual([
        ...pixels.subarray(4 * at, 4 * at + 3),
      ]);
    }
  });
});

/** The red, green and blue of sixels. */
function decodeSixel(text: string, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(3 * width * height);
  const palette = new Map<string, number[]>();
  let [x, top, colour] = [0, 0, '0'];
  const body = text.slice(
    text.indexOf(`;${height}`) + `;${height}`.length,
    text.indexOf(`${ESC}\\`),
  );
  for (const [token, id, rgb, count, sixel] of body.matchAll(
    /#(\d+)(?:;2;([\d;]+))?|!(\d+)([?-~])|[$-]|[?-~]/g,
  )) {
    if (id !== undefined) {
      if (rgb)
        palette.set(
          id,
          rgb.split(';').map((part) => Math.round(Number(part) * 2.55)),
        );
      colour = id;
    } else if (token === '$') x = 0;
    else if (token === '-') [x, top] = [0, top + 6];
    else {
      const bits = (sixel ?? token).charCodeAt(0) - 63;
      for (let left = Number(count ?? 1); left > 0; left--, x++) {
        for (let row = 0; row < 6; row++) {
          if ((bits >> row) & 1)
            pixels.set(palette.get(colour) ?? [], 3 * ((top + row) * width + x));
        }
      }
    }
  }
  return pixels;
}

describe('plot --image auto', () => {
  const keyboard = (answer: string): Keyboard => ({
    listen: () => () => {},
    suspend() {},
    readReply: async () => answer,
  });
  const ask = async (answer: string, env: Record<string, string> = {}) => {
    const io = fakeIo({ stdoutTerminal: { columns: 80 }, env });
    return {
      name: await chooseImage('auto', { ...io, keyboard: keyboard(answer) }),
      out: io.out(),
    };
  };

  it.each([
    [`${ESC}_Gi=31;OK${ESC}\\${ESC}[?62;c`, 'an image for kitty', 'kitty'],
    [`${ESC}[?62;4;22c`, 'an image in sixels', 'sixel'],
    [`${ESC}[?62;14c`, 'no image', undefined],
    ['', 'no image', undefined],
  ])('draws after the answer %j of the terminal %s', async (answer, _, name) => {
    expect((await ask(answer)).name).toBe(name);
  });

  it('recognizes iTerm2 by the variable TERM_PROGRAM, and asks the terminal nothing', async () => {
    expect(await ask('', { TERM_PROGRAM: 'iTerm.app' })).toEqual({ name: 'iterm', out: '' });
  });

  it('asks the terminal nothing and draws no image where stdout is a pipe', async () => {
    const io = fakeIo();
    const asked = { ...io, keyboard: keyboard(`${ESC}[?4c`) };
    expect(await chooseImage('auto', asked)).toBeUndefined();
    expect(io.out()).toBe('');
  });
});
