import type { Theme } from '../../domain/palette.ts';
import type { Figure } from '../../figures/figure.ts';
import type { Io } from '../../io.ts';

/** The functions that draw pictures, in a module that is loaded when the first picture is drawn. */
export type Figures = typeof import('../../figures/index.ts');

/** Protocols by which terminals show images made of pixels. */
const INLINE_NAMES = ['kitty', 'iterm', 'sixel'] as const;
type InlineName = (typeof INLINE_NAMES)[number];

export const IMAGE_CHOICES = ['auto', ...INLINE_NAMES, 'off'] as const;
export type ImageChoice = (typeof IMAGE_CHOICES)[number];

const ESC = '\u001b';
/**
 * Asks a terminal whether it knows kitty's image protocol, then for its attributes: those every
 * terminal reports.
 */
const QUERY = `${ESC}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ESC}\\${ESC}[c`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the answer of a terminal begins with ESC
const ABILITIES = /\u001b\[\?([\d;]*)c/;
const SIXEL_ABILITY = '4';
const TIMEOUT_MS = 500;

/**
 * The protocol to show an image with; undefined for `off`, or where `auto` finds none that the
 * terminal knows.
 */
export async function chooseImage(
  choice: ImageChoice,
  { stdoutTerminal, stdout, keyboard, env }: Io,
): Promise<InlineName | undefined> {
  if (choice !== 'auto') return choice === 'off' ? undefined : choice;
  if (stdoutTerminal === undefined) return undefined;
  if (/^(?:iTerm\.app|WezTerm)$/.test(env.TERM_PROGRAM ?? env.LC_TERMINAL ?? '')) return 'iterm';
  if (keyboard === undefined) return undefined;
  const reply = keyboard.readReply((text) => ABILITIES.test(text), TIMEOUT_MS);
  stdout.write(QUERY);
  const answer = await reply;
  if (answer.includes('_Gi=31;OK')) return 'kitty';
  const abilities = ABILITIES.exec(answer)?.[1]?.split(';') ?? [];
  return abilities.includes(SIXEL_ABILITY) ? 'sixel' : undefined;
}

/** The escape sequence that makes a terminal show a figure as an image. */
export async function writeImage(
  figure: Figure,
  name: InlineName,
  theme: Theme,
  { drawPixels, writeIterm, writeKitty, writePng, writeSixel }: Figures,
): Promise<string> {
  if (name === 'sixel') return writeSixel(await drawPixels(figure, theme));
  const png = await writePng(figure, theme);
  return name === 'kitty' ? writeKitty(png) : writeIterm(png);
}
