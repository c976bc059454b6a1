import { arc, area, line } from 'd3-shape';
import { RADIANS_PER_DEGREE } from '../domain/compass.ts';
import { FORCE_COLOURS, THEME_COLOURS, type Theme } from '../domain/palette.ts';
import { escapeXml } from '../domain/text.ts';
import type {
  ArrowMark,
  BandMark,
  ColourRole,
  Figure,
  LineMark,
  Mark,
  SectorMark,
  TextMark,
} from './figure.ts';
import { isShade, type Shade, shadeColour } from './shades.ts';

interface SvgOptions {
  /** The colours; with `both`, they follow the light or dark mode of the reader's system. */
  readonly theme: Theme | 'both';
  /** Whether the surrounding page sets the size of the picture on the screen. */
  readonly isFluid?: boolean;
  /** A prefix for all ids, which keeps them unique if a page has several pictures. */
  readonly prefix?: string;
}

/** Writes a picture as SVG. The same picture always results in the same text. */
export function writeSvg(figure: Figure, { theme, isFluid, prefix = '' }: SvgOptions): string {
  const { width, height, title, facts, credit, marks } = figure;
  const size = isFluid ? '' : ` width="${number(width)}" height="${number(height)}"`;
  const bands = marks.filter((mark) => mark.kind === 'band');
  const gradients = new Map(bands.map(({ layers }) => [keyOf(layers), layers]));
  const ids = new Map([...gradients.keys()].map((key, place) => [key, `${prefix}g${place}`]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${prefix}title ${prefix}description" viewBox="0 0 ${number(width)} ${number(height)}"${size}>`,
    `<title id="${prefix}title">${escapeXml(title)}</title>`,
    `<desc id="${prefix}description">${escapeXml([...facts, ...credit].filter(Boolean).join(' · '))}</desc>`,
    `<style>${svgStyle(theme, shadesOf(marks))}</style>`,
    ...writeGradients(gradients, ids),
    `<rect class="background" width="100%" height="100%"/>`,
    ...marks.map((mark) => writeMark(mark, ids)),
    '</svg>\n',
  ].join('\n');
}

type GradientIds = ReadonlyMap<string, string>;

/** Formats a number with at most two decimals. */
const number = (value: number): string => String(Math.round(value * 100) / 100 || 0);

const classOf = (role: ColourRole): string => (typeof role === 'number' ? `f${role}` : role);

const FONT_PX = 12;
const FONT = `${FONT_PX}px 'DejaVu Sans', Verdana, sans-serif`;

/** The shades that occur in a picture. Defining others would only make the file larger. */
function shadesOf(marks: readonly Mark[]): readonly Shade[] {
  const roles = marks.map((mark) => (mark.kind === 'rectangle' ? mark.role : undefined));
  return [...new Set(roles)].filter(isShade);
}

function svgStyle(theme: SvgOptions['theme'], shades: readonly Shade[]): string {
  const forces = FORCE_COLOURS.map(({ hex }, force) => `.f${force}{fill:${hex}}`);
  const base = `text{font:${FONT};dominant-baseline:auto}.b{font-weight:bold}.m{text-anchor:middle}.e{text-anchor:end}.l{fill:none;stroke-width:1.5;stroke-linejoin:bevel}.r{fill:none;stroke-width:1}.d{stroke-dasharray:5 3}.h{stroke-width:3;paint-order:stroke}`;
  if (theme !== 'both') return base + forces.join('') + themeRules(theme, shades);
  const dark = `@media (prefers-color-scheme:dark){${themeRules('dark', shades)}}`;
  return base + forces.join('') + themeRules('light', shades) + dark;
}

function themeRules(theme: Theme, shades: readonly Shade[]): string {
  return Object.entries(THEME_COLOURS[theme])
    .map(
      ([role, colour]) =>
        `.${role}{fill:${colour}}.l.${role},.r.${role}{fill:none;stroke:${colour}}`,
    )
    .concat(shades.map((shade) => `.${shade}{fill:${shadeColour(shade, theme)}}`))
    .concat(`.h{stroke:${THEME_COLOURS[theme].background}}`)
    .join('');
}

/**
 * Writes a shape as SVG.
 * @param ids the ids of the gradients that fill bands, by their keys
 */
function writeMark(mark: Mark, ids: GradientIds): string {
  switch (mark.kind) {
    case 'band':
      return writeBand(mark, ids);
    case 'line':
      return writeLine(mark);
    case 'rectangle': {
      const { role, x, y, width, height } = mark;
      const look =
        role === undefined ? 'fill="none" pointer-events="all"' : `class="${classOf(role)}"`;
      const data = mark.panel === undefined ? '' : ` data-panel="${mark.panel}"`;
      const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
      return withTip('rect', `${look} ${place}${data}`, mark.tip);
    }
    case 'sector':
      return writeSector(mark);
    case 'arrow':
      return writeArrow(mark);
    case 'text':
      return writeText(mark);
    case 'ring': {
      const [x, y] = mark.centre;
      return `<circle class="r ${classOf(mark.role)}" cx="${number(x)}" cy="${number(y)}" r="${number(mark.radius)}"/>`;
    }
    case 'rule': {
      const [[x1, y1], [x2, y2]] = [mark.from, mark.to];
      const look = `r ${classOf(mark.role)}${mark.isDashed ? ' d' : ''}`;
      return `<path class="${look}" d="M${number(x1)},${number(y1)}L${number(x2)},${number(y2)}"/>`;
    }
  }
}

function withTip(element: string, attributes: string, tip: string | undefined): string {
  if (tip === undefined) return `<${element} ${attributes}/>`;
  return `<${element} ${attributes}><title>${escapeXml(tip)}</title></${element}>`;
}

/** Writes the gradients of bands. Each has hard edges: one colour ends where the next begins. */
function writeGradients(
  gradients: ReadonlyMap<string, BandMark['layers']>,
  ids: GradientIds,
): string[] {
  return [...gradients].map(([key, layers]) => {
    const [bottom, top] = [layers[0]?.from ?? 0, layers.at(-1)?.from ?? 0];
    const stops = layers.flatMap(({ from, role }, index) => {
      const ends = [from, layers[index + 1]?.from ?? top];
      const colour = FORCE_COLOURS[role]?.hex;
      return ends.map((y) => {
        const offset = (bottom - y) / Math.max(1, bottom - top);
        return `<stop offset="${Math.round(offset * 1e5) / 1e5}" stop-color="${colour}"/>`;
      });
    });
    const ends = `x1="0" x2="0" y1="${number(bottom)}" y2="${number(top)}"`;
    return `<linearGradient id="${ids.get(key)}" gradientUnits="userSpaceOnUse" ${ends}>${stops.join('')}</linearGradient>`;
  });
}

function writeBand({ points, layers }: BandMark, ids: GradientIds): string {
  const path = area<BandMark['points'][number]>(
    ({ x }) => x,
    ({ bottom }) => bottom,
    ({ top }) => top,
  ).digits(2)([...points]);
  return `<path fill="url(#${ids.get(keyOf(layers))})" d="${path}"/>`;
}

const keyOf = (layers: BandMark['layers']): string => JSON.stringify(layers);

/**
 * Lines whose points are closer than this on average, px, get no outline, since outlines would
 * overlap.
 */
const EDGED_PX = 1.5;

function writeLine({ role, points }: LineMark): string {
  const path = line().digits(2)([...points] as [number, number][]);
  const own = `<path class="l ${classOf(role)}" d="${path}"/>`;
  const length = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  if (length < EDGED_PX * points.length) return own;
  // An outline in the background colour separates the line from areas behind it.
  return `<path class="l background" style="stroke-width:3.5;stroke-opacity:.5" d="${path}"/>${own}`;
}

function writeSector({ role, centre, inner, outer, from, to, tip }: SectorMark): string {
  const path = arc().digits(2)({
    innerRadius: inner,
    outerRadius: outer,
    startAngle: from * RADIANS_PER_DEGREE,
    endAngle: to * RADIANS_PER_DEGREE,
  });
  const [x, y] = centre.map(number);
  return withTip(
    'path',
    `class="${classOf(role)}" transform="translate(${x},${y})" d="${path}"`,
    tip,
  );
}

/** Writes an arrow around `centre`, 14 px long by default. It points down for a north wind. */
function writeArrow({ role, centre, headingDeg, lengthPx }: ArrowMark): string {
  const [x, y] = centre.map(number);
  const turn = `translate(${x},${y})rotate(${number(headingDeg)})`;
  if (lengthPx === undefined) {
    return `<path class="a ${classOf(role)}" transform="${turn}" d="M0,7L-4,0H-1V-7H1V0H4Z"/>`;
  }
  const size = `${turn}scale(${number(lengthPx / 20)})`;
  return `<path class="h ${classOf(role)}" transform="${size}" d="M0,10L-7.5,-1H-3V-10H3V-1H7.5Z"/>`;
}

function writeText({ role, at, anchor, text, isBold, hasEdge, sizePx }: TextMark): string {
  const look = [classOf(role), ...(isBold ? ['b'] : []), ...(hasEdge ? ['h'] : [])];
  if (anchor !== 'start') look.push(anchor === 'middle' ? 'm' : 'e');
  // Lower the baseline so that the middle of capital letters is at the given height.
  const y = number(at[1] + (4.4 / FONT_PX) * (sizePx ?? FONT_PX));
  const size = sizePx === undefined ? '' : ` style="font-size:${number(sizePx)}px"`;
  return `<text class="${look.join(' ')}" x="${number(at[0])}" y="${y}"${size}>${escapeXml(text)}</text>`;
}
