import { FORCE_COLOURS } from '../../../domain/palette.ts';
import { byId, element, resolve, svgElement, TIMEOUT_MS } from './dom.ts';
import {
  draw,
  fromMiddle,
  isFarthest,
  type Point,
  pan,
  showAll,
  stationAt,
  svg,
  zoom,
} from './map.ts';

/** A pointer that moves farther than this drags the map instead of clicking, px. */
const DRAG_PX = 4;

/** Lets the user drag the map with one pointer, zoom with two, and open a station with a click. */
function followPointers(open: (id: number) => void): void {
  const pointers = new Map<number, Point>();
  let movedPx = 0;
  const middle = (): Point => {
    const all = [...pointers.values()];
    const mean = (axis: 0 | 1) => all.reduce((sum, at) => sum + at[axis], 0) / all.length;
    return [mean(0), mean(1)];
  };
  const spread = (): number => {
    const [first, second] = [...pointers.values()];
    return first && second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 1;
  };
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) movedPx = 0;
    pointers.set(event.pointerId, fromMiddle(event));
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    const [from, fromSpread] = [middle(), spread()];
    pointers.set(event.pointerId, fromMiddle(event));
    const to = middle();
    movedPx += Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (movedPx <= DRAG_PX && pointers.size === 1) return;
    pan(from[0] - to[0], from[1] - to[1]);
    if (pointers.size > 1) zoom(spread() / fromSpread, to);
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    svg.addEventListener(type, (event) => {
      const isClick = pointers.delete(event.pointerId) && type === 'pointerup';
      if (!isClick || pointers.size > 0 || movedPx > DRAG_PX) return;
      const id = stationAt(fromMiddle(event));
      if (id !== undefined) open(id);
    });
  }
  svg.addEventListener(
    'wheel',
    (event) => {
      // At the farthest zoom, let the wheel scroll the page.
      if (event.deltaY > 0 && isFarthest()) return;
      event.preventDefault();
      zoom(1.002 ** -event.deltaY, fromMiddle(event));
    },
    { passive: false },
  );
}

const STEP_PX = 80;
const CLOSER = 1.6;

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => pan(-STEP_PX, 0),
  ArrowRight: () => pan(STEP_PX, 0),
  ArrowUp: () => pan(0, -STEP_PX),
  ArrowDown: () => pan(0, STEP_PX),
  '+': () => zoom(CLOSER),
  '=': () => zoom(CLOSER),
  '-': () => zoom(1 / CLOSER),
  '0': showAll,
};

function followKeys(): void {
  byId('map').addEventListener('keydown', (event) => {
    const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  byId('closer').addEventListener('click', () => zoom(CLOSER));
  byId('farther').addEventListener('click', () => zoom(1 / CLOSER));
  byId('whole').addEventListener('click', showAll);
}

/** Fetches the outlines of land and the borders; without them the arrows still tell the wind. */
async function drawLand(): Promise<void> {
  const address = resolve('coastline.txt');
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) return;
  const [land = '', borders = ''] = (await answer.text()).split('\n');
  byId('land').setAttribute('d', land);
  byId('borders').setAttribute('d', borders);
}

function drawLegend(): void {
  for (const [force, { hex }] of FORCE_COLOURS.entries()) {
    const entry = byId('forces').appendChild(element('span'));
    const swatch = svgElement('svg', { viewBox: '0 0 1 1', 'aria-hidden': 'true' });
    swatch.append(svgElement('path', { d: 'M0,0H1V1H0Z', fill: hex }));
    entry.append(swatch, String(force));
  }
}

/**
 * Draws the map, and lets visitors move it.
 * @param open called with the id of a station that is clicked
 */
export function startMap(open: (id: number) => void): void {
  drawLegend();
  followPointers(open);
  followKeys();
  new ResizeObserver(draw).observe(svg);
  drawLand().catch(() => {});
}
