import { compassPoint, windArrow } from '../../domain/compass.ts';
import { OLD_MEASUREMENT_MS } from '../../domain/station.ts';
import { beaufort, SPEED_UNITS, type SpeedUnit } from '../../domain/units.ts';
import { STATIONS_SCRIPT } from './stations.ts';
import { TRY_SCRIPT } from './tryIt.ts';

const LARGE_KMH = 1e9;

/** How many of a unit one km/h is; Beaufort, which has no such number, has its steps instead. */
const UNITS = Object.fromEntries(
  (Object.keys(SPEED_UNITS) as SpeedUnit[]).map((unit) => [
    unit,
    {
      label: SPEED_UNITS[unit].label,
      factor: unit === 'bft' ? null : SPEED_UNITS[unit].fromKmh(LARGE_KMH) / LARGE_KMH,
    },
  ]),
);

/** Lowest whole km/h of each force from 1 to 12. */
function beaufortSteps(): number[] {
  const steps: number[] = [];
  for (let kmh = 0; steps.length < 12; kmh++) if (beaufort(kmh) > steps.length) steps.push(kmh);
  return steps;
}

const around = <T>(count: number, at: (headingDeg: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => at((index * 360) / count));

/** What the page and the program must agree on. */
const FACTS = {
  units: UNITS,
  beaufort: beaufortSteps(),
  points: around(16, compassPoint),
  arrows: around(8, windArrow),
  oldMs: OLD_MEASUREMENT_MS,
  // The interface: not more often than every 60 seconds.
  pollMs: 60_000,
  timeoutMs: 30_000,
  shownCharacters: 20_000,
};

/**
 * The script of the page. Text of the service reaches the document through textContent only, and
 * every address is relative to the page's own, so that it works below any path.
 */
export const SCRIPT = `'use strict';
const FACTS = ${JSON.stringify(FACTS)};
const NOTHING = '–';
const byId = (id) => document.getElementById(id);
const resolve = (path) => new URL(path, location.href);

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
${STATIONS_SCRIPT}${TRY_SCRIPT}`;
