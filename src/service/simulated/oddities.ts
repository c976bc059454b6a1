import type { Position } from '../../domain/station.ts';
import { pickAtFraction, randomSequence } from './noise.ts';
import type { SimulatedStation } from './readings.ts';
import { LANDFORM_CLIMATES, type Landform, type SiteClimate } from './weather.ts';

/** A simulated station with some fixed traits. The others are random. */
type Special = Pick<SimulatedStation, 'id'> & Partial<SimulatedStation>;

/** When the simulated network opened, milliseconds since 1970. There are no earlier readings. */
export const NETWORK_OPENED_MS = Date.UTC(2014, 5, 1, 10, 30);

function at(landform: Landform, position: Position, breezeFromDeg: number): SiteClimate {
  return { ...LANDFORM_CLIMATES[landform], position, breezeFromDeg };
}

/** Creates an example station: installed on the first day, without lost readings or oddities. */
function example(id: number, name: string, description: string, climate: SiteClimate): Special {
  const healthy = { installedMs: NETWORK_OPENED_MS, lossRate: 0, hdop: 1, snrDb: { around: 22 } };
  return { ...healthy, id, name: `${name} (simulated)`, description, climate };
}

/** Stations for the examples of the documentation: without faults, and in windy places. */
export const EXAMPLE_STATIONS: readonly Special[] = [
  example(
    110,
    'Plage des Embruns',
    'Flat beach, nothing around it. Mistral and sea breeze.',
    at('beach', { latitude: 43.364118, longitude: 4.915527 }, 200),
  ),
  example(
    603,
    'Col du Vent',
    'Take-off for paragliders, facing west.',
    at('pass', { latitude: 45.874236, longitude: 6.293812 }, 290),
  ),
  example(
    1500,
    'Pointe du Large',
    'Surf spot. Works with any wind from the south-west to the north.',
    at('cape', { latitude: 48.036571, longitude: -4.735208 }, 250),
  ),
];

/** Ids that existing programs request, so that the simulated network offers them too. */
export const STATIONS_OF_PROGRAMS = [23, 298, 410, 1006, 1008, 1708, 2176].map(
  (id): Special => ({ id }),
);

/** Stations with odd responses, as some real stations have them. Each shows one oddity. */
export const ODD_STATIONS = {
  /**
   * Never located: live responses have position 0, 0, date null and success false; archives have no
   * position.
   */
  neverLocated: { id: 19, former: { untilMs: Number.POSITIVE_INFINITY, position: null } },
  /** Located once, but success is false: the last known position is no longer valid. */
  locationLost: { id: 77, isPositionValid: false },
  /** The archive has no position until 2016-07-22T15:00Z, seven hours after its first row. */
  locatedLate: {
    id: 154,
    installedMs: Date.UTC(2016, 6, 22, 7, 58, 40),
    former: { untilMs: Date.UTC(2016, 6, 22, 15), position: null },
  },
  /** The station moved on 2021-05-12 at 14:20Z: the archive has both positions. */
  moved: {
    id: 1207,
    name: 'Thônes (simulated)',
    climate: at('valley', { latitude: 45.9036, longitude: 6.4231 }, 320),
    former: {
      untilMs: Date.UTC(2021, 4, 12, 14, 20),
      position: { latitude: 45.7728, longitude: 6.2207 },
    },
  },
  hdopNull: { id: 205, hdop: null },
  hdopMissing: { id: 214, hdop: undefined },
  /** All measurements and the status are null, and the archive has no rows. */
  neverMeasured: { id: 1890, installedMs: Number.POSITIVE_INFINITY },
  /** Silent since 2017-09-03, but its power state is still “on”. */
  longSilent: { id: 233, retiredMs: Date.UTC(2017, 8, 3, 11), retiredState: 'on' },
  switchedOff: { id: 242, retiredMs: Date.UTC(2019, 10, 2, 16), retiredState: 'off' },
  /** Switched off, near the example station 603. */
  offNearby: {
    id: 801,
    name: 'Annecy Plage (simulated)',
    description: 'Pontoon in the lake. Closed since autumn 2024.',
    climate: at('beach', { latitude: 45.898215, longitude: 6.141037 }, 160),
    retiredMs: Date.UTC(2024, 9, 27, 16),
    retiredState: 'off',
  },
  /** The last measurement is old, although the state is “on”. Near the example station 603. */
  oldNearby: {
    id: 802,
    name: 'Annecy Crêt (simulated)',
    description: 'Crest above the lake. Its radio failed in a storm.',
    climate: at('crest', { latitude: 45.862384, longitude: 6.107529 }, 250),
    retiredMs: Date.UTC(2024, 11, 1, 5),
    retiredState: 'on',
  },
  stateUnknown: { id: 251, retiredMs: Date.UTC(2019, 1, 20, 9), retiredState: null },
  /** The archive has no rows from November to March. */
  winterBreak: { id: 1061, isClosedInWinter: true },
  /** Readings have an average, but no minimum and maximum. */
  meanOnly: { id: 1115, sensor: 'meanOnly' },
  /** All wind fields are null although the station is “on”. */
  deadSensor: { id: 319, sensor: 'dead' },
  snrZero: { id: 41, name: 'Sauveterre (simulated)', snrDb: 0 },
  snrMinusOne: { id: 1333, snrDb: -1 },
  /** About one row in eight of the archive is repeated identically. */
  repeatedRows: { id: 356, doubles: 'identical' },
  /** About one row in eight of the archive is followed by a different row with the same time. */
  differingRows: { id: 1178, doubles: 'differing' },
  nameDoubleSpaces: { id: 402, name: 'Plateau  des  Genêts (simulated)' },
  nameLeadingSpace: { id: 411, name: ' Plage des Sternes (simulated)' },
  nameTrailingSpace: { id: 420, name: 'Lac du Milan Noir (simulated) ' },
  nameQuotes: { id: 438, name: 'Spot "Le Grand Calme" (simulated)' },
  nameApostrophe: { id: 1246, name: 'Pointe de l’Ours (simulated)' },
  nameAccents: { id: 1234, name: 'Crêt de l’Été – Żółta Góra, Öræfi (simulated)' },
  nameHostile: { id: 1666, name: '\u001b[2J<b>=1+1' },
  nameEquals: { id: 456, name: '=1+2 (simulated)' },
  namePlus: { id: 465, name: '+40 kn Spot (simulated)' },
  nameMinus: { id: 474, name: '-- Belvédère -- (simulated)' },
  nameAt: { id: 483, name: '@thebeach (simulated)' },
  descriptionLines: {
    id: 501,
    description: 'Parking at the chapel.\r\nTen minutes on foot.\r\n\r\nMind the cows.',
  },
  descriptionEmpty: { id: 510, description: '' },
  descriptionNull: { id: 529, description: null },
} satisfies Record<string, Special>;

/** A separate seed, so that oddities do not change a station's other traits. */
const ODDITY_SEED = 385;

/**
 * Draws random oddities for an ordinary station. They are about as frequent as in the real network.
 */
export function drawOddTraits(station: SimulatedStation): Partial<SimulatedStation> {
  const draw = randomSequence(ODDITY_SEED * 10_000 + station.id);
  const isOdd = (share: number): boolean => draw() < share;
  const lagS = 1 + Math.floor(30 * draw());
  const ms = Math.floor(1000 * draw());
  const blank = pickAtFraction(
    [` ${station.name}`, `${station.name} `, ` ${station.name} `],
    draw(),
  );
  const noSnr = pickAtFraction([0, -1], draw());
  return {
    ...(isOdd(0.16) && { contactLagS: lagS }),
    ...(isOdd(0.02) && { contactLagS: -lagS }),
    ...(isOdd(0.08) && { hasMilliseconds: true, describedMs: station.describedMs + ms }),
    ...(isOdd(0.06) && { sensor: 'dead' as const }),
    ...(isOdd(0.065) && { isPositionValid: false }),
    ...(isOdd(0.07) && { name: blank }),
    ...(isOdd(0.125) && { describedMs: Number.POSITIVE_INFINITY }),
    ...(isOdd(0.36) && { snrDb: noSnr }),
  };
}
