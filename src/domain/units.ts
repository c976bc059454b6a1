interface Unit {
  /** The unit as output shows it; users may type it too, in capitals or not. */
  readonly label: string;
  /** End of a field's name that names its unit, as in `wind_speed_avg_kn`; empty for km/h. */
  readonly suffix: string;
  /** Further spellings that users may type, in lower case. */
  readonly spellings: readonly string[];
  /** How many km/h make 1 of this unit; undefined for Beaufort: a force is a range of speeds. */
  readonly kmh: number | undefined;
}

/**
 * Lowest speed of Beaufort forces 1 to 12 in km/h: WMO code table 1100 (Manual on Codes,
 * WMO-No. 306), whose km/h column is 0–<1, 1–5, 6–11, … 103–117, 118 and over.
 */
export const BEAUFORT_FROM_KMH = [1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118] as const;

/**
 * A mean speed below this is calm: so weak a wind does not turn the vane, which points anywhere.
 */
export const CALM_BELOW_KMH = BEAUFORT_FROM_KMH[0];

/** Rounds to two decimals: finer than any anemometer, and enough to find the km/h again to 0.02. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Beaufort force, 0 to 12.
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
 * Whether a reading has a direction: its average is known and not calm, and its heading is known.
 * @param calmKmh an average below this is calm
 */
export function hasDirection(speedKmh: number, headingDeg: number, calmKmh: number): boolean {
  return speedKmh >= calmKmh && Number.isFinite(headingDeg);
}

/** Kilometres of each unit of length; 1.852 and 1.609344 are exact by definition. */
const KM_IN = { km: 1, nm: 1.852, mi: 1.609344 } as const;

/** Further spellings of units of length. */
const LENGTH_SPELLINGS: Readonly<Record<string, keyof typeof KM_IN>> = {
  nmi: 'nm',
  mile: 'mi',
  miles: 'mi',
};

/**
 * Every unit of speeds by the name that `--units` accepts. Conditions, `--hysteresis`, help,
 * completions, formats, `--append` and the web page follow from this table.
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

/** Whether a unit is a scale of forces, Beaufort, in which speeds cannot be subtracted. */
export function isForceScale(unit: SpeedUnit): boolean {
  return SPEED_UNITS[unit].kmh === undefined;
}

/** The units in which two speeds can be subtracted. */
export const LINEAR_UNIT_NAMES = SPEED_UNIT_NAMES.filter((unit) => !isForceScale(unit));

const BY_SPELLING: ReadonlyMap<string, SpeedUnit> = new Map(
  SPEED_UNIT_NAMES.flatMap((name) => {
    const { label, spellings } = SPEED_UNITS[name];
    return [name, label.toLowerCase(), ...spellings].map((spelling) => [spelling, name] as const);
  }),
);

/** The unit that a user's text names, in whatever case; undefined for other text. */
export function findUnit(text: string): SpeedUnit | undefined {
  return BY_SPELLING.get(text.toLowerCase());
}

/**
 * Converts a speed from km/h. In `kmh` the number stays unchanged; other units keep two decimals,
 * Beaufort a whole force. Null stays null.
 * @param speedKmh km/h, 0 or more
 */
export function convertSpeed(speedKmh: number | null, unit: SpeedUnit): number | null {
  const speed = convertSpeedExactly(speedKmh, unit);
  return speed === null || unit === 'kmh' ? speed : round2(speed);
}

/** Converts a speed from km/h without rounding; Beaufort is a whole force. Null stays null. */
export function convertSpeedExactly(speedKmh: number | null, unit: SpeedUnit): number | null {
  if (speedKmh === null) return null;
  const { kmh } = SPEED_UNITS[unit];
  return kmh === undefined ? beaufortForce(speedKmh) : speedKmh / kmh;
}

/**
 * Converts a number in a unit to km/h; a Beaufort force becomes its lowest speed.
 * @returns undefined for Beaufort with a number that is no force
 */
export function lowestSpeedKmh(number: number, unit: SpeedUnit): number | undefined {
  return speedInKmh(number, unit) ?? [0, ...BEAUFORT_FROM_KMH][number];
}

/**
 * Converts a speed to km/h without the noise of floating-point multiplication: 1.1 m/s is 3.96 km/h,
 * not 3.9600000000000004, which would be a limit above a measured 3.96 km/h.
 * @returns undefined for Beaufort: a force is a range of speeds
 */
export function speedInKmh(speed: number, unit: SpeedUnit): number | undefined {
  const { kmh } = SPEED_UNITS[unit];
  return kmh === undefined ? undefined : Number((speed * kmh).toPrecision(15));
}

/**
 * The limit that a rounded speed may equal: with two decimals of a unit, a limit within half a
 * hundredth. The speed itself if there is no such limit, or if it has more decimals.
 */
export function unroundSpeed(
  speedKmh: number,
  unit: SpeedUnit,
  limitsKmh: readonly number[],
): number {
  const { kmh = 1 } = SPEED_UNITS[unit];
  const limit = limitsKmh.find((limit) => Math.abs(speedKmh - limit) < 0.0050001 * kmh);
  const isRounded = limit !== undefined && speedInKmh(round2(speedKmh / kmh), unit) === speedKmh;
  return isRounded ? limit : speedKmh;
}

/**
 * Reads a distance: `25` and `25km` in kilometres, `15nm` in nautical miles, `10mi` in miles.
 * @returns km above 0; undefined for other text
 */
export function parseDistanceKm(text: string): number | undefined {
  const [, digits = '', unit = 'km'] =
    /^(\d+(?:\.\d*)?|\.\d+)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
  const name = unit.toLowerCase();
  const km = Object.entries(KM_IN).find(([key]) => key === (LENGTH_SPELLINGS[name] ?? name))?.[1];
  return Number(digits) * (km ?? 0) || undefined;
}
