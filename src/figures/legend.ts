import type { Drawing, LegendEntry, ScaleLabel } from './drawing.ts';
import type { Mark } from './figure.ts';
import { SHADE_COUNT, shadeAt } from './shades.ts';
import { type LayoutStyle, type PixelBox, roundDownToCell, textMark } from './style.ts';

/** Maximum width of the bar that shows the colours of a scale, px. */
const BAR_PX = 320;

/** A legend whose number of lines is known before it is placed. */
interface LaidLegend {
  readonly lines: number;
  readonly draw: (place: Pick<PixelBox, 'left' | 'top'>) => Mark[];
}

/**
 * Lays out a legend, colours with labels, in as few lines as fit the width in px. The bar of a
 * scale comes after it.
 */
export function layOutLegend(
  { legend, scale = [] }: Pick<Drawing, 'legend' | 'scale'>,
  style: LayoutStyle,
  width: number,
): LaidLegend {
  const { linePx } = style;
  const { placed, end } = placeEntries(legend, style, width);
  const last = placed.at(-1)?.line ?? -1;
  const bar = Math.min(BAR_PX, roundDownToCell(width, style.gridX));
  const isBeside = end + bar <= width;
  const [barLeft, barLine] = isBeside ? [end, Math.max(0, last)] : [0, last + 1];
  return {
    lines: scale.length > 0 ? barLine + 2 : last + 1,
    draw: ({ left, top }) => [
      ...placed.flatMap(({ entry, x, line }) =>
        drawEntry(entry, left + x, top + (line + 0.5) * linePx, style),
      ),
      ...(scale.length > 0
        ? drawBar(scale, { left: left + barLeft, top: top + barLine * linePx, width: bar }, style)
        : []),
    ],
  };
}

const swatchOf = ({ gridX }: LayoutStyle): number => (gridX === 1 ? 14 : 2 * gridX);
const heightOf = ({ gridX, linePx }: LayoutStyle): number => (gridX === 1 ? 12 : linePx);

function placeEntries(entries: readonly LegendEntry[], style: LayoutStyle, width: number) {
  const { charPx, gridX } = style;
  let [x, line] = [0, 0];
  const placed = entries.map((entry) => {
    const length = swatchOf(style) + roundDownToCell((entry.label.length + 3) * charPx, gridX);
    if (x > 0 && x + length > width) [x, line] = [0, line + 1];
    const place = { entry, x, line };
    x += length;
    return place;
  });
  return { placed, end: x };
}

function drawEntry(
  { role, sign, label }: LegendEntry,
  x: number,
  middle: number,
  style: LayoutStyle,
) {
  const [width, height] = [swatchOf(style), heightOf(style)];
  return [
    { kind: 'rectangle', role, sign, x, y: middle - height / 2, width, height } as const,
    textMark(label, [x + width + style.charPx, middle]),
  ];
}

/** Draws all colours of a scale side by side, with labels below. */
function drawBar(
  labels: readonly ScaleLabel[],
  { left, top, width }: Omit<PixelBox, 'height'>,
  style: LayoutStyle,
): Mark[] {
  const { linePx, gridX } = style;
  const height = heightOf(style);
  const count = Math.min(SHADE_COUNT, width / gridX);
  const shades = Array.from({ length: count }, (_, place): Mark => {
    const from = roundDownToCell((place * width) / count, gridX);
    const role = shadeAt((place + 0.5) / count);
    const y = top + (linePx - height) / 2;
    // Extend each colour to the end of the bar, below the next colours, so that no seams appear.
    return { kind: 'rectangle', role, x: left + from, y, width: width - from, height };
  });
  return [...shades, ...drawLabels(labels, { left, top: top + linePx, width }, style)];
}

/** Places the labels of a scale: the first and last within its ends, others if they fit. */
function drawLabels(
  labels: readonly ScaleLabel[],
  { left, top, width }: Omit<PixelBox, 'height'>,
  { charPx, linePx }: LayoutStyle,
): Mark[] {
  const y = top + linePx / 2;
  const room = width - ((labels.at(-1)?.text.length ?? 0) + 1) * charPx;
  let taken = 0;
  return labels.flatMap(({ share, text }, index): Mark[] => {
    const isLast = index === labels.length - 1;
    const anchor = isLast ? 'end' : index === 0 ? 'start' : 'middle';
    const length = text.length * charPx;
    const from = share * width - (anchor === 'middle' ? length / 2 : 0);
    if (!isLast && (from < taken || from + length > room)) return [];
    taken = from + length + charPx;
    return [textMark(text, [left + share * width, y], { role: 'muted', anchor })];
  });
}
