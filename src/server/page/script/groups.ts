import type { LatLng, Point } from 'leaflet';
import type { Station } from '../../../domain/station.ts';

/** A station at its place. */
export interface PlacedStation {
  readonly station: Station;
  readonly at: LatLng;
}

/** Stations whose symbols would overlap, the strongest first, at the place of which they are drawn. */
export type OverlapGroup = readonly [PlacedStation, ...PlacedStation[]];

/** Symbols that are closer than this overlap, px. */
const OVERLAP_PX = 30;

/**
 * Puts each station into the group of a stronger station that it overlaps.
 * @param placed stations, the strongest first
 * @param project the place of a station on the world map, px
 * @param worldPx the way around the Earth, px
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
