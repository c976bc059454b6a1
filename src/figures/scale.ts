import { scaleLinear } from 'd3-scale';
import { CLASS_SIGNS } from './classes.ts';
import type { LegendEntry, ScaleLabel } from './drawing.ts';
import { shadeAt } from './shades.ts';

/** Maps values of cells, from 0 to the highest, to colours, and has the matching legend. */
export interface ValueScale {
  readonly legend: readonly LegendEntry[];
  readonly scale: readonly ScaleLabel[];
  readonly lookOf: (value: number) => Pick<LegendEntry, 'role' | 'sign'>;
}

/** Approximate number of labels of a scale, and number of classes on a terminal without shades. */
const LABELS = 5;
const CLASSES = 10;

/**
 * Creates a scale from 0 to the highest value, in continuous shades or in classes of equal width.
 * @param values all values of a picture, 0 or more
 * @param zero the legend entry of the value 0; undefined if 0 has no colour of its own
 */
export function createValueScale(
  values: readonly number[],
  unit: string,
  hasShades: boolean,
  zero?: LegendEntry,
): ValueScale {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  // Label the highest value with one decimal, as in its cell.
  const end = Number(highest.toFixed(1));
  const shareIn = (value: number): number => (highest > 0 ? value / highest : 0);
  const { entries, lookOf } = hasShades
    ? { entries: [], lookOf: (value: number) => ({ role: shadeAt(shareIn(value)), sign: ' ' }) }
    : divide(end, unit);
  const hasZero = zero !== undefined && values.includes(0);
  const isEmpty = values.length === 0 || (hasZero && highest === 0);
  return {
    legend: [...(hasZero ? [zero] : []), ...(isEmpty ? [] : entries)],
    scale: isEmpty || !hasShades ? [] : labelsTo(end, unit),
    lookOf: (value) => (value === 0 && zero ? zero : lookOf(value)),
  };
}

function ticksBelow(end: number, count: number): number[] {
  return scaleLinear([0, end], [0, 1])
    .ticks(count)
    .filter((tick) => tick < end);
}

function labelsTo(end: number, unit: string): ScaleLabel[] {
  const ticks = ticksBelow(end, LABELS);
  const labels = ticks.map((tick) => ({ share: tick / end, text: String(tick) }));
  return [...labels, { share: 1, text: `${end} ${unit}` }];
}

/** Divides a scale into classes, each with a character and the shade of its middle. */
function divide(end: number, unit: string) {
  const bounds = end > 0 ? ticksBelow(end, CLASSES) : [0];
  const entries = bounds.map((from, index): LegendEntry => {
    const to = bounds[index + 1];
    const middle = end > 0 ? (from + (to ?? end)) / 2 / end : 0;
    const range = index === 0 && to !== undefined ? `<${to}` : `${from}–${to ?? end}`;
    return {
      role: shadeAt(middle),
      sign: CLASS_SIGNS[index % CLASS_SIGNS.length] as string,
      label: to === undefined ? `${range} ${unit}` : range,
    };
  });
  const lookOf = (value: number): LegendEntry =>
    entries[
      Math.max(
        0,
        bounds.findLastIndex((bound) => value >= bound),
      )
    ] as LegendEntry;
  return { entries, lookOf };
}
