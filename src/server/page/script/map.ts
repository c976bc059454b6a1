import { geoMercatorRaw } from 'd3-geo';
import { FORCE_COLOURS } from '../../../domain/palette.ts';
import { OLD_MEASUREMENT_MS, positionOf, type Station } from '../../../domain/station.ts';
import { beaufort, isCalm, type SpeedUnit } from '../../../domain/units.ts';
import { byId, svgElement } from './dom.ts';
import { ageOf, describeWind, nameOf } from './stationTable.ts';

/** Length of the equator in map units, in which the outlines of /coastline.txt count too. */
const WORLD = 36_000;

/** A place on the map: in map units from the upper left corner of the world, or in px. */
export type Point = readonly [x: number, y: number];

/** A station on the map. */
interface Marker {
  readonly id: number;
  readonly at: Point;
  readonly headingDeg: number;
  readonly mark: SVGElement;
}

/** The closest zoom of the map, in map units per pixel: a pixel is some 200 m. */
const CLOSEST = 0.2;
/** The stations' area is shown at least this wide and high, in map units: some 200 km. */
const LEAST_UNITS = 200;
/** The map that shows all stations is this many times larger than their area. */
const MARGIN = 1.25;
/** The farthest that a click may be from the station that it opens, px. */
const CLICK_PX = 16;

export const svg = byId<HTMLElement & SVGSVGElement>('chart');
/** The map's middle in map units, and map units per pixel: 0 until stations are shown. */
const view = { x: WORLD / 2, y: WORLD / 2, scale: 0 };
let markers: readonly Marker[] = [];

/**
 * The farthest zoom of the map, in map units per pixel: it shows the whole way around the Earth.
 */
const farthest = (): number => WORLD / svg.clientWidth;

export const isFarthest = (): boolean => view.scale >= farthest();

const clampScale = (scale: number): number => Math.max(CLOSEST, Math.min(scale, farthest()));

/** The shortest part of the way around the Earth that holds all places `xs`, in map units. */
function spanOf(xs: readonly number[]): { from: number; length: number } {
  const sorted = xs.toSorted((a, b) => a - b);
  let [from, gap] = [0, 0];
  sorted.forEach((x, index) => {
    const before = sorted[index - 1] ?? (sorted.at(-1) as number) - WORLD;
    if (x - before > gap) [from, gap] = [x, x - before];
  });
  return { from, length: WORLD - gap };
}

/** Shows all stations, also where they lie on both sides of the antimeridian. */
export function showAll(): void {
  if (markers.length === 0) return;
  const { from, length } = spanOf(markers.map(({ at }) => at[0]));
  const ys = markers.map(({ at }) => at[1]);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  [view.x, view.y] = [from + length / 2, (top + bottom) / 2];
  const [width, height] = [length, bottom - top].map((units) =>
    Math.max(units * MARGIN, LEAST_UNITS),
  ) as [number, number];
  view.scale = Math.max(width / svg.clientWidth, height / svg.clientHeight);
  draw();
}

/** The x at which a place is nearest to the map's middle: the world repeats every 360°. */
const nearX = (x: number): number => x + WORLD * Math.round((view.x - x) / WORLD);

const round = (value: number): number => Math.round(value * 100) / 100;

export function draw(): void {
  const { clientWidth, clientHeight } = svg;
  if (view.scale === 0 || clientWidth === 0) return;
  view.scale = clampScale(view.scale);
  const { scale } = view;
  const [width, height] = [clientWidth * scale, clientHeight * scale];
  view.x = ((view.x % WORLD) + WORLD) % WORLD;
  view.y = Math.max(Math.min(height, WORLD) / 2, Math.min(WORLD - height / 2, view.y));
  const corner = [view.x - width / 2, view.y - height / 2];
  svg.setAttribute('viewBox', [...corner, width, height].map(round).join(' '));
  for (const { at, headingDeg, mark } of markers) {
    const place = `${round(nearX(at[0]))},${round(at[1])}`;
    mark.setAttribute('transform', `translate(${place})scale(${scale})rotate(${headingDeg})`);
  }
}

let isDue = false;

/** Draws the map once, however often it moves before the next frame. */
function drawSoon(): void {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw();
  });
}

export function pan(rightPx: number, downPx: number): void {
  view.x += rightPx * view.scale;
  view.y += downPx * view.scale;
  drawSoon();
}

/**
 * Zooms the map by a factor.
 * @param at the place that zooming leaves where it is on the screen, px from the map's middle
 */
export function zoom(factor: number, [x, y]: Point = [0, 0]): void {
  const before = view.scale;
  view.scale = clampScale(before / factor);
  view.x += x * (before - view.scale);
  view.y += y * (before - view.scale);
  drawSoon();
}

/** The place of a pointer, px from the middle of the map. */
export function fromMiddle({ clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top, width, height } = svg.getBoundingClientRect();
  return [clientX - left - width / 2, clientY - top - height / 2];
}

export function stationAt([x, y]: Point): number | undefined {
  const { scale } = view;
  let [id, nearest]: [number | undefined, number] = [undefined, CLICK_PX];
  for (const marker of markers) {
    const [right, down] = [nearX(marker.at[0]) - view.x, marker.at[1] - view.y];
    const distance = Math.hypot(right / scale - x, down / scale - y);
    // Of two markers at one place, choose the later marker, which is drawn on top.
    if (distance <= nearest) [id, nearest] = [marker.id, distance];
  }
  return id;
}

/** Shows stations by their wind, the strongest above the others. */
export function showMap(stations: readonly Station[], unit: SpeedUnit): void {
  markers = makeMarkers(stations, unit);
  byId('markers').replaceChildren(...markers.map(({ mark }) => mark));
  byId('map').hidden = markers.length === 0 && view.scale === 0;
  if (view.scale === 0) showAll();
  else draw();
  const count = `${markers.length} station${markers.length === 1 ? '' : 's'}`;
  svg.setAttribute('aria-label', `Map of ${count}; the table below has their wind.`);
}

/** Projects a place in degrees on a Mercator map, in map units. */
function project(longitude: number, latitude: number): Point {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  // Stop at 85°: Mercator puts the poles infinitely far away.
  const [x, y] = geoMercatorRaw(radians(longitude), radians(Math.max(-85, Math.min(85, latitude))));
  return [WORLD * (0.5 + x / (2 * Math.PI)), WORLD * (0.5 - y / (2 * Math.PI))];
}

const ARROW = 'M0,9L-6,0H-2V-9H2V0H6Z';
const DOT = 'M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z';

/** The mean speed of a recent measurement, km/h; null for an old or missing measurement. */
function currentSpeed(station: Station): number | null {
  const ageMs = ageOf(station);
  const isOld = ageMs === null || ageMs > OLD_MEASUREMENT_MS;
  return isOld ? null : station.measurements.wind_speed_avg;
}

/** Markers of stations, the strongest wind last: arrows, or dots for calm or unknown wind. */
function makeMarkers(stations: readonly Station[], unit: SpeedUnit): Marker[] {
  const order = (station: Station): number => currentSpeed(station) ?? -1;
  return stations
    .toSorted((a, b) => order(a) - order(b))
    .flatMap((station) => makeMarker(station, unit));
}

function makeMarker(station: Station, unit: SpeedUnit): Marker[] {
  const position = positionOf(station);
  if (position === undefined) return [];
  const speedKmh = currentSpeed(station);
  const headingDeg = station.measurements.wind_heading;
  const isArrow = speedKmh !== null && headingDeg !== null && !isCalm(speedKmh);
  const mark = svgElement('path', { d: isArrow ? ARROW : DOT });
  if (speedKmh === null) mark.setAttribute('class', 'old');
  else mark.setAttribute('fill', FORCE_COLOURS[beaufort(speedKmh)]?.hex ?? '');
  const tip = mark.appendChild(svgElement('title', {}));
  tip.textContent = `${nameOf(station)}: ${describeWind(station, unit)}`;
  const at = project(position.longitude, position.latitude);
  return [{ id: station.id, at, headingDeg: isArrow ? headingDeg : 0, mark }];
}
