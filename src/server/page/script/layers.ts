import { Control, type Coords, GridLayer, type Map as LeafletMap, tileLayer } from 'leaflet';
import { createElement, RESPONSE_TIMEOUT_MS, resolvePath } from './dom.ts';

/** Length of the equator in the map units of /coastline.txt. */
const WORLD = 36_000;
/** The closest zoom. Outlines still look like coasts while a map unit is at most 7 px. */
export const CLOSEST_ZOOM = { coastline: 10, tiles: 18 } as const;
const LINE_PX = 0.7;

/** A map layer that draws land and borders in tiles, repeated around the Earth. */
class Coastline extends GridLayer {
  readonly #land: Path2D;
  readonly #borders: Path2D;

  constructor(land: string, borders: string) {
    super({ maxZoom: CLOSEST_ZOOM.coastline, zIndex: 0 });
    [this.#land, this.#borders] = [new Path2D(land), new Path2D(borders)];
  }

  override createTile({ x, y, z }: Coords): HTMLElement {
    const tile = createElement('canvas');
    const sidePx = this.getTileSize().x * devicePixelRatio;
    tile.width = sidePx;
    tile.height = sidePx;
    const context = tile.getContext('2d');
    if (context === null) return tile;
    const style = getComputedStyle(document.documentElement);
    const scale = (sidePx * 2 ** z) / WORLD;
    context.setTransform(scale, 0, 0, scale, -x * sidePx, -y * sidePx);
    context.lineWidth = (LINE_PX * devicePixelRatio) / scale;
    context.fillStyle = style.getPropertyValue('--night');
    context.strokeStyle = style.getPropertyValue('--muted');
    context.fill(this.#land);
    context.stroke(this.#land);
    context.globalAlpha = 0.5;
    context.stroke(this.#borders);
    return tile;
  }
}

/** Loads the outlines of land and borders; undefined if the server has none. */
export async function fetchCoastline(): Promise<GridLayer | undefined> {
  const address = resolvePath('coastline.txt');
  const response = await fetch(address, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  if (!response.ok) return undefined;
  const [land = '', borders = ''] = (await response.text()).split('\n');
  const layer = new Coastline(land, borders);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => layer.redraw());
  return layer;
}

/** The element that configures a tile layer; null for coastlines only. */
export const tilesElement = document.querySelector<HTMLMetaElement>('meta[name=tiles]');

/** Adds the tile layer, with the attribution that its provider requires. */
export function addTileLayer(map: LeafletMap): void {
  if (!tilesElement) return;
  const maxZoom = CLOSEST_ZOOM.tiles;
  // Tile servers refuse requests without a referrer (403). The page's origin is enough.
  tileLayer(tilesElement.content, { maxZoom, referrerPolicy: 'strict-origin' }).addTo(map);
  const line = createElement('div', 'leaflet-control-attribution');
  for (const part of (tilesElement.dataset.attribution ?? '').split(/(https?:\/\/\S+)/)) {
    const isAddress = /^https?:/.test(part);
    const node = line.appendChild(createElement(isAddress ? 'a' : 'span'));
    node.textContent = part;
    if (isAddress) node.setAttribute('href', part);
  }
  const credit = new Control({ position: 'bottomright' });
  credit.onAdd = () => line;
  credit.addTo(map);
}
