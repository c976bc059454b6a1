const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/**
 * Reads a number of bytes: `500MB`, `1GiB`, `1.5 GB` or a plain number.
 * @returns whole bytes, or undefined for other text
 */
export function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?b?)$/i.exec(text) ?? [];
  const factor = FACTORS[(unit ?? '').toLowerCase()];
  return number === undefined || factor === undefined
    ? undefined
    : Math.round(Number(number) * factor);
}

/** A number of bytes in decimal units with three digits, such as `13.2 MB`. */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
}
