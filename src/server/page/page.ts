import { createHash } from 'node:crypto';
import COASTLINE from '../../../.build/coastline.mjs?text';
import { THEMES, type Theme } from '../../domain/palette.ts';
import { SPEED_UNIT_NAMES, SPEED_UNITS } from '../../domain/units.ts';
import OPENAPI from '../api/openapi.json' with { type: 'json' };
import type { Document, Documents } from '../edge/documents.ts';
import { JSON_TYPE } from '../edge/headers.ts';
import HTML from './page.html?text';
import SCRIPT from './script/main.ts?text';
import OWN_STYLE from './style.css?text';

const variables = (theme: Theme): string =>
  Object.entries(THEMES[theme])
    .map(([role, colour]) => `--${role}:${colour}`)
    .join(';');

const STYLE = `
:root{${variables('light')}}
@media(prefers-color-scheme:dark){:root{${variables('dark')}}}
${OWN_STYLE}`;

/** Parts of page.html, each in place of the comment of its name, such as `<!--units-->`. */
const PARTS: Readonly<Record<string, string>> = {
  style: STYLE,
  script: SCRIPT,
  units: Object.entries(SPEED_UNITS)
    .map(([unit, { label }]) => `<option value="${unit}">${label}</option>`)
    .join(''),
};

/** The HTML page that shows the stations, with script and style. */
export const PAGE = HTML.replace(
  /<!--(\w+)-->|\/\*(\w+)\*\//g,
  (_, element, text) => PARTS[element ?? text] ?? '',
);

/** An entry for Content-Security-Policy that allows exactly this inline text. */
const only = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  `style-src ${only(STYLE)}`,
  `script-src ${only(SCRIPT)}`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
} as const;

/** The OpenAPI 3.1 description of all that the server answers. */
function openapiDocument(version: string): object {
  const document = structuredClone(OPENAPI);
  document.info.version = version;
  Object.assign(document.components.parameters.Units.schema, { enum: SPEED_UNIT_NAMES });
  return document;
}

/** The documents that everybody may read: the page, its coastline and the OpenAPI description. */
export function createDocuments(version: string) {
  const forADay = (headers: Document['headers'], text: string): (() => Document) => {
    const body = Buffer.from(text);
    return () => ({ headers: { ...headers, 'cache-control': 'public, max-age=86400' }, body });
  };
  return {
    '/': forADay(PAGE_HEADERS, PAGE),
    '/coastline.txt': forADay({ 'content-type': 'text/plain; charset=utf-8' }, COASTLINE),
    '/openapi.json': forADay(
      { 'content-type': JSON_TYPE },
      JSON.stringify(openapiDocument(version)),
    ),
  } satisfies Documents;
}
