import { geoMercatorRaw } from 'd3-geo';
import { FORCE_COLOURS } from '../../../domain/palette.ts';
import { OLD_MEASUREMENT_MS, positionOf, type Station } from '../../../domain/station.ts';
import { beaufort, isCalm, type SpeedUnit } from '../../../domain/units.ts';
import { svgElement } from './dom.ts';
import { ageOf, describeWind, nameOf } from './stations.ts';

/** Length of the equator in map units, in which the outlines of /coastline.txt count too. */
export const WORLD = 36_000;

/** A place on the map: in map units from the upper left corner of the world, or in px. */
export type Point = readonly [x: number, y: number];

/** A station on the map. */
export interface Marker {
  readonly id: number;
  readonly at: Point;
  readonly headingDeg: number;
  readonly mark: SVGElement;
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
export function makeMarkers(stations: readonly Station[], unit: SpeedUnit): Marker[] {
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
