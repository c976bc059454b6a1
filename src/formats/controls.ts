/**
 * Control characters that JSON does not escape: DEL and C1, line separators, and the marks that
 * reorder text.
 */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes the control characters of a JSON document, for terminals; its values stay the same. */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
