/** The sign for a missing value on the page. */
export const MISSING_VALUE_TEXT = '–';

/** Finds an element of page.html by its id, which must exist. */
export function elementById<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/**
 * Resolves a path relative to the page, so that the page also works behind a proxy with a path
 * prefix.
 */
export const resolvePath = (path: string): URL => new URL(path, location.href);

/** Writes text into an element, never as markup, since strangers may have written it. */
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
