import { FORCE_COLOURS } from '../../../domain/palette.ts';
import type { Station } from '../../../domain/station.ts';
import { byId, element, svgElement } from './dom.ts';
import { type Condition, conditionOf, forceClass, forceOf } from './wind.ts';

/** Outlines of the symbols on the map, 10 px around a station; an arrow blows to the south. */
const OUTLINES: Readonly<Record<Condition, string>> = {
  windy: 'M0,10L-7,0H-2.5V-10H2.5V0H7Z',
  calm: 'M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0Z',
  old: 'M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z',
  off: 'M-4,-4L4,4M-4,4L4,-4',
};

function drawSymbol(condition: Condition, force: number | null, headingDeg = 0): Element {
  const svg = svgElement('svg', { viewBox: '-12 -12 24 24', 'aria-hidden': 'true' });
  const className = `symbol ${condition} ${forceClass(force)}`;
  const transform = `rotate(${headingDeg})`;
  svg.append(svgElement('path', { d: OUTLINES[condition], class: className, transform }));
  return svg;
}

/** The symbol of a station: an arrow to where its wind blows, or its condition. */
export function stationSymbol(station: Station): Element {
  const headingDeg = station.measurements.wind_heading;
  const condition = conditionOf(station);
  // A dot is for a wind without a direction too.
  if (condition !== 'windy' || headingDeg === null) {
    return drawSymbol(condition === 'windy' ? 'calm' : condition, forceOf(station));
  }
  return drawSymbol(condition, forceOf(station), headingDeg);
}

/** The symbol of several stations: their number above the strongest force. */
export function groupSymbol(count: number, force: number | null): HTMLElement {
  const disc = element('span', `group ${forceClass(force)}`);
  disc.append(String(count));
  if (force !== null) disc.appendChild(element('small')).textContent = `F${force}`;
  return disc;
}

const LEGEND: readonly (readonly [symbol: Element, text: string])[] = [
  [drawSymbol('windy', 3), 'wind: the arrow points to where it blows'],
  [drawSymbol('calm', 0), 'calm'],
  [drawSymbol('old', null), 'old: nothing measured for 45 min'],
  [drawSymbol('off', null), 'off: switched off'],
  [groupSymbol(12, 5), '12 stations, the strongest at force 5'],
];

/** Draws the legend of symbols and forces below the map. */
export function drawLegend(): void {
  for (const [symbol, text] of LEGEND)
    byId('symbols').appendChild(element('span')).append(symbol, text);
  for (const force of FORCE_COLOURS.keys()) {
    byId('forces').appendChild(element('span', forceClass(force))).textContent = String(force);
  }
}
