/** Stands for a value that is missing. */
export const NOTHING = '–';

/** An element of the page by its id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export const field = (id: string) => byId<HTMLInputElement | HTMLSelectElement>(id);

/** An address relative to the page's own, so that the page works below any path. */
export const resolve = (path: string): URL => new URL(path, location.href);

/** Writes text of the service: never as markup. */
export function write(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

/** How long an answer is waited for. */
export const TIMEOUT_MS = 30_000;

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
