import { Chalk, type ChalkInstance } from 'chalk';
import { FORCE_COLOURS, THEMES, type Theme } from '../domain/palette.ts';
import { toAscii } from '../domain/text.ts';
import { cutText, renderLines, type TableColumn } from '../formats/textTable.ts';
import { rasterize } from './canvas.ts';
import type { Cell } from './cell.ts';
import type { Figure, Role } from './figure.ts';
import { CELL } from './style.ts';

export interface TerminalLook {
  /** How many colours the terminal has, as a level of chalk: 0 none, 1 sixteen, 2 256, 3 all. */
  readonly colours: 0 | 1 | 2 | 3;
  readonly isUnicode: boolean;
  readonly theme: Theme;
}

/** Writes a picture as lines of text; its layout must be in characters, not in pixels. */
export function writeTerminal(figure: Figure, terminal: TerminalLook): string {
  const write = terminal.isUnicode ? (text: string) => text : toAscii;
  // Without colours, a wind rose is written as a table: its sectors of few characters tell little.
  if (terminal.colours === 0 && figure.marks.some(({ kind }) => kind === 'sector')) {
    return writePlain(figure, write);
  }
  const paint = createPainter(terminal);
  const lines = rasterize(figure, write).map((cells) => {
    let [line, run] = ['', ''];
    let look: Look = {};
    for (const cell of cells) {
      if (cell.text === '') continue;
      const glyph = chooseGlyph(cell, terminal);
      if (keyOf(glyph) !== keyOf(look)) {
        line += paint(run, look);
        [run, look] = ['', glyph];
      }
      run += glyph.character;
    }
    return (line + paint(run, look)).trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

/** Writes title, table and credit in place of the picture. */
function writePlain(
  { width, title, facts, credit, table }: Figure,
  write: (text: string) => string,
) {
  const columns = table.head.map((head, place): TableColumn<readonly string[]> => {
    return { head, rank: place, isDecimal: place > 0, cell: (row) => ({ text: row[place] ?? '' }) };
  });
  const room = Math.floor(width / CELL.width);
  const lines = renderLines(columns, table.rows, {
    columns: room,
    paintHead: (text) => text,
    write,
  });
  return `${[title, ...facts, ...lines, ...credit].map((line) => cutText(write(line), room, '')).join('\n')}\n`;
}

/** The look of a character in the terminal; a colour left out is the terminal's own. */
interface Look {
  readonly ink?: Role | 'contrast' | undefined;
  readonly ground?: Role | undefined;
  readonly isBold?: boolean;
  /** Whether text colour and background are swapped. */
  readonly isInverse?: boolean;
}

interface Glyph extends Look {
  readonly character: string;
}

const keyOf = ({ ink, ground, isBold, isInverse }: Look): string =>
  `${ink} ${ground} ${isBold} ${isInverse}`;

const EIGHTHS = [...' ▁▂▃▄▅▆▇█'];

function chooseGlyph(cell: Cell, look: TerminalLook): Glyph {
  const { colours, isUnicode } = look;
  const { fill, rule, dots, shades } = cell;
  const [upper, lower] = shades.map((role) => visible(role, look));
  const isFilled = fill !== undefined && (fill.isHanging ? 8 - fill.eighths : fill.eighths) >= 4;
  const ground = colours === 0 ? undefined : isFilled ? fill.role : (upper ?? lower);
  const overInk = (role: Role) => (isForce(ground) ? 'contrast' : role);
  if (cell.text !== undefined) {
    return { character: cell.text, ink: overInk(cell.textRole), ground, isBold: cell.isBold };
  }
  if (dots !== 0 && cell.dotRole !== 'grid') {
    const character = isUnicode ? String.fromCharCode(0x2800 + dots) : '*';
    return { character, ink: overInk(cell.dotRole), ground };
  }
  if (rule?.role === 'mark')
    return { character: isUnicode ? '╌' : '-', ink: overInk('mark'), ground };
  if (fill !== undefined) return fillGlyph(fill, lower, look);
  if (upper !== undefined || lower !== undefined) {
    if (colours === 0) return { character: cell.sign ?? ' ' };
    if (upper === lower || !isUnicode) return { character: ' ', ground: upper ?? lower };
    if (upper === undefined) return { character: '▄', ink: lower };
    return { character: '▀', ink: upper, ground: lower };
  }
  if (dots !== 0)
    return { character: isUnicode ? String.fromCharCode(0x2800 + dots) : '.', ink: 'grid' };
  if (rule !== undefined && isUnicode)
    return { character: rule.isVertical ? '┊' : '┈', ink: rule.role };
  return { character: ' ' };
}

function fillGlyph(
  { role, eighths, isHanging }: NonNullable<Cell['fill']>,
  behind: Role | undefined,
  { colours, isUnicode }: TerminalLook,
): Glyph {
  if (colours === 0) {
    if (!isUnicode) return { character: ':' };
    return { character: isHanging || eighths === 8 ? '░' : (EIGHTHS[eighths] as string) };
  }
  if (!isUnicode || (eighths === 8 && !isHanging)) return { character: ' ', ground: role };
  const character = EIGHTHS[eighths] as string;
  if (!isHanging) return { character, ink: role, ground: behind };
  // Unicode's block characters fill a cell from below. So a colour at the top of the cell becomes
  // the background, and the block below it gets the colour behind.
  return behind === undefined
    ? { character, ink: role, isInverse: true }
    : { character, ink: behind, ground: role };
}

const isForce = (role: Role | undefined): boolean => typeof role === 'number';

/** The meaning of a shape; undefined for `night` on 16 colours, none of which is faint enough. */
function visible(role: Role | undefined, { colours }: TerminalLook): Role | undefined {
  return role === 'night' && colours < 2 ? undefined : role;
}

/** Colours by what they mean, on a terminal of 16 colours. Beaufort forces have their own. */
const ANSI = { held: 'blue', mark: 'red', contrast: 'black', background: 'black' } as const;

function createPainter({ colours, theme }: TerminalLook) {
  const chalk = new Chalk({ level: colours });
  const paints = new Map<string, ChalkInstance>();
  const colour = (paint: ChalkInstance, role: Role | 'contrast', isGround: boolean) => {
    if (role === 'muted' || role === 'grid') return paint.dim;
    if (role === 'ink' || (role === 'night' && colours < 2)) return paint;
    if (colours === 1) {
      const name =
        typeof role === 'number'
          ? (FORCE_COLOURS[role]?.ansi ?? 'cyan')
          : ANSI[role as keyof typeof ANSI];
      return isGround
        ? paint[`bg${name[0]?.toUpperCase()}${name.slice(1)}` as 'bgCyan']
        : paint[name];
    }
    const hex =
      typeof role === 'number'
        ? (FORCE_COLOURS[role]?.hex ?? '')
        : role === 'contrast'
          ? THEMES.dark.background
          : THEMES[theme][role];
    return isGround ? paint.bgHex(hex) : paint.hex(hex);
  };
  return (text: string, look: Look): string => {
    if (text === '' || colours === 0) return text;
    const key = keyOf(look);
    let paint = paints.get(key);
    if (paint === undefined) {
      const { ink, ground, isBold, isInverse } = look;
      paint = chalk;
      if (ink !== undefined) paint = colour(paint, ink, false);
      if (ground !== undefined) paint = colour(paint, ground, true);
      if (isBold) paint = paint.bold;
      if (isInverse) paint = paint.inverse;
      paints.set(key, paint);
    }
    return paint(text);
  };
}
