import { formatZoneName } from '../domain/dates.ts';
import { printable } from '../domain/text.ts';
import type { Figure } from './figure.ts';
import { formatPeriod } from './labels.ts';
import { type PlotData, stationLabel } from './plotData.ts';
import { fitTextToPx, type LayoutStyle, textMark, wrapPieces } from './style.ts';

/** Draws a sentence instead of a picture that cannot be drawn. */
export function drawNotice(title: string, sentence: string, style: LayoutStyle): Figure {
  const { width, height, linePx } = style;
  const [padding, middle] = [12, width / 2];
  const room = width - 2 * padding;
  const lines = wrapPieces([printable(sentence)], style, room);
  const top = Math.max(padding + 1.5 * linePx, (height - lines.length * linePx) / 2);
  return {
    width,
    height,
    title: printable(title),
    facts: [printable(sentence)],
    credit: [],
    marks: [
      textMark(fitTextToPx(title, room, style), [padding, padding + linePx / 2], { isBold: true }),
      ...lines.map((line, index) =>
        textMark(line, [middle, top + (index + 0.5) * linePx], { role: 'muted', anchor: 'middle' }),
      ),
    ],
    table: { head: [], rows: [] },
    isNotice: true,
  };
}

/** Draws the notice for a period without readings. */
export function drawNoReadingsNotice(
  { stations, period, zone }: PlotData,
  style: LayoutStyle,
): Figure {
  const title = stations.map(stationLabel).join(', ');
  return drawNotice(
    title,
    `No reading from ${formatPeriod(period, zone)}, ${formatZoneName(zone)}.`,
    style,
  );
}
