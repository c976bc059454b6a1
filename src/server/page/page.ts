import { createHash } from 'node:crypto';
import LEAFLET_STYLE from 'leaflet/dist/leaflet.css?text';
import COASTLINE from '../../../.build/coastline.mjs?text';
import { FORCE_COLOURS, readableInkOn, THEME_COLOURS, type Theme } from '../../domain/palette.ts';
import { escapeXml } from '../../domain/text.ts';
import { SPEED_UNIT_NAMES, SPEED_UNITS } from '../../domain/units.ts';
import OPENAPI from '../api/openapi.json' with { type: 'json' };
import type { ServerDocument, ServerDocuments } from '../edge/documents.ts';
import { JSON_TYPE } from '../edge/headers.ts';
import HTML from './page.html?text';
import SCRIPT from './script/main.ts?text';
import OWN_STYLE from './style.css?text';

const variables = (theme: Theme): string =>
  Object.entries(THEME_COLOURS[theme])
    .map(([role, colour]) => `--${role}:${colour}`)
    .join(';');

/** A CSS class for each Beaufort force: its colour, with readable text on it. */
const FORCES = FORCE_COLOURS.map(
  ({ hex }, force) => `.f${force}{background:${hex};fill:${hex};color:${readableInkOn(hex)}}`,
).join('');

const STYLE = `
${LEAFLET_STYLE}
:root{${variables('light')}}
@media(prefers-color-scheme:dark){:root{${variables('dark')}}}

${OWN_STYLE}
${FORCES}`;

/** A tile layer for the map, above its coastlines. */
export interface MapTiles {
  /** The address of a tile with the placeholders `{z}`, `{x}` and `{y}`. */
  readonly template: string;
  /** The attribution that the provider of the tiles requires. */
  readonly attribution: string;
}

/** Parts of page.html, by the comments that they replace, such as `<!--units-->`. */
const PARTS: Readonly<Record<string, string>> = {
  style: STYLE,
  script: SCRIPT,
  forces: FORCE_COLOURS.map((_, force) => `<span class="f${force}">${force}</span>`).join(''),
  units: Object.entries(SPEED_UNITS)
    .map(([unit, { label }]) => `<option value="${unit}">${label}</option>`)
    .join(''),
};

/** A Content-Security-Policy entry that allows exactly this inline text. */
const only = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = (tilesOrigin = ''): string =>
  [
    "default-src 'none'",
    "connect-src 'self'",
    `style-src ${only(STYLE)}`,
    `script-src ${only(SCRIPT)}`,
    `img-src 'self' data: ${tilesOrigin}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

/** Creates the HTML page with script, style and headers. */
export function createPage(tiles?: MapTiles) {
  const head = tiles
    ? `<meta name="tiles" content="${escapeXml(tiles.template)}" data-attribution="${escapeXml(tiles.attribution)}">`
    : '';
  const parts: typeof PARTS = { ...PARTS, tiles: head };
  const html = HTML.replace(
    /<!--(\w+)-->|\/\*(\w+)\*\//g,
    (_, element, text) => parts[element ?? text] ?? '',
  );
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(tiles && new URL(tiles.template).origin),
    'referrer-policy': 'no-referrer',
  } as const;
  return { html, headers };
}

/** Creates the OpenAPI 3.1 description of everything that the server serves. */
function openapiDocument(version: string): object {
  const document = structuredClone(OPENAPI);
  document.info.version = version;
  Object.assign(document.components.parameters.Units.schema, { enum: SPEED_UNIT_NAMES });
  return document;
}

/** Creates the public documents: the page, its coastline and the OpenAPI description. */
export function createPublicDocuments(version: string, tiles?: MapTiles) {
  const page = createPage(tiles);
  const forADay = (headers: ServerDocument['headers'], text: string): (() => ServerDocument) => {
    const body = Buffer.from(text);
    return () => ({ headers: { ...headers, 'cache-control': 'public, max-age=86400' }, body });
  };
  return {
    '/': forADay(page.headers, page.html),
    '/coastline.txt': forADay({ 'content-type': 'text/plain; charset=utf-8' }, COASTLINE),
    '/openapi.json': forADay(
      { 'content-type': JSON_TYPE },
      JSON.stringify(openapiDocument(version)),
    ),
  } satisfies ServerDocuments;
}
