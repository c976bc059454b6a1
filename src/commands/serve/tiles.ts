import { UsageError } from '../../errors.ts';
import type { MapTiles } from '../../server/page/page.ts';

/**
 * Matches the address of a tile: one fixed host, which the page's Content-Security-Policy can name,
 * and placeholders such as `{z}`.
 */
const TEMPLATE = /^https?:\/\/[\w.-]+(?::\d{1,5})?\/(?:[^\s{}]|\{[zxyr]\})+$/i;
const PLACES = ['{z}', '{x}', '{y}'] as const;

/**
 * Reads `--tiles` and `--tiles-attribution`, which are only valid together.
 * @returns undefined for a map with coastlines only
 * @throws UsageError
 */
export function readMapTiles(
  template: string | undefined,
  attribution: string | undefined,
): MapTiles | undefined {
  if (template === undefined && attribution === undefined) return undefined;
  if (template === undefined) {
    throw new UsageError(
      '--tiles-attribution needs --tiles with the address of the tiles; add it.',
    );
  }
  if (attribution === undefined || attribution.trim() === '') {
    throw new UsageError(
      '--tiles needs --tiles-attribution with the attribution that the provider of the tiles requires; add it.',
    );
  }
  const isFull = PLACES.every((place) => template.includes(place));
  if (!isFull || !TEMPLATE.test(template) || !URL.canParse(template)) {
    throw new UsageError(
      `--tiles takes an http or https address with {z}, {x} and {y}, and {r} for high resolution, such as https://tiles.example/{z}/{x}/{y}.png, not “${template}”.`,
    );
  }
  return { template, attribution };
}
