import { Chalk, type ChalkInstance } from 'chalk';
import { FORCE_COLOURS, THEME_COLOURS, type Theme } from '../domain/palette.ts';
import { toAscii } from '../domain/text.ts';
import { cutText, fitLines } from '../formats/fitText.ts';
import { renderLines, type TableColumn } from '../formats/textTable.ts';
import { rasterize } from './canvas.ts';
import type { CellFill, CharacterCell } from './cell.ts';
import type { ColourRole, Figure } from './figure.ts';
import { isShade, shadeColour, shadePosition } from './shades.ts';
import { CHARACTER_SIZE_PX, wrapPieces } from './style.ts';

export interface TerminalLook {
  /** The terminal's colours as a level of chalk: 0 for none, 1 for 16, 2 for 256, 3 for all. */
  readonly colours: 0 | 1 | 2 | 3;
  readonly isUnicode: boolean;
  readonly theme: Theme;
}

/** Writes a picture as lines of text. The picture must have a layout in characters. */
export function writeTerminal(figure: Figure, terminal: TerminalLook): string {
  const write = terminal.isUnicode ? (text: string) => text : toAscii;
  // Without colours, write a wind rose as a table: its sectors would not be readable.
  if (terminal.colours === 0 && figure.marks.some(({ kind }) => kind === 'sector')) {
    return writePlain(figure, write);
  }
  const paint = createPainter(terminal);
  const lines = rasterize(figure, write).map((cells) => {
    let [line, run] = ['', ''];
    let look: Look = {};
    for (const cell of cells) {
      if (cell.text?.letter === '') continue;
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

/** Writes title, table and credit instead of the picture. */
function writePlain(
  { width, title, facts, credit, table }: Figure,
  write: (text: string) => string,
) {
  const columns = table.head.map((head, place): TableColumn<readonly string[]> => {
    return { head, rank: place, isDecimal: place > 0, cell: (row) => ({ text: row[place] ?? '' }) };
  });
  const room = Math.floor(width / CHARACTER_SIZE_PX.width);
  const lines = renderLines(columns, table.rows, {
    columns: room,
    paintHead: (text) => text,
    write,
  });
  const wrap = (texts: readonly string[]) =>
    wrapPieces(texts, { charPx: CHARACTER_SIZE_PX.width }, width);
  const heading = fitLines(title, room, 2, '…');
  return `${[...heading, ...wrap(facts), ...lines, ...wrap(credit)].map((line) => cutText(write(line), room, '')).join('\n')}\n`;
}

/** The look of a character. A missing colour means the terminal's default. */
interface Look {
  readonly ink?: ColourRole | 'contrast' | undefined;
  readonly ground?: ColourRole | undefined;
  /** Whether to blend the background with the theme's, so that a line on it is visible. */
  readonly isDim?: boolean;
  readonly isBold?: boolean;
  /** Whether to swap the colours of text and background. */
  readonly isInverse?: boolean;
}

interface Glyph extends Look {
  readonly character: string;
}

const keyOf = ({ ink, ground, isDim, isBold, isInverse }: Look): string =>
  `${ink} ${ground} ${isDim} ${isBold} ${isInverse}`;

const EIGHTHS = [...' ▁▂▃▄▅▆▇█'];

function chooseGlyph(cell: CharacterCell, look: TerminalLook): Glyph {
  const { colours, isUnicode } = look;
  const { text, fill, rule, dots, shades } = cell;
  const [upper, lower] = shades.map((role) => visible(role, look));
  const isFilled = fill !== undefined && (fill.isHanging ? 8 - fill.eighths : fill.eighths) >= 4;
  const ground = colours === 0 ? undefined : isFilled ? fill.role : (upper ?? lower);
  const overInk = (role: ColourRole) => (isForce(ground) ? 'contrast' : role);
  if (text !== undefined) {
    return { character: text.letter, ink: overInk(text.role), ground, isBold: text.isBold };
  }
  // Dim the background of lines, so that the line of the mean is the brightest.
  const dim = isForce(ground) ? (colours === 1 ? {} : { ground, isDim: true }) : { ground };
  if (dots !== undefined && dots.role !== 'grid') {
    return { character: isUnicode ? braille(dots) : '*', ink: dots.role, isBold: true, ...dim };
  }
  if (rule?.role === 'mark') return { character: isUnicode ? '╌' : '-', ink: 'mark', ...dim };
  if (fill !== undefined) return fillGlyph(fill, lower, look);
  if (upper !== undefined || lower !== undefined) {
    if (colours === 0) return { character: cell.sign ?? ' ' };
    // Five colours are too few for a scale, so each cell also shows its class's sign.
    if (colours === 1 && isShade(lower)) {
      return { character: cell.sign ?? ' ', ink: 'contrast', ground: lower };
    }
    if (upper === lower || !isUnicode) return { character: ' ', ground: upper ?? lower };
    if (upper === undefined) return { character: '▄', ink: lower };
    return { character: '▀', ink: upper, ground: lower };
  }
  // If the terminal has no faint colour, a cell of 0 hours shows its sign instead.
  if (cell.sign !== undefined && colours < 2 && (shades[0] ?? shades[1]) === 'night') {
    return { character: cell.sign, ink: 'muted' };
  }
  if (dots !== undefined) return { character: isUnicode ? braille(dots) : '.', ink: 'grid' };
  if (rule !== undefined && isUnicode)
    return { character: rule.isVertical ? '┊' : '┈', ink: rule.role };
  return { character: ' ' };
}

const braille = ({ bits }: NonNullable<CharacterCell['dots']>): string =>
  String.fromCharCode(0x2800 + bits);

function fillGlyph(
  { role, eighths, isHanging }: CellFill,
  behind: ColourRole | undefined,
  { colours, isUnicode }: TerminalLook,
): Glyph {
  if (colours === 0) {
    if (!isUnicode) return { character: ':' };
    return { character: isHanging || eighths === 8 ? '░' : (EIGHTHS[eighths] as string) };
  }
  if (!isUnicode || (eighths === 8 && !isHanging)) return { character: ' ', ground: role };
  const character = EIGHTHS[eighths] as string;
  if (!isHanging) return { character, ink: role, ground: behind };
  // Unicode's block characters fill a cell from below. So a colour at the top of the cell must be
  // the background, and the block below it gets the other colour.
  return behind === undefined
    ? { character, ink: role, isInverse: true }
    : { character, ink: behind, ground: role };
}

/** How much of a colour remains in its dim form. */
const DIM = 0.4;

function mix(hex: string, other: string): string {
  const parts = [1, 3, 5].map((at) => {
    const [some, rest] = [hex, other].map((text) => Number.parseInt(text.slice(at, at + 2), 16));
    return Math.round(DIM * (some ?? 0) + (1 - DIM) * (rest ?? 0));
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const isForce = (role: ColourRole | undefined): boolean => typeof role === 'number';

/**
 * The role of a shape, if the terminal can show it; undefined for `night` on 16 colours, since none
 * is faint enough.
 */
function visible(role: ColourRole | undefined, { colours }: TerminalLook): ColourRole | undefined {
  return role === 'night' && colours < 2 ? undefined : role;
}

/**
 * The colours of a scale on a terminal with 16 colours, lowest first. They are those of Beaufort
 * forces.
 */
const ANSI_SHADES = ['cyan', 'green', 'yellow', 'red', 'magenta'] as const;
/** The colours of other roles on a terminal with 16 colours. Beaufort forces have their own. */
const ANSI = {
  held: 'blue',
  heldNight: 'blue',
  mark: 'red',
  muted: 'white',
  grid: 'blackBright',
  contrast: 'black',
} as const;

function createPainter({ colours, theme }: TerminalLook) {
  const chalk = new Chalk({ level: colours });
  const coloursOf = (role: ColourRole | 'contrast') => {
    if (typeof role === 'number') return FORCE_COLOURS[role] as (typeof FORCE_COLOURS)[number];
    if (isShade(role)) {
      const ansi = ANSI_SHADES[Math.min(4, Math.floor(5 * shadePosition(role)))] as 'cyan';
      return { ansi, hex: shadeColour(role, theme) };
    }
    const ansi = ANSI[role as keyof typeof ANSI];
    return {
      ansi,
      hex: role === 'contrast' ? THEME_COLOURS.dark.background : THEME_COLOURS[theme][role],
    };
  };
  const withInk = (paint: ChalkInstance, role: ColourRole | 'contrast'): ChalkInstance => {
    if (role === 'muted' || role === 'grid') return paint.dim;
    if (role === 'ink') return paint;
    const { ansi, hex } = coloursOf(role);
    return colours === 1 ? paint[ansi] : paint.hex(hex);
  };
  const withGround = (paint: ChalkInstance, role: ColourRole, isDim: boolean): ChalkInstance => {
    const { ansi, hex } = coloursOf(role);
    if (colours > 1) return paint.bgHex(isDim ? mix(hex, THEME_COLOURS[theme].background) : hex);
    return paint[`bg${ansi[0]?.toUpperCase()}${ansi.slice(1)}` as 'bgCyan'];
  };
  return (text: string, { ink, ground, isDim = false, isBold, isInverse }: Look): string => {
    if (text === '' || colours === 0) return text;
    let paint: ChalkInstance = chalk;
    if (ink !== undefined) paint = withInk(paint, ink);
    if (ground !== undefined) paint = withGround(paint, ground, isDim);
    if (isBold) paint = paint.bold;
    if (isInverse) paint = paint.inverse;
    return paint(text);
  };
}
