interface Unit {
  /** As in the units line and in table heads. */
  readonly label: string;
  /** Marks a converted field where a format has no place for units. Empty for the service's own. */
  readonly suffix: string;
  readonly fromKmh: (speedKmh: number) => number;
}

/**
 * Lowest speed of Beaufort forces 1 to 12 in km/h: WMO code table 1100 (Manual on Codes,
 * WMO-No. 306), whose km/h column is 0–<1, 1–5, 6–11, … 103–117, 118 and over.
 */
const BEAUFORT_FROM_KMH = [1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118] as const;

/** Two decimals: finer than any anemometer, and enough to find the km/h again to 0.02. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Beaufort force, 0 to 12.
 * @param speedKmh mean speed, 0 or more
 */
export function beaufort(speedKmh: number): number {
  const next = BEAUFORT_FROM_KMH.findIndex((lowest) => speedKmh < lowest);
  return next === -1 ? 12 : next;
}

/** Whether a mean speed is calm: under 1 km/h, where a vane that nothing moves points anywhere. */
export function isCalm(speedKmh: number | null): boolean {
  return speedKmh !== null && beaufort(speedKmh) === 0;
}

/** Every unit speeds can be shown in. 1 kn is 1.852 km/h and 1 mi is 1.609344 km, both exactly. */
export const SPEED_UNITS = {
  kmh: { label: 'km/h', suffix: '', fromKmh: (speedKmh) => speedKmh },
  kn: { label: 'kn', suffix: '_kn', fromKmh: (speedKmh) => round2(speedKmh / 1.852) },
  ms: { label: 'm/s', suffix: '_ms', fromKmh: (speedKmh) => round2(speedKmh / 3.6) },
  mph: { label: 'mph', suffix: '_mph', fromKmh: (speedKmh) => round2(speedKmh / 1.609344) },
  bft: { label: 'Bft', suffix: '_bft', fromKmh: beaufort },
} as const satisfies Record<string, Unit>;

export type SpeedUnit = keyof typeof SPEED_UNITS;

/**
 * A speed in another unit. In `kmh` the number is exactly the one that came; converted ones
 * keep two decimals (Beaufort: a whole force). Null stays null.
 * @param speedKmh km/h, 0 or more
 */
export function convertSpeed(speedKmh: number | null, unit: SpeedUnit): number | null {
  return speedKmh === null ? null : SPEED_UNITS[unit].fromKmh(speedKmh);
}
