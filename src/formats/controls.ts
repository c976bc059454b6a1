/**
 * What JSON leaves as it is though terminals obey it: DEL and C1, line separators, and the marks
 * that reorder text.
 */
const LEFT_BY_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes in a JSON document what could move a terminal's cursor; the values stay the same. */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
