/**
 * Maximum length of a callback's name. Those in use, such as jQuery's, have under 50 characters.
 */
const MAX_NAME_LENGTH = 128;

const DOTTED_IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\[\d+\])*(?:\.[A-Za-z_$][\w$]*(?:\[\d+\])*)*$/;

/** Whether the name of a JSONP callback is a dotted identifier, which cannot contain a script. */
export function isCallbackName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && DOTTED_IDENTIFIER.test(name);
}

/**
 * Wraps a JSON document in a call of `name`. The script begins with an empty comment, so that a
 * client cannot choose the first bytes of the file. `<`, U+2028 and U+2029 are escaped, so that a
 * page can safely inline the script.
 */
export function wrapJsonp(name: string, json: string): string {
  const script = json
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `/**/ typeof ${name} === 'function' && ${name}(${script});`;
}
