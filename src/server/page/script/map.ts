import {
  Control,
  map as createMap,
  DomEvent,
  divIcon,
  type LatLng,
  latLng,
  latLngBounds,
  type Marker,
  marker,
  popup,
} from 'leaflet';
import { positionOf, type Station } from '../../../domain/station.ts';
import type { SpeedUnit } from '../../../domain/units.ts';
import { createElement, elementById } from './dom.ts';
import { groupStations, type OverlapGroup, type PlacedStation } from './groups.ts';
import { addTileLayer, CLOSEST_ZOOM, fetchCoastline, tilesElement } from './layers.ts';
import { groupSymbol, stationSymbol } from './symbols.ts';
import { currentForce, currentSpeedKmh, describeWind, shortName } from './wind.ts';

/**
 * The closest zoom when the map moves to a few stations, so that their surroundings stay visible.
 */
const FOUND_ZOOM = 9;
/** The share of stations that the map shows at first: those nearest to the centre of all. */
const MOST = 0.65;
const SYMBOL_PX = 28;
const GROUP_PX = 32;
const MARGIN_PX = 24;

const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The map. It has a distinct name, since tests read its view. */
const windMap = createMap('map', {
  attributionControl: false,
  worldCopyJump: true,
  minZoom: 1,
  maxZoom: tilesElement ? CLOSEST_ZOOM.tiles : CLOSEST_ZOOM.coastline,
  zoomAnimation: !isStill,
  fadeAnimation: !isStill,
  markerZoomAnimation: !isStill,
});

let placed: readonly PlacedStation[] = [];
let describe: (station: Station) => string = String;
let open: (id: number) => void = () => {};
/** Markers in view, by the stations that they represent. */
let markers: ReadonlyMap<string, Marker> = new Map();

/** Shifts longitudes so that the jump of 360° lies in the widest gap between stations. */
function unrolled(places: readonly LatLng[]): LatLng[] {
  const sorted = places.map(({ lng }) => lng).toSorted((a, b) => a - b);
  let [from, gap] = [0, 0];
  sorted.forEach((lng, index) => {
    const before = sorted[index - 1] ?? (sorted.at(-1) as number) - 360;
    if (lng - before > gap) [from, gap] = [lng, lng - before];
  });
  const turn = 360 * Math.round((from + (360 - gap) / 2) / 360);
  return places.map(({ lat, lng }) => latLng(lat, lng - turn + (lng < from ? 360 : 0)));
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** Moves the map to a share of its stations: those nearest to the median station. */
function lookAt(part: number): void {
  if (placed.length === 0) return;
  const places = unrolled(placed.map(({ at }) => at));
  const centre = latLng(middle(places.map(({ lat }) => lat)), middle(places.map(({ lng }) => lng)));
  const near = places.toSorted((a, b) => a.distanceTo(centre) - b.distanceTo(centre));
  const bounds = latLngBounds(near.slice(0, Math.ceil(near.length * part)));
  windMap.fitBounds(bounds, { maxZoom: FOUND_ZOOM, padding: [MARGIN_PX, MARGIN_PX] });
}

export const showAllStations = (): void => lookAt(1);
export const showMostStations = (): void => lookAt(MOST);

function activate(group: OverlapGroup, at: Marker): void {
  const [{ station }] = group;
  if (group.length === 1) {
    open(station.id);
  } else if (groupsAt(windMap.getMaxZoom(), group).length === 1) {
    listStations(group, at);
  } else {
    const bounds = latLngBounds(unrolled(group.map((one) => one.at)));
    windMap.fitBounds(bounds, { padding: [MARGIN_PX, MARGIN_PX] });
  }
}

const groupsAt = (zoom: number, stations: readonly PlacedStation[]): OverlapGroup[] =>
  groupStations(stations, (at) => windMap.project(at, zoom), windMap.options.crs?.scale(zoom) ?? 0);

/** Lists the stations of a group that no zoom separates. */
function listStations(group: OverlapGroup, at: Marker): void {
  const list = createElement('ul', 'choices');
  for (const { station } of group) {
    const button = list
      .appendChild(createElement('li'))
      .appendChild(createElement('button', 'clamped'));
    button.textContent = describe(station);
    button.addEventListener('click', () => open(station.id));
  }
  // Place the popup beside the map's buttons, which would cover it.
  popup({ content: list, maxHeight: 200, maxWidth: 240, autoPanPaddingTopLeft: [52, 5] })
    .setLatLng(at.getLatLng())
    .on('remove', () => at.getElement()?.focus())
    .openOn(windMap);
  list.querySelector('button')?.focus();
}

function showMarker(group: OverlapGroup, turn: number, known: Marker | undefined): Marker {
  const [{ station, at }] = group;
  const isOne = group.length === 1;
  const force = currentForce(station);
  const sidePx = isOne ? SYMBOL_PX : GROUP_PX;
  const icon = divIcon({
    html: (isOne ? stationSymbol(station) : groupSymbol(group.length, force)) as HTMLElement,
    className: '',
    iconSize: [sidePx, sidePx],
  });
  const shown = known ?? marker([at.lat, at.lng + turn], { icon });
  if (known) known.setIcon(icon);
  else shown.addTo(windMap);
  shown.off().on('click', () => activate(group, shown));
  shown.on('keydown', ({ originalEvent }) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
    DomEvent.stop(originalEvent);
    activate(group, shown);
  });
  const strongest = force === null ? 'no wind known' : `the strongest at force ${force}`;
  const title = isOne ? describe(station) : `${group.length} stations, ${strongest}`;
  shown.getElement()?.setAttribute('title', title);
  return shown;
}

/** Draws the stations in view, grouped where they overlap. */
function draw(): void {
  if (placed.length === 0 && markers.size === 0) return;
  const sight = windMap.getBounds().pad(0.2);
  const turn = 360 * Math.round(windMap.getCenter().lng / 360);
  const inSight = new Map<string, Marker>();
  for (const group of groupsAt(windMap.getZoom(), placed)) {
    const [{ at }] = group;
    for (const turned of [turn - 360, turn, turn + 360]) {
      if (!sight.contains([at.lat, at.lng + turned])) continue;
      const key = [turned, ...group.map(({ station }) => station.id)].join();
      inSight.set(key, showMarker(group, turned, markers.get(key)));
    }
  }
  for (const [key, old] of markers) if (!inSight.has(key)) old.remove();
  markers = inSight;
}

/** Shows stations and their wind on the map. */
export function showStationsOnMap(
  stations: readonly Station[],
  unit: SpeedUnit,
  ending: string,
): void {
  const isFirst = markers.size === 0 && placed.length === 0;
  describe = (station) => `${shortName(station, ending)}: ${describeWind(station, unit)}`;
  placed = stations
    .toSorted((a, b) => (currentSpeedKmh(b) ?? -1) - (currentSpeedKmh(a) ?? -1) || a.id - b.id)
    .flatMap((station) => {
      const position = positionOf(station);
      return position ? [{ station, at: latLng(position.latitude, position.longitude) }] : [];
    });
  if (placed.length > 0) elementById('map').hidden = false;
  windMap.invalidateSize();
  if (isFirst) showMostStations();
  else draw();
}

function addAllButton(): void {
  const all = new Control({ position: 'topleft' });
  all.onAdd = () => {
    const bar = createElement('div', 'leaflet-bar');
    const button = bar.appendChild(createElement('button'));
    button.textContent = 'All';
    button.title = 'Show all stations';
    button.addEventListener('click', showAllStations);
    DomEvent.disableClickPropagation(bar);
    return bar;
  };
  all.addTo(windMap);
}

/**
 * Draws the map, and lets visitors move it.
 * @param onOpen called with the id of a chosen station
 */
export function startMap(onOpen: (id: number) => void): void {
  open = onOpen;
  addAllButton();
  windMap.on('moveend', draw);
  elementById('map').addEventListener('keydown', ({ key, target }) => {
    if (key === '0' && target === elementById('map')) showAllStations();
    // Leaflet closes a popup with Escape only while the map has the focus.
    if (key === 'Escape') windMap.closePopup();
  });
  const scrollPage = (event: WheelEvent): void => {
    // At the farthest zoom, let the wheel scroll the page.
    if (event.deltaY > 0 && windMap.getZoom() === windMap.getMinZoom()) event.stopPropagation();
  };
  elementById('map').addEventListener('wheel', scrollPage, { capture: true, passive: true });
  new ResizeObserver(() => windMap.invalidateSize()).observe(elementById('map'));
  fetchCoastline().then(
    (layer) => layer?.addTo(windMap),
    () => {},
  );
  addTileLayer(windMap);
}
