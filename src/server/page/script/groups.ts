import type { LatLng, Point } from 'leaflet';
import type { Station } from '../../../domain/station.ts';

/** A station and its position on the map. */
export interface PlacedStation {
  readonly station: Station;
  readonly at: LatLng;
}

/**
 * Stations whose symbols would overlap. The strongest wind comes first, and its position is used.
 */
export type OverlapGroup = readonly [PlacedStation, ...PlacedStation[]];

/** Symbols closer than this overlap, px. */
const OVERLAP_PX = 30;

/**
 * Groups stations whose symbols overlap with that of a station with stronger wind.
 * @param placed stations, strongest wind first
 * @param project returns the position of a station on the world map, px
 * @param worldPx length of the equator, px
 */
export function groupStations(
  placed: readonly PlacedStation[],
  project: (at: LatLng) => Point,
  worldPx: number,
): OverlapGroup[] {
  const groups: { readonly point: Point; readonly members: [PlacedStation, ...PlacedStation[]] }[] =
    [];
  for (const one of placed) {
    const point = project(one.at);
    const near = groups.find(({ point: { x, y } }) => {
      const right = Math.abs(point.x - x) % worldPx;
      return Math.hypot(Math.min(right, worldPx - right), point.y - y) < OVERLAP_PX;
    });
    if (near) near.members.push(one);
    else groups.push({ point, members: [one] });
  }
  return groups.map(({ members }) => members);
}
