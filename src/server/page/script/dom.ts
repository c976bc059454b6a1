/** The text that the page shows for a missing value. */
export const MISSING_VALUE_TEXT = '–';

/** The element of the page with an id, which page.html is sure to have. */
export function elementById<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Resolves a path against the page's address, so that the page works behind a proxy's prefix. */
export const resolvePath = (path: string): URL => new URL(path, location.href);

/** Writes text into an element, never as markup: the text may come from strangers. */
export function writeText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

/** How long the page waits for a response. */
export const RESPONSE_TIMEOUT_MS = 30_000;
