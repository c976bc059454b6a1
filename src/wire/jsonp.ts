/** Longest callback name taken; real ones (jQuery's among them) stay under 50. */
const MAX_NAME_LENGTH = 128;

const DOTTED_IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\[\d+\])*(?:\.[A-Za-z_$][\w$]*(?:\[\d+\])*)*$/;

/** Whether a JSONP callback name is a dotted identifier, and so cannot carry a script of its own. */
export function isCallbackName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && DOTTED_IDENTIFIER.test(name);
}

/**
 * Wraps a JSON document in a call to `name`. The empty comment keeps a page's own bytes from
 * standing first in the file; `<` and the two line separators are escaped, so the script stays
 * inert where a page inlines it.
 */
export function wrapJsonp(name: string, json: string): string {
  const script = json
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `/**/ typeof ${name} === 'function' && ${name}(${script});`;
}

const JSONP_BODY = /^\/\*\*\/ typeof (\S+) === 'function' && \1\((.*)\);$/s;

/** The JSON document inside a JSONP body, or undefined for any other text. */
export function unwrapJsonp(body: string): string | undefined {
  return JSONP_BODY.exec(body)?.[2];
}
