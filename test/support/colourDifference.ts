type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/**
 * How people see linear sRGB: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, A
 * Physiologically-based Model for Simulation of Color Vision Deficiency, 2009, severity 1.
 */
export const EYES: Readonly<Record<string, Matrix>> = {
  'with all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'with protanopia': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'with deuteranopia': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

const times = (matrix: Matrix, [a, b, c]: Triple): Triple =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;

/** CIE L*a*b* under D65. */
function lab(hex: string, eye: Matrix): Triple {
  const seen = times(eye, linear(hex)).map((value) => Math.min(1, Math.max(0, value)));
  const [x, y, z] = times(XYZ, seen as unknown as Triple).map((value, index) => {
    const share = value / (WHITE[index] as number);
    return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const luminance = (hex: string): number => times(XYZ, linear(hex))[1];
export const contrast = (some: string, other: string): number => {
  const [dark, light] = [luminance(some), luminance(other)].sort((a, b) => a - b);
  return ((light as number) + 0.05) / ((dark as number) + 0.05);
};

/** The lightness L* of a colour to an eye, from 0 for black to 100 for white. */
export const lightness = (hex: string, eye = EYES['with all cones'] as Matrix): number =>
  lab(hex, eye)[0];

/** The ΔE (CIE 1976) of two colours to an eye. */
export function difference(some: string, other: string, eye: Matrix): number {
  const [[l, a, b], [m, c, d]] = [lab(some, eye), lab(other, eye)];
  return Math.hypot(l - m, a - c, b - d);
}
