import { DAY_MS } from '../../domain/dates.ts';
import { fraction, hash, sequence } from './noise.ts';
import { drawOddities, EXAMPLES, ODDITIES, OPENED_MS, REQUESTED } from './oddities.ts';
import { drawPlace, GROUNDS, inventName, pick, REGION_LOTS } from './places.ts';
import type { Hardware, SimulatedStation } from './station.ts';

const HIGHEST_ID = 1900;
/** Share of the ids up to HIGHEST_ID that are drawn as stations; other stations have chosen ids. */
const DENSITY = 0.3;
const NETWORK_SEED = 2014;

/** Stations from this id on have hardware of the second generation. */
const SECOND_GENERATION_FROM = 1000;
const FIRST_GENERATION: Hardware = { cadenceS: 240, jitterS: 5, stepsPerKmh: 4, headings: 16 };
const SECOND_GENERATION: Hardware = { cadenceS: 300, jitterS: 0, stepsPerKmh: 10, headings: 360 };

/** Ids ascend with the date of installation, from 2014 to the middle of 2019. */
const INSTALLATION_DAYS = 1826;
/** Share of stations that go silent or are shut down, 3 to 13 years after installation. */
const RETIRED_SHARE = 0.06;

const FOREVER = Number.POSITIVE_INFINITY;

const DESCRIPTIONS = [
  null,
  '',
  'Take-off. Turbulent when the wind comes over the ridge.',
  'Landing field. Read it together with the station above.',
  'On the roof of the sailing club, 9 m above the water.',
  'Mast of 6 m at the end of the dike, nothing around it.',
  'Kite spot. The wind is disturbed by the dune from east to south.',
  'Next to the refuge. Ice on the cups happens in winter.',
  'Trees to the north: lulls are too low with a north wind.',
];

/** All stations of the simulated network by id, ascending. */
export const NETWORK: ReadonlyMap<number, SimulatedStation> = buildNetwork();

function buildNetwork(): ReadonlyMap<number, SimulatedStation> {
  const special = new Map<number, Partial<SimulatedStation>>(
    [...EXAMPLES, ...REQUESTED, ...Object.values(ODDITIES)].map((station) => [station.id, station]),
  );
  const isDrawn = (id: number): boolean => fraction(hash(NETWORK_SEED, id)) < DENSITY;
  const drawn = Array.from({ length: HIGHEST_ID }, (_, i) => i + 1).filter(isDrawn);
  const ids = [...new Set([...drawn, ...special.keys()])].sort((a, b) => a - b);
  const stations = new Map<number, SimulatedStation>();
  const names = new Set<string>();
  for (const id of ids) {
    const ordinary = ordinaryStation(id, names);
    names.add(ordinary.name);
    // A station with chosen traits must not be retired by chance.
    const traits = special.get(id);
    const station = {
      ...ordinary,
      ...(traits ? { retiredMs: FOREVER, ...traits } : drawOddities(ordinary)),
    };
    names.add(station.name);
    stations.set(id, station);
  }
  return stations;
}

function ordinaryStation(id: number, names: ReadonlySet<string>): SimulatedStation {
  const draw = sequence(id);
  const region = pick(REGION_LOTS, draw());
  const landform = pick(region.landforms, draw());
  const isFirst = id < SECOND_GENERATION_FROM;
  const installedMs = OPENED_MS + Math.floor((id / HIGHEST_ID) * INSTALLATION_DAYS * 86_400) * 1000;
  const lifeMs = Math.floor((3 + 10 * draw()) * 365.25) * DAY_MS;
  const place = drawPlace(region, draw);
  const hdop = draw();
  return {
    id,
    description: pick(DESCRIPTIONS, draw()),
    picture: draw() < 0.3 ? `https://wind.example/pictures/${id}.jpg` : null,
    describedMs: installedMs + Math.floor(draw() * 180 * 86_400) * 1000,
    upvotes: Math.floor(12 * draw() ** 3),
    downvotes: Math.floor(3 * draw() ** 3),
    hardware: isFirst ? FIRST_GENERATION : SECOND_GENERATION,
    climate: { ...GROUNDS[landform], position: place, breezeFromDeg: Math.floor(360 * draw()) },
    installedMs,
    retiredMs: installedMs + (draw() < RETIRED_SHARE ? lifeMs : FOREVER),
    retiredState: pick(['on', 'off'], draw()),
    former: undefined,
    closure: undefined,
    isPositionValid: true,
    hdop: hdop < 0.9 ? 1 + Math.floor(4 * hdop ** 3) : hdop < 0.95 ? null : undefined,
    contactLagS: 0,
    hasMilliseconds: false,
    lossRate: 0.004,
    sensor: 'whole',
    doubles: 'none',
    snrDb: { around: 14 + 14 * draw() },
    name: freeName(
      draw() < 0.15
        ? () => (isFirst ? `Girouette ${id}` : `Wind vane ${id}`)
        : () => inventName(region, landform, draw),
      names,
    ),
  };
}

/** The first proposed name that is not taken, marked as simulated. */
function freeName(propose: () => string, taken: ReadonlySet<string>): string {
  for (;;) {
    const name = `${propose()} (simulated)`;
    if (!taken.has(name)) return name;
  }
}
