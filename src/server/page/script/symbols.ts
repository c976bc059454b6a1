import type { Station } from '../../../domain/station.ts';
import { createElement } from './dom.ts';
import { conditionOf, currentForce, forceCssClass } from './wind.ts';

/**
 * Creates the symbol of a station, as in the legend: an arrow to where the wind blows, or a shape
 * for its condition.
 */
export function stationSymbol(station: Station): Element {
  const headingDeg = station.measurements.wind_heading;
  const condition = conditionOf(station);
  // A wind without a direction also gets the dot of calm air.
  const shape = condition === 'windy' && headingDeg === null ? 'calm' : condition;
  const shown = document.querySelector(`#symbols .${shape}`)?.parentElement as Element;
  const svg = shown.cloneNode(true) as Element;
  const path = svg.querySelector('path');
  path?.setAttribute('class', `symbol ${shape} ${forceCssClass(currentForce(station))}`);
  if (shape === 'windy') path?.setAttribute('transform', `rotate(${headingDeg})`);
  return svg;
}

/** Creates the symbol of a group: the number of stations above their strongest force. */
export function groupSymbol(count: number, force: number | null): HTMLElement {
  const disc = createElement('span', `group ${forceCssClass(force)}`);
  disc.append(String(count));
  if (force !== null) disc.appendChild(createElement('small')).textContent = `F${force}`;
  return disc;
}
