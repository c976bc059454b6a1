const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and query of a request target, for the router. Clients behind `http_proxy` send the
 * absolute form, with `http://` and host. A path with broken percent-encoding is taken literally,
 * so that the client gets one of the interface's own errors.
 */
export function readTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target;
  const origin = target.replace(ABSOLUTE_FORM, '');
  const [path = ''] = origin.split(/[?#]/, 1);
  const rest = origin.slice(path.length);
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return (isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')) + rest;
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
