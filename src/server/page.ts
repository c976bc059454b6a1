import { createHash } from 'node:crypto';
import { MARKUP } from './page/markup.ts';
import { SCRIPT } from './page/script.ts';
import { STYLE } from './page/style.ts';

/** An arrow, so that browsers do not ask for `/favicon.ico`. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 1l5 14-5-4-5 4z' fill='%231a73e8'/%3E%3C/svg%3E";

/** A page that shows the stations, and how to ask for them. It brings all it needs. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wind stations</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>${MARKUP}<script>${SCRIPT}</script>
</body>
</html>
`;

/** Permission for exactly this text and no other. */
const only = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  `style-src ${only(STYLE)}`,
  `script-src ${only(SCRIPT)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
