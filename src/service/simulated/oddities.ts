import type { Position } from '../../domain/station.ts';
import { GROUNDS, type Landform } from './places.ts';
import type { SimulatedStation } from './station.ts';
import type { Climate } from './weather.ts';

type Traits = Partial<SimulatedStation>;

/** The opening of the network, before the first reading. */
export const OPENED_MS = Date.UTC(2014, 5, 1, 10, 30);

/** Traits of an example: installed on the first day, without lost readings and oddities. */
const HEALTHY: Traits = {
  installedMs: OPENED_MS,
  lossRate: 0,
  hdop: 1,
  snrDb: { around: 22 },
};

function at(landform: Landform, position: Position, breezeFromDeg: number): Climate {
  return { ...GROUNDS[landform], position, breezeFromDeg };
}

/** Stations for examples in texts: always healthy, and in good wind. */
export const EXAMPLES = [
  {
    station: 110,
    traits: {
      ...HEALTHY,
      name: 'Plage des Embruns (simulated)',
      description: 'Flat beach, nothing around it. Mistral and sea breeze.',
      climate: at('beach', { latitude: 43.364118, longitude: 4.915527 }, 200),
    },
  },
  {
    station: 603,
    traits: {
      ...HEALTHY,
      name: 'Col du Vent (simulated)',
      description: 'Take-off for paragliders, facing west.',
      climate: at('pass', { latitude: 45.874236, longitude: 6.293812 }, 290),
    },
  },
  {
    station: 1500,
    traits: {
      ...HEALTHY,
      name: 'Pointe du Large (simulated)',
      description: 'Surf spot. Works with any wind from the south-west to the north.',
      climate: at('cape', { latitude: 48.036571, longitude: -4.735208 }, 250),
    },
  },
] as const satisfies readonly Special[];

interface Special {
  readonly station: number;
  readonly traits: Traits;
}

/** Stations whose answers are odd in the way that some real answers are, one for each oddity. */
export const ODDITIES = {
  /** Never located: live at 0, 0 with date null and success false, archive at null. */
  neverLocated: {
    station: 19,
    traits: { former: { untilMs: Number.POSITIVE_INFINITY, position: null } },
  },
  /** Located, but success false: the last known position is no longer valid. */
  locationLost: { station: 77, traits: { isPositionValid: false } },
  /** Archive at null until 2016-07-22T15:00Z, seven hours after its first row. */
  locatedLate: {
    station: 154,
    traits: {
      installedMs: Date.UTC(2016, 6, 22, 7, 58, 40),
      former: { untilMs: Date.UTC(2016, 6, 22, 15), position: null },
    },
  },
  /** Moved on 2021-05-12 at 14:20Z: the position changes in the middle of the archive. */
  moved: {
    station: 1207,
    traits: {
      climate: at('valley', { latitude: 45.9036, longitude: 6.4231 }, 320),
      former: {
        untilMs: Date.UTC(2021, 4, 12, 14, 20),
        position: { latitude: 45.7728, longitude: 6.2207 },
      },
    },
  },
  hdopNull: { station: 205, traits: { hdop: null } },
  hdopMissing: { station: 214, traits: { hdop: undefined } },
  /** Never measured: measurements and status all null, no row. */
  neverMeasured: { station: 1890, traits: { installedMs: Number.POSITIVE_INFINITY } },
  /** Silent since 2017-09-03, and still “on”. */
  longSilent: {
    station: 233,
    traits: { retiredMs: Date.UTC(2017, 8, 3, 11), retiredState: 'on' },
  },
  switchedOff: {
    station: 242,
    traits: { retiredMs: Date.UTC(2019, 10, 2, 16), retiredState: 'off' },
  },
  stateUnknown: {
    station: 251,
    traits: { retiredMs: Date.UTC(2019, 1, 20, 9), retiredState: null },
  },
  /** No row from November to March. */
  winterBreak: { station: 1061, traits: { closure: { first: 11, last: 3 } } },
  /** An average without minimum and maximum. */
  meanOnly: { station: 1115, traits: { sensor: 'meanOnly' } },
  /** All wind fields null while “on”. */
  deadSensor: { station: 319, traits: { sensor: 'dead' } },
  snrZero: { station: 41, traits: { name: 'Sauveterre (simulated)', snrDb: 0 } },
  snrMinusOne: { station: 1333, traits: { snrDb: -1 } },
  /** About one row in eight comes twice, identical. */
  repeatedRows: { station: 356, traits: { doubles: 'identical' } },
  /** About one row in eight is followed by another of the same time. */
  differingRows: { station: 1178, traits: { doubles: 'differing' } },
  nameDoubleSpaces: { station: 402, traits: { name: 'Plateau  des  Genêts (simulated)' } },
  nameLeadingSpace: { station: 411, traits: { name: ' Plage des Sternes (simulated)' } },
  nameTrailingSpace: { station: 420, traits: { name: 'Lac du Milan Noir (simulated) ' } },
  nameQuotes: { station: 438, traits: { name: 'Spot "Le Grand Calme" (simulated)' } },
  nameApostrophe: { station: 1246, traits: { name: 'Pointe de l’Ours (simulated)' } },
  nameAccents: { station: 1234, traits: { name: 'Crêt de l’Été – Żółta Góra, Öræfi (simulated)' } },
  nameHostile: { station: 1666, traits: { name: '\u001b[2J<b>=1+1' } },
  nameEquals: { station: 456, traits: { name: '=1+2 (simulated)' } },
  namePlus: { station: 465, traits: { name: '+40 kn Spot (simulated)' } },
  nameMinus: { station: 474, traits: { name: '-- Belvédère -- (simulated)' } },
  nameAt: { station: 483, traits: { name: '@thebeach (simulated)' } },
  descriptionLines: {
    station: 501,
    traits: { description: 'Parking at the chapel.\r\nTen minutes on foot.\r\n\r\nMind the cows.' },
  },
  descriptionEmpty: { station: 510, traits: { description: '' } },
  descriptionNull: { station: 529, traits: { description: null } },
} satisfies Record<string, Special>;
