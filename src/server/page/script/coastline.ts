import { type Coords, GridLayer } from 'leaflet';
import { element, resolve, TIMEOUT_MS } from './dom.ts';

/** Length of the equator in map units, in which the outlines of /coastline.txt count. */
const WORLD = 36_000;
/** The closest zoom at which the outlines look like coasts: a map unit has 7 px. */
const CLOSEST_ZOOM = 10;
const LINE_PX = 0.7;

/** Draws land and borders in tiles, which repeat around the Earth. */
class Coastline extends GridLayer {
  readonly #land: Path2D;
  readonly #borders: Path2D;

  constructor(land: string, borders: string) {
    super({ maxZoom: CLOSEST_ZOOM, zIndex: 0 });
    [this.#land, this.#borders] = [new Path2D(land), new Path2D(borders)];
  }

  override createTile({ x, y, z }: Coords): HTMLElement {
    const tile = element('canvas');
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

/** The outlines of land and borders; undefined where the server has none. */
export async function fetchCoastline(): Promise<GridLayer | undefined> {
  const address = resolve('coastline.txt');
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) return undefined;
  const [land = '', borders = ''] = (await answer.text()).split('\n');
  const layer = new Coastline(land, borders);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => layer.redraw());
  return layer;
}
