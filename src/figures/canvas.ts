import { scaleLinear } from 'd3-scale';
import stringWidth from 'string-width';
import { bearingDeg, normalizeDegrees, windArrow } from '../domain/compass.ts';
import { addCellFill, type CharacterCell } from './cell.ts';
import type {
  BandMark,
  ColourRole,
  Figure,
  LineMark,
  Mark,
  PixelPoint,
  RingMark,
  RuleMark,
  SectorMark,
  TextMark,
} from './figure.ts';
import { CHARACTER_SIZE_PX } from './style.ts';

/** Width and height in px of a dot in a braille character, which has two columns of four dots. */
const DOT = CHARACTER_SIZE_PX.width / 2;
/** The bits of the dots in a braille character's code point, by column and row. */
const DOT_BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const HALF = CHARACTER_SIZE_PX.height / 2;
const EIGHTH = CHARACTER_SIZE_PX.height / 8;

/**
 * Draws the shapes of a picture with characters of a terminal. Returns a list of cells for each
 * row.
 * @param write replaces characters that the terminal cannot show
 */
export function rasterize({ width, height, marks }: Figure, write: (text: string) => string) {
  const [columns, rows] = [
    Math.floor(width / CHARACTER_SIZE_PX.width),
    Math.ceil(height / CHARACTER_SIZE_PX.height),
  ];
  const cells = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, (): CharacterCell => ({ shades: [undefined, undefined] })),
  );
  const canvas = new Canvas(cells, write);
  for (const mark of marks) canvas.draw(mark);
  return cells;
}

class Canvas {
  readonly #cells: readonly (readonly CharacterCell[])[];
  readonly #write: (text: string) => string;

  constructor(cells: readonly (readonly CharacterCell[])[], write: (text: string) => string) {
    this.#cells = cells;
    this.#write = write;
  }

  draw(mark: Mark): void {
    switch (mark.kind) {
      case 'band':
        this.#band(mark);
        break;
      case 'line':
        this.#line(mark);
        break;
      case 'rectangle': {
        const { role, sign, x, y, width, height } = mark;
        if (role === undefined) break;
        this.#shade(role, sign, [x, y, x + width, y + height], () => true);
        break;
      }
      case 'sector':
        this.#sector(mark);
        break;
      case 'arrow':
        this.#text({
          role: mark.role,
          text: windArrow(mark.headingDeg),
          at: mark.centre,
          anchor: 'middle',
        });
        break;
      case 'text':
        this.#text(mark);
        break;
      case 'ring':
        this.#ring(mark);
        break;
      case 'rule':
        this.#rule(mark);
        break;
    }
  }

  #at(x: number, y: number): CharacterCell | undefined {
    return this.#cells[Math.floor(y / CHARACTER_SIZE_PX.height)]?.[
      Math.floor(x / CHARACTER_SIZE_PX.width)
    ];
  }

  /** Colours the upper or lower half of each character whose middle is within an area. */
  #shade(
    role: ColourRole,
    sign: string | undefined,
    [left, top, right, bottom]: readonly [number, number, number, number],
    isInside: (x: number, y: number) => boolean,
  ): void {
    const from = (start: number, step: number) => Math.max(0, Math.ceil(start / step - 0.5));
    for (let row = from(top, HALF); (row + 0.5) * HALF < bottom; row++) {
      for (
        let column = from(left, CHARACTER_SIZE_PX.width);
        (column + 0.5) * CHARACTER_SIZE_PX.width < right;
        column++
      ) {
        const [x, y] = [(column + 0.5) * CHARACTER_SIZE_PX.width, (row + 0.5) * HALF];
        const cell = this.#at(x, y);
        if (cell === undefined) break;
        if (!isInside(x, y)) continue;
        cell.shades[row % 2 === 0 ? 0 : 1] = role;
        cell.sign = sign;
      }
    }
  }

  #sector({ role, sign, centre: [cx, cy], inner, outer, from, to }: SectorMark): void {
    this.#shade(role, sign, [cx - outer, cy - outer, cx + outer, cy + outer], (x, y) => {
      const radius = Math.hypot(x - cx, y - cy);
      if (radius < inner || radius >= outer) return false;
      return normalizeDegrees(bearingDeg(x - cx, cy - y) - from) < to - from;
    });
  }

  /**
   * Fills the band between two curves. In each column of characters it reaches from the lowest to
   * the highest point; in a column without points, the curves are interpolated.
   */
  #band({ points, layers }: BandMark): void {
    const roleAt = (y: number): ColourRole =>
      layers.findLast(({ from }) => from >= y)?.role ?? layers[0]?.role ?? 'ink';
    const columnOf = (place: number): number =>
      Math.floor((points[place]?.x ?? 0) / CHARACTER_SIZE_PX.width);
    const end = Math.floor(((points.at(-1)?.x ?? 0) - 1e-9) / CHARACTER_SIZE_PX.width);
    const xs = points.map(({ x }) => x);
    const along = (ys: number[]) => scaleLinear(xs, ys);
    const topAt = along(points.map((point) => point.top));
    const bottomAt = along(points.map((point) => point.bottom));
    let next = 0;
    for (let column = columnOf(0); column <= end; column++) {
      let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (; next < points.length && columnOf(next) <= column; next++) {
        const point = points[next] as BandMark['points'][number];
        top = Math.min(top, point.top);
        bottom = Math.max(bottom, point.bottom);
      }
      if (bottom < top) {
        const x = (column + 0.5) * CHARACTER_SIZE_PX.width;
        [top, bottom] = [topAt(x), bottomAt(x)];
      }
      this.#fillColumn(column, top, bottom, roleAt);
    }
  }

  #fillColumn(
    column: number,
    top: number,
    bottom: number,
    roleAt: (y: number) => ColourRole,
  ): void {
    // Draw a band without height as a line of an eighth of a character.
    const foot = Math.max(bottom, top + EIGHTH);
    const [first, last] = [
      Math.floor(top / CHARACTER_SIZE_PX.height),
      Math.ceil(foot / CHARACTER_SIZE_PX.height) - 1,
    ];
    for (let row = first; row <= last; row++) {
      const cell = this.#cells[row]?.[column];
      if (cell === undefined) continue;
      const end = (row + 1) * CHARACTER_SIZE_PX.height;
      const role = roleAt(row === first ? top : end - HALF);
      const eighths = Math.min(8, Math.max(1, Math.ceil((end - top) / EIGHTH)));
      const below = Math.floor((end - foot) / EIGHTH);
      const isHanging = row === last && below > 0 && (row > first || eighths === 8);
      addCellFill(cell, { role, isHanging, eighths: isHanging ? below : eighths });
    }
  }

  #line({ role, points }: LineMark): void {
    points.forEach((point, index) => {
      const [x, y] = points[index - 1] ?? point;
      const steps = Math.ceil(Math.max(Math.abs(point[0] - x), Math.abs(point[1] - y)) / DOT) || 1;
      for (let step = 0; step <= steps; step++) {
        const share = step / steps;
        const [dotX, dotY] = [x + share * (point[0] - x), y + share * (point[1] - y)];
        this.#dot(role, [dotX, dotY]);
        // A second dot in the same character makes the line stronger.
        const isLowest = Math.floor(dotY / DOT) % 4 === 3;
        this.#dot(role, [dotX, dotY + (isLowest ? -DOT : DOT)]);
      }
    });
  }

  #ring({ role, centre: [cx, cy], radius }: RingMark): void {
    const steps = Math.ceil((2 * Math.PI * radius) / DOT);
    for (let step = 0; step < steps; step += 2) {
      const angle = (step / steps) * 2 * Math.PI;
      this.#dot(role, [cx + radius * Math.sin(angle), cy - radius * Math.cos(angle)]);
    }
  }

  #dot(role: ColourRole, [x, y]: PixelPoint): void {
    const cell = this.#at(x, y);
    if (cell === undefined) return;
    const [column, row] = [Math.floor(x / DOT) % 2, Math.floor(y / DOT) % 4];
    const bit = DOT_BITS[column as 0 | 1][row as 0 | 1 | 2 | 3];
    cell.dots = { role, bits: (cell.dots?.bits ?? 0) | bit };
  }

  #rule({ role, from: [x1, y1], to: [x2, y2] }: RuleMark): void {
    const isVertical = x1 === x2;
    const step = isVertical ? CHARACTER_SIZE_PX.height : CHARACTER_SIZE_PX.width;
    for (let way = step / 2; way < (isVertical ? y2 - y1 : x2 - x1); way += step) {
      const cell = isVertical ? this.#at(x1, y1 + way) : this.#at(x1 + way, y1);
      if (cell && (role !== 'grid' || cell.rule === undefined)) cell.rule = { role, isVertical };
    }
  }

  #text({ role, text, at: [x, y], anchor, isBold = false }: Omit<TextMark, 'kind'>): void {
    const written = this.#write(text);
    const width = stringWidth(written);
    const back = { start: 0, middle: Math.floor(width / 2), end: width }[anchor];
    const row = this.#cells[Math.floor(y / CHARACTER_SIZE_PX.height)];
    let column = Math.floor(x / CHARACTER_SIZE_PX.width) - back;
    for (const character of written) {
      const cells = stringWidth(character);
      const cell = row?.[cells === 0 ? column - 1 : column];
      if (cell !== undefined) {
        const before = cells === 0 ? (cell.text?.letter ?? '') : '';
        cell.text = { role, letter: before + character, isBold };
      }
      const second = row?.[column + 1];
      if (cells === 2 && second) second.text = { role, letter: '', isBold };
      column += cells;
    }
  }
}
