interface Unit {
  /** The unit as output shows it. Users may type it too, in upper or lower case. */
  readonly label: string;
  /** The suffix for field names in this unit, as in `wind_speed_avg_kn`; empty for km/h. */
  readonly suffix: string;
  /** Other spellings that users may type, in lower case. */
  readonly spellings: readonly string[];
  /** The value of the unit in km/h; undefined for Beaufort, whose forces are ranges of speeds. */
  readonly kmh: number | undefined;
}

/**
 * Minimum speeds in km/h of the Beaufort forces 1 to 12: WMO code table 1100 (Manual on Codes,
 * WMO-No. 306), whose km/h column is 0–<1, 1–5, 6–11, … 103–117, 118 and over.
 */
export const BEAUFORT_FROM_KMH = [1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118] as const;

/**
 * A lower mean speed than this is calm: such a weak wind does not turn the vane, so its direction
 * is meaningless.
 */
export const CALM_BELOW_KMH = BEAUFORT_FROM_KMH[0];

/** Rounds to two decimals. That is finer than any anemometer, and preserves km/h to 0.02. */
export function roundTo2Decimals(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * The Beaufort force, 0 to 12.
 * @param speedKmh mean speed, 0 or more
 */
export function beaufortForce(speedKmh: number): number {
  const next = BEAUFORT_FROM_KMH.findIndex((lowest) => speedKmh < lowest);
  return next === -1 ? 12 : next;
}

export function isCalm(speedKmh: number | null): boolean {
  return speedKmh !== null && speedKmh < CALM_BELOW_KMH;
}

/**
 * Whether a reading has a direction: its average and heading are known, and it is not calm.
 * @param calmKmh a lower average is calm
 */
export function hasDirection(speedKmh: number, headingDeg: number, calmKmh: number): boolean {
  return speedKmh >= calmKmh && Number.isFinite(headingDeg);
}

/** Kilometres per unit of length; 1.852 and 1.609344 are exact by definition. */
const KM_IN = { km: 1, nm: 1.852, mi: 1.609344 } as const;

/** Other spellings of units of length. */
const LENGTH_SPELLINGS: Readonly<Record<string, keyof typeof KM_IN>> = {
  nmi: 'nm',
  mile: 'mi',
  miles: 'mi',
};

/**
 * All units of speed by their names in `--units`. Conditions, `--hysteresis`, help, completions,
 * formats, `--append` and the web page are derived from this table.
 */
export const SPEED_UNITS = {
  kmh: { label: 'km/h', suffix: '', kmh: KM_IN.km, spellings: ['kph', 'kmph'] },
  kn: { label: 'kn', suffix: '_kn', kmh: KM_IN.nm, spellings: ['kt', 'kts', 'knot', 'knots'] },
  ms: { label: 'm/s', suffix: '_ms', kmh: 3.6, spellings: ['mps'] },
  mph: { label: 'mph', suffix: '_mph', kmh: KM_IN.mi, spellings: ['mi/h'] },
  bft: { label: 'Bft', suffix: '_bft', kmh: undefined, spellings: ['bf', 'beaufort'] },
} as const satisfies Record<string, Unit>;

export type SpeedUnit = keyof typeof SPEED_UNITS;

export const SPEED_UNIT_NAMES = Object.keys(SPEED_UNITS) as SpeedUnit[];

/**
 * Whether a unit is a scale of forces (Beaufort), so that differences of speeds have no meaning.
 */
export function isForceScale(unit: SpeedUnit): boolean {
  return SPEED_UNITS[unit].kmh === undefined;
}

/** The units in which differences of speeds have a meaning. */
export const LINEAR_UNIT_NAMES = SPEED_UNIT_NAMES.filter((unit) => !isForceScale(unit));

const BY_SPELLING: ReadonlyMap<string, SpeedUnit> = new Map(
  SPEED_UNIT_NAMES.flatMap((name) => {
    const { label, spellings } = SPEED_UNITS[name];
    return [name, label.toLowerCase(), ...spellings].map((spelling) => [spelling, name] as const);
  }),
);

/** The unit that a text names, in upper or lower case; undefined for other text. */
export function findSpeedUnit(text: string): SpeedUnit | undefined {
  return BY_SPELLING.get(text.toLowerCase());
}

/**
 * Converts a speed from km/h. In `kmh` it stays unchanged; other units are rounded to two decimals,
 * and Beaufort to a whole force. Null stays null.
 * @param speedKmh km/h, 0 or more
 */
export function convertSpeed(speedKmh: number | null, unit: SpeedUnit): number | null {
  const speed = convertSpeedExactly(speedKmh, unit);
  return speed === null || unit === 'kmh' ? speed : roundTo2Decimals(speed);
}

/**
 * Converts a speed from km/h without rounding, except to a whole force in Beaufort. Null stays
 * null.
 */
export function convertSpeedExactly(speedKmh: number | null, unit: SpeedUnit): number | null {
  if (speedKmh === null) return null;
  const { kmh } = SPEED_UNITS[unit];
  return kmh === undefined ? beaufortForce(speedKmh) : speedKmh / kmh;
}

/**
 * Converts a number in a unit to km/h. A Beaufort force becomes its lowest speed.
 * @returns undefined for Beaufort if the number is not a force
 */
export function lowestSpeedKmh(number: number, unit: SpeedUnit): number | undefined {
  return speedInKmh(number, unit) ?? [0, ...BEAUFORT_FROM_KMH][number];
}

/**
 * Converts a speed to km/h without floating-point noise: 1.1 m/s is 3.96 km/h, not
 * 3.9600000000000004, which would be above a measured 3.96 km/h.
 * @returns undefined for Beaufort, whose forces are ranges of speeds
 */
export function speedInKmh(speed: number, unit: SpeedUnit): number | undefined {
  const { kmh } = SPEED_UNITS[unit];
  return kmh === undefined ? undefined : Number((speed * kmh).toPrecision(15));
}

/**
 * Adjusts a speed that a file stores with two decimals. If one of the limits rounds to the same
 * value, returns that limit; otherwise the speed itself.
 */
export function unroundSpeed(
  speedKmh: number,
  unit: SpeedUnit,
  limitsKmh: readonly number[],
): number {
  const { kmh = 1 } = SPEED_UNITS[unit];
  const limit = limitsKmh.find((limit) => Math.abs(speedKmh - limit) < 0.0050001 * kmh);
  const isRounded =
    limit !== undefined && speedInKmh(roundTo2Decimals(speedKmh / kmh), unit) === speedKmh;
  return isRounded ? limit : speedKmh;
}

/**
 * Parses a distance: `25` and `25km` in kilometres, `15nm` in nautical miles, `10mi` in miles.
 * @returns km above 0; undefined for other text
 */
export function parseDistanceKm(text: string): number | undefined {
  const [, digits = '', unit = 'km'] =
    /^(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
  const name = unit.toLowerCase();
  const km = Object.entries(KM_IN).find(([key]) => key === (LENGTH_SPELLINGS[name] ?? name))?.[1];
  return Number(digits) * (km ?? 0) || undefined;
}
