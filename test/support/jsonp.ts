const JSONP_BODY = /^\/\*\*\/ typeof (\S+) === 'function' && \1\((.*)\);$/s;

/** The JSON document inside a JSONP body; undefined for any other text. */
export function unwrapJsonp(body: string): string | undefined {
  return JSONP_BODY.exec(body)?.[2];
}
