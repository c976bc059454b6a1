/**
 * Spreads an integer over 32 bits: "lowbias32" of C. Wellons, "Prospecting for Hash Functions",
 * 2018. Integer arithmetic has the same results on every machine.
 */
function scramble(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return x ^ (x >>> 16);
}

/** Hashes two integers to a pseudo-random 32-bit integer. */
export function hashIntegers(seed: number, value: number): number {
  return scramble(scramble(seed) + value);
}

/** Converts a hash to a fraction from 0 to below 1. */
export function fractionOfHash(hashed: number): number {
  return (hashed >>> 0) / 2 ** 32;
}

/** Aspects of a reading. Each has its own sequence of random numbers. */
// biome-ignore format: one line
const ASPECTS = { jitter: 1, loss: 2, double: 3, mean: 4, gust: 5, lull: 6, swing: 7, radio: 8, milliseconds: 9 };

/** A pseudo-random fraction for an aspect of a reading. */
export function randomFraction(
  station: number,
  aspect: keyof typeof ASPECTS,
  slot: number,
): number {
  return fractionOfHash(hashIntegers(station * 16 + ASPECTS[aspect], slot));
}

/** Creates a generator of pseudo-random fractions. The same seed results in the same fractions. */
export function randomSequence(seed: number): () => number {
  let count = 0;
  return () => fractionOfHash(hashIntegers(seed, count++));
}

/** Picks the item at a fraction (0 to below 1) of a list's length. */
export function pickAtFraction<T>(list: readonly T[], fraction: number): T {
  return list[Math.floor(fraction * list.length)] as T;
}

/**
 * The smoothstep curve from 0 to 1. It is level at both ends, so that noise has no kinks at
 * integers.
 */
function ease(t: number): number {
  return t * t * (3 - 2 * t);
}

/** The noise at a point with integer coordinates, −1 to 1, from the point's hash. */
function lattice(hashed: number): number {
  return 2 * fractionOfHash(hashed) - 1;
}

/** Smooth value noise on a line, −1 to 1, with a random value at each integer. */
export function lineNoise(seed: number, x: number): number {
  const x0 = Math.floor(x);
  const from = lattice(hashIntegers(seed, x0));
  return from + (lattice(hashIntegers(seed, x0 + 1)) - from) * ease(x - x0);
}

/**
 * Smooth value noise in a volume, −1 to 1, with a random value at each integer point. It repeats in
 * x after `period`, an integer, as longitudes do around the Earth.
 */
export function volumeNoise(seed: number, x: number, y: number, z: number, period: number): number {
  const [x0, y0, z0] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [tx, ty, tz] = [ease(x - x0), ease(y - y0), ease(z - z0)];
  let value = 0;
  for (let corner = 0; corner < 8; corner++) {
    const [right, up, later] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const column = (((x0 + right) % period) + period) % period;
    const point = hashIntegers(hashIntegers(hashIntegers(seed, column), y0 + up), z0 + later);
    const weight = (right ? tx : 1 - tx) * (up ? ty : 1 - ty) * (later ? tz : 1 - tz);
    value += weight * lattice(point);
  }
  return value;
}
