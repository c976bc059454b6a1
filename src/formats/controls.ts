/** The controls that JSON leaves as they are: DEL and C1, which some terminals obey. */
const LEFT_BY_JSON = /[\u007f-\u009f]/g;

/** Escapes in a JSON document what could move a terminal's cursor; the values stay the same. */
export function escapeControls(json: string): string {
  return json.replace(
    LEFT_BY_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
