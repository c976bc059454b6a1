/** Prefixes of units. Each is 1000 times the one before, or 1024 times in units such as `GiB`. */
const PREFIXES = ['', 'k', 'M', 'G', 'T'];

/**
 * Parses a number of bytes: `500MB`, `1GiB`, `1.5 GB` or a plain number.
 * @returns whole bytes; undefined for other text
 */
export function parseSize(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*(?:(?:([kmgt])(i?))?b)?$/i.exec(text);
  if (parts === null) return undefined;
  const [, number, prefix = '', binary = ''] = parts;
  const power = PREFIXES.findIndex((each) => each.toLowerCase() === prefix.toLowerCase());
  return Math.round(Number(number) * (binary === '' ? 1000 : 1024) ** power);
}

/** Formats a number of bytes in decimal units with three digits, such as `13.2 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let power = 0;
  while (value >= 999.5 && power < PREFIXES.length - 1) {
    value /= 1000;
    power++;
  }
  return `${power === 0 ? value : Number(value.toPrecision(3))} ${PREFIXES[power]}B`;
}
