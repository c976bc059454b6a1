import type { IncomingHttpHeaders } from 'node:http';

/** The longest Cache-Control that is read; those of browsers have 20 characters. */
const MAX_LENGTH = 200;

/**
 * Whether a client insists on an answer that comes from the service itself: `no-cache`, which old
 * clients say in Pragma (RFC 9111, 5.2.1.4 and 5.4).
 */
export function asksAfresh(headers: IncomingHttpHeaders): boolean {
  const { 'cache-control': control, pragma } = headers;
  if (control === undefined && pragma === undefined) return false;
  const text = control ?? pragma ?? '';
  if (text.length > MAX_LENGTH) return false;
  return text.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache');
}
