import type { Pixels } from './encodePng.ts';

const ESC = '\u001b';

/** Most characters of base64 in one escape sequence of kitty's graphics protocol. */
const KITTY_PIECE = 4096;

/** A PNG in the graphics protocol of kitty (sw.kovidgoyal.net/kitty/graphics-protocol). */
export function writeKitty(png: Uint8Array): string {
  const data = Buffer.from(png).toString('base64');
  const pieces = data.match(new RegExp(`.{1,${KITTY_PIECE}}`, 'g')) ?? [];
  const written = pieces.map((piece, index) => {
    const head = index === 0 ? 'a=T,f=100,q=2,' : '';
    return `${ESC}_G${head}m=${index < pieces.length - 1 ? 1 : 0};${piece}${ESC}\\`;
  });
  return `${written.join('')}\n`;
}

/** A PNG in the protocol of iTerm2 (iterm2.com/documentation-images.html). */
export function writeIterm(png: Uint8Array): string {
  const data = Buffer.from(png).toString('base64');
  return `${ESC}]1337;File=inline=1;size=${png.length}:${data}\u0007\n`;
}

/** Levels of red, of green and of blue: 216 colours in all, since some terminals have only 256. */
const STEPS = 6;

/**
 * Writes pixels as sixels, the graphics of DEC's terminal VT340: bands six pixels high, each drawn
 * once for each of its colours.
 */
export function writeSixel({ width, height, pixels }: Pixels): string {
  const colours = new Uint8Array(width * height);
  for (let at = 0; at < colours.length; at++) {
    const [red, green, blue] = [0, 1, 2].map((part) =>
      Math.round(((pixels[4 * at + part] as number) / 255) * (STEPS - 1)),
    ) as [number, number, number];
    colours[at] = (red * STEPS + green) * STEPS + blue;
  }
  const used = [...new Set(colours)].sort((a, b) => a - b);
  const percent = (step: number): number => Math.round((100 * step) / (STEPS - 1));
  const palette = used.map((colour) => {
    const parts = [
      Math.floor(colour / STEPS ** 2),
      Math.floor(colour / STEPS) % STEPS,
      colour % STEPS,
    ];
    return `#${colour};2;${parts.map(percent).join(';')}`;
  });
  const bands: string[] = [];
  for (let top = 0; top < height; top += 6) {
    bands.push(writeSixelBand(colours, width, top, Math.min(6, height - top)));
  }
  return `${ESC}Pq"1;1;${width};${height}${palette.join('')}${bands.join('-')}${ESC}\\\n`;
}

function writeSixelBand(colours: Uint8Array, width: number, top: number, height: number): string {
  const rows = new Map<number, Uint8Array>();
  for (let row = 0; row < height; row++) {
    for (let x = 0; x < width; x++) {
      const colour = colours[(top + row) * width + x] as number;
      const bits = rows.get(colour) ?? new Uint8Array(width);
      bits[x] = (bits[x] as number) | (1 << row);
      rows.set(colour, bits);
    }
  }
  return [...rows].map(([colour, bits]) => `#${colour}${shorten(bits)}`).join('$');
}

/** Writes the sixels of one colour in one band; a run of four or more equal sixels has a count. */
function shorten(bits: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bits.length; ) {
    let to = from + 1;
    while (to < bits.length && bits[to] === bits[from]) to++;
    const character = String.fromCharCode(63 + (bits[from] as number));
    text += to - from > 3 ? `!${to - from}${character}` : character.repeat(to - from);
    from = to;
  }
  return text;
}
