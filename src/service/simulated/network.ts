import { DAY_MS } from '../../domain/dates.ts';
import type { Position } from '../../domain/station.ts';
import { fractionOfHash, hashIntegers, pickAtFraction, randomSequence } from './noise.ts';
import {
  drawOddTraits,
  EXAMPLE_STATIONS,
  NETWORK_OPENED_MS,
  ODD_STATIONS,
  STATIONS_OF_PROGRAMS,
} from './oddities.ts';
import type { SimulatedStation, StationHardware } from './readings.ts';
import { LANDFORM_CLIMATES, type Landform } from './weather.ts';

const MAX_ID = 1900;
/** The share of ids up to MAX_ID that become random stations. Some stations have fixed ids. */
const DENSITY = 0.3;
const NETWORK_SEED = 2014;

/** Stations from this id on have hardware of the second generation. */
const SECOND_GENERATION_FROM = 1000;
const FIRST_GENERATION: StationHardware = {
  cadenceS: 240,
  jitterS: 5,
  stepsPerKmh: 4,
  headings: 16,
};
const SECOND_GENERATION: StationHardware = {
  cadenceS: 300,
  jitterS: 0,
  stepsPerKmh: 10,
  headings: 360,
};

/** Ids increase with the date of installation, from 2014 to the middle of 2019. */
const INSTALLATION_DAYS = 1826;
/** The share of stations that go silent or are shut down, 3 to 13 years after installation. */
const RETIRED_SHARE = 0.06;

const FOREVER = Number.POSITIVE_INFINITY;

const DESCRIPTIONS = [
  null,
  '',
  'Take-off. Turbulent when the wind comes over the ridge.',
  'Mast of 6 m at the end of the dike, nothing around it.',
  'Trees to the north: lulls are too low with a north wind.',
];

/**
 * A region: its name, its share of the stations relative to other regions, its landforms, and its
 * bounds in degrees. `east` exceeds 180 if the region crosses the antimeridian.
 */
// biome-ignore format: one line a bound would say no more
type Region = readonly [
  name: string, share: number, landforms: readonly Landform[],
  south: number, north: number, west: number, east: number,
];

const INLAND = ['pass', 'crest', 'valley', 'plain'] as const;
const COAST = ['beach', 'cape', 'plain'] as const;
const ISLAND = ['beach', 'cape', 'crest'] as const;

/** Regions of the simulated stations: mostly the Alps, France and the coasts of Europe. */
const REGIONS: readonly Region[] = [
  ['French Alps', 20, INLAND, 44.2, 46.4, 5.6, 7.0],
  ['Jura', 6, INLAND, 46.4, 48.2, 5.8, 7.2],
  ['Massif Central', 6, INLAND, 44.2, 45.8, 2.4, 3.9],
  ['Pyrenees', 5, INLAND, 42.5, 43.1, -1.2, 2.4],
  ['Brittany', 8, COAST, 47.6, 48.8, -4.6, -2.2],
  ['Channel', 5, COAST, 49.3, 50.9, -1.4, 1.7],
  ['Biscay', 4, COAST, 43.5, 46.2, -1.5, -1.1],
  ['Mediterranean', 7, COAST, 43.0, 43.6, 3.1, 6.8],
  ['Swiss Alps', 14, INLAND, 46.5, 47.6, 7.5, 13.5],
  ['Baltic', 4, COAST, 53.5, 54.6, 7.0, 13.5],
  ['Ireland', 5, COAST, 51.5, 57.5, -9.0, -3.5],
  ['Gibraltar', 3, COAST, 36.0, 37.0, -6.4, -4.5],
  ['Canaries', 2, ISLAND, 27.8, 29.0, -18.0, -13.6],
  ['Chile', 1, COAST, -33.5, -30.0, -71.7, -71.4],
  ['Québec', 1, COAST, 46.8, 48.0, -71.0, -69.0],
  ['Oregon', 2, INLAND, 45.5, 46.0, -123.0, -120.5],
  ['South Africa', 2, COAST, -34.3, -32.5, 18.0, 19.0],
  ['Réunion', 2, ISLAND, -21.3, -20.9, 55.3, 55.8],
  ['New Caledonia', 1, ISLAND, -22.3, -20.5, 164.5, 167.0],
  ['Fiji', 2, ISLAND, -18.0, -16.0, 178.5, 181.0],
];

/** Each region, repeated according to its share, so that a random pick follows the shares. */
const LOTS = REGIONS.flatMap((region) => Array<Region>(region[1]).fill(region));

/** All stations of the simulated network by id, in ascending order. */
export const SIMULATED_STATIONS: ReadonlyMap<number, SimulatedStation> = buildNetwork();

function buildNetwork(): ReadonlyMap<number, SimulatedStation> {
  const special = new Map<number, Partial<SimulatedStation>>(
    [...EXAMPLE_STATIONS, ...STATIONS_OF_PROGRAMS, ...Object.values(ODD_STATIONS)].map(
      (station) => [station.id, station],
    ),
  );
  const isDrawn = (id: number): boolean => fractionOfHash(hashIntegers(NETWORK_SEED, id)) < DENSITY;
  const drawn = Array.from({ length: MAX_ID }, (_, i) => i + 1).filter(isDrawn);
  const ids = [...new Set([...drawn, ...special.keys()])].sort((a, b) => a - b);
  return new Map(
    ids.map((id) => {
      const ordinary = ordinaryStation(id);
      // A station with chosen traits must not be retired at random.
      const traits = special.get(id);
      const odd = traits ? { retiredMs: FOREVER, ...traits } : drawOddTraits(ordinary);
      return [id, { ...ordinary, ...odd }];
    }),
  );
}

function ordinaryStation(id: number): SimulatedStation {
  const draw = randomSequence(id);
  const [region, , landforms, ...bounds] = pickAtFraction(LOTS, draw());
  const landform = pickAtFraction(landforms, draw());
  const installedMs =
    NETWORK_OPENED_MS + Math.floor((id / MAX_ID) * INSTALLATION_DAYS * 86_400) * 1000;
  const lifeMs = Math.floor((3 + 10 * draw()) * 365.25) * DAY_MS;
  const position = drawPosition(bounds, draw);
  const hdop = draw();
  return {
    id,
    name: `${region} ${landform} ${id} (simulated)`,
    description: pickAtFraction(DESCRIPTIONS, draw()),
    picture: draw() < 0.3 ? `https://wind.example/pictures/${id}.jpg` : null,
    describedMs: installedMs + Math.floor(draw() * 180 * 86_400) * 1000,
    upvotes: Math.floor(12 * draw() ** 3),
    downvotes: Math.floor(3 * draw() ** 3),
    hardware: id < SECOND_GENERATION_FROM ? FIRST_GENERATION : SECOND_GENERATION,
    climate: { ...LANDFORM_CLIMATES[landform], position, breezeFromDeg: Math.floor(360 * draw()) },
    installedMs,
    retiredMs: installedMs + (draw() < RETIRED_SHARE ? lifeMs : FOREVER),
    retiredState: pickAtFraction(['on', 'off'], draw()),
    former: undefined,
    isClosedInWinter: false,
    isPositionValid: true,
    hdop: hdop < 0.9 ? 1 + Math.floor(4 * hdop ** 3) : hdop < 0.95 ? null : undefined,
    contactLagS: 0,
    hasMilliseconds: false,
    lossRate: 0.004,
    sensor: 'whole',
    doubles: 'none',
    snrDb: { around: 14 + 14 * draw() },
  };
}

/** A random position within bounds, with the 6 decimals that stations report. */
function drawPosition(bounds: [number, number, number, number], draw: () => number): Position {
  const [south, north, west, east] = bounds;
  const round6 = (deg: number): number => Math.round(deg * 1e6) / 1e6;
  const latitude = round6(south + (north - south) * draw());
  const longitude = round6(west + (east - west) * draw());
  return { latitude, longitude: longitude > 180 ? round6(longitude - 360) : longitude };
}
