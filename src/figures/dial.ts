import { RADIANS_PER_DEGREE } from '../domain/compass.ts';
import { beaufortForce } from '../domain/units.ts';
import { formatDirection } from '../formats/humanReadable.ts';
import type { Mark, PixelPoint, TextMark } from './figure.ts';
import { type LayoutStyle, type PixelBox, textMark } from './style.ts';

/** A dial lower than this, in px, has no texts around it: all its texts are inside. */
export const SMALL_DIAL_PX = 190;

/** The texts inside a dial. A very small dial only shows the first one. */
export interface DialTexts {
  /** The mean, or a word such as `calm` or `old`. */
  readonly word: string;
  readonly gust?: string;
  readonly gustWithUnit?: string;
  readonly direction?: string;
  readonly age?: string;
  readonly time?: string;
}

/** The values that a dial shows. */
interface Dial {
  readonly texts: DialTexts;
  /** Whether the current wind is unknown, so that the dial is grey. */
  readonly isGrey: boolean;
  /** Whether the picture's condition is true; undefined without a condition. */
  readonly isHeld: boolean | undefined;
  /** The mean that sets the ring's colour, unless the condition is false, km/h. */
  readonly speedKmh: number | null;
  /** The direction the arrow comes from, degrees; null for no arrow. */
  readonly headingDeg: number | null;
  /** The wind directions of the last hour, degrees. */
  readonly directions: readonly number[];
}

/** The radii of a dial and the length of its arrow, relative to half the height of its box. */
const LETTERED = { ring: 0.84, letters: 0.93, arrow: 0.36, texts: 0.64 };
const PLAIN = { ...LETTERED, ring: 0.9 };
const SMALL = { ...PLAIN, ring: 0.88, arrow: 0.52, texts: 0.57 };
/** The radius of the circle for texts if no arrow is in the way. */
const BROAD = 0.68;
/** The widths of the ring, of the gap inside it, and of the marks for directions. */
const [RING, GAP, MARKS] = [0.08, 0.02, 0.06];
/** Half the width of the mark for a direction, degrees. */
const MARK_DEG = 3;

/**
 * Diameters from which a dial shows further texts, px. A picture with only a dial is up to 4 px
 * larger.
 */
const WITH_GUST_PX = 86;
const WITH_AGE_PX = 126;
const WITH_TIME_PX = 186;

/** The position of a dial in a picture, px. */
interface Place {
  readonly centre: PixelPoint;
  /** Half the height of the dial's box. */
  readonly radius: number;
  readonly parts: typeof LETTERED;
}

/**
 * Draws a dial: a ring in the colour of the Beaufort force, an arrow from where the wind comes to
 * the centre, marks inside the ring for the directions of the last hour, and numbers in the centre.
 */
export function drawDial(dial: Dial, box: PixelBox, style: LayoutStyle): Mark[] {
  const { isGrey, isHeld, speedKmh, headingDeg, directions } = dial;
  const radius = Math.max(1, Math.min(box.width, box.height) / 2);
  const centre: PixelPoint = [box.left + box.width / 2, box.top + box.height / 2];
  const isLettered = 2 * radius >= WITH_TIME_PX;
  const parts = isLettered ? LETTERED : 2 * radius < WITH_GUST_PX ? SMALL : PLAIN;
  const place: Place = { centre, radius, parts };
  const outer = parts.ring * radius;
  const inner = outer - RING * radius;
  const round = { kind: 'sector', sign: '', centre, from: 0, to: 360 } as const;
  const face = isGrey ? 'night' : isHeld ? 'held' : undefined;
  const isCurrent = !isGrey && speedKmh !== null;
  const ring: Mark = isCurrent
    ? { ...round, role: isHeld === false ? 'grid' : beaufortForce(speedKmh), inner, outer }
    : { kind: 'ring', role: 'muted', centre, radius: outer };
  const hasArrow = isCurrent && headingDeg !== null;
  const room = (hasArrow ? parts.texts : BROAD) * radius;
  return [
    ...(face ? [{ ...round, role: face, inner: 0, outer } as const] : []),
    ring,
    ...drawDirections(directions, inner - GAP * radius, place),
    ...(isLettered ? writeLetters(place) : []),
    ...(hasArrow ? drawArrow(headingDeg, place, style) : []),
    ...writeLines(dial, place, room, style),
  ];
}

/** The point of a dial in a direction, at a distance in px from its centre. */
function pointAt({ centre: [x, y] }: Place, angleDeg: number, distance: number): PixelPoint {
  const angle = angleDeg * RADIANS_PER_DEGREE;
  return [x + distance * Math.sin(angle), y - distance * Math.cos(angle)];
}

/** Draws a mark for each direction. Adjacent marks are joined to an arc. */
function drawDirections(
  directions: readonly number[],
  outer: number,
  { centre, radius }: Place,
): Mark[] {
  return [...new Set(directions.map(Math.round))].map((deg) => {
    const tip = `last hour: ${formatDirection(deg)}`;
    const place = { centre, inner: outer - MARKS * radius, outer };
    const ends = { from: deg - MARK_DEG, to: deg + MARK_DEG };
    return { kind: 'sector', role: 'muted', sign: '', ...place, ...ends, tip };
  });
}

function writeLetters(place: Place): Mark[] {
  const { parts, radius } = place;
  const sizePx = Math.max(10, 0.1 * radius);
  return ['N', 'E', 'S', 'W'].map((letter, index) => {
    const at = pointAt(place, 90 * index, parts.letters * radius);
    return textMark(letter, at, { role: 'muted', anchor: 'middle', sizePx });
  });
}

/** Draws the arrow of a dial. On a terminal, it is a line with an arrow character at its end. */
function drawArrow(headingDeg: number, place: Place, { gridX }: LayoutStyle): Mark[] {
  const { parts, radius } = place;
  const lengthPx = parts.arrow * radius;
  const [tail, middle, tip] = [0, 0.5, 1].map((share) =>
    pointAt(place, headingDeg, radius - share * lengthPx),
  ) as [PixelPoint, PixelPoint, PixelPoint];
  const arrow = { kind: 'arrow', role: 'ink', headingDeg, lengthPx } as const;
  if (gridX === 1) return [{ ...arrow, centre: middle }];
  return [
    { kind: 'line', role: 'ink', points: [tail, tip] },
    { ...arrow, centre: tip },
  ];
}

/** Centre and font size of each line in a dial, relative to the radius of the circle for texts. */
type Lines = Partial<Record<keyof DialTexts, readonly [middle: number, size: number]>>;

const linesFor = (diameterPx: number): Lines => {
  if (diameterPx < WITH_GUST_PX) return { word: [0, 1.3] };
  if (diameterPx < WITH_AGE_PX) return { word: [-0.22, 1], gust: [0.55, 0.32] };
  const word = [-0.22, 0.7] as const;
  if (diameterPx < WITH_TIME_PX) {
    return { direction: [-0.74, 0.25], word, gustWithUnit: [0.3, 0.24], age: [0.68, 0.24] };
  }
  return {
    ...{ direction: [-0.76, 0.22], word, gustWithUnit: [0.24, 0.2] },
    ...{ age: [0.54, 0.19], time: [0.8, 0.18] },
  };
};

/** Width of a letter and height of a digit, relative to the font size. */
const [LETTER, BOLD_LETTER, DIGIT] = [0.62, 0.71, 0.73];

/**
 * Writes the lines in a dial, and shrinks them if they would leave the circle for texts.
 * @param room the radius of this circle, px
 */
function writeLines(
  { texts, isGrey }: Dial,
  { centre: [x, y], radius }: Place,
  room: number,
  { gridX }: LayoutStyle,
): TextMark[] {
  return Object.entries(linesFor(2 * radius)).flatMap(([name, [middle, size]]) => {
    const text = texts[name as keyof DialTexts];
    if (!text) return [];
    const isBold = name === 'word';
    // Keep the corners of the text within the circle.
    const wide = (text.length * (isBold ? BOLD_LETTER : LETTER)) / 2;
    const edge = Math.abs(middle) * room;
    const fits = (px: number) => Math.hypot(px * wide, edge + (px * DIGIT) / 2) <= room;
    let sizePx = size * room;
    while (gridX === 1 && sizePx > 1 && !fits(sizePx)) sizePx *= 0.97;
    const role = isGrey || name === 'age' || name === 'time' ? 'muted' : 'ink';
    return textMark(text, [x, y + middle * room], { role, anchor: 'middle', isBold, sizePx });
  });
}
