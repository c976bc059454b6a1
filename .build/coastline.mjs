// The outlines of land and the borders of countries on a Mercator map, as two SVG paths, made when
// vane is built: browsers get text to draw, and users install no atlas.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoMercator, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';

/**
 * Width of the world map in map units of 0.01° of longitude; the page's script has the same units.
 */
const WORLD = 36_000;

const atlas = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
/** The files that the paths are made of. */
export const inputs = [atlas];
const topology = JSON.parse(readFileSync(atlas, 'utf8'));
const { land, countries } = topology.objects;
const projection = geoMercator()
  .scale(WORLD / (2 * Math.PI))
  .translate([WORLD / 2, WORLD / 2])
  .precision(0)
  .clipExtent([
    [0, 0],
    [WORLD, WORLD],
  ]);
const draw = geoPath(projection).digits(0);

/** Rewrites an SVG path from coordinates to steps relative to the last point, which are shorter. */
function inSteps(path) {
  let [x, y] = [0, 0];
  let start = [0, 0];
  return path.replace(/([ML])(-?\d+),(-?\d+)|Z/g, (step, command, toX, toY) => {
    if (step === 'Z') {
      [x, y] = start;
      return 'z';
    }
    const [right, down] = [toX - x, toY - y];
    [x, y] = [Number(toX), Number(toY)];
    if (command === 'M') start = [x, y];
    else if (right === 0 && down === 0) return '';
    return `${command.toLowerCase()}${right}${down < 0 ? '' : ','}${down}`;
  });
}

const borders = mesh(topology, countries, (one, other) => one !== other);

/** The SVG path of the land, a line break, and the path of the borders. */
export default [feature(topology, land), borders].map((shape) => inSteps(draw(shape))).join('\n');
