import type { ChalkInstance } from 'chalk';

/** Paints nothing, whatever it is asked for; chalk itself takes its time to load. */
export const COLOURLESS: ChalkInstance = new Proxy(String as unknown as ChalkInstance, {
  // Not a promise, though it has everything.
  get: (_, name) => (name === 'then' ? undefined : COLOURLESS),
});

/** The 16 colours that every terminal theme has set to be read, or none. */
export async function loadPaint(colour: boolean): Promise<ChalkInstance> {
  if (!colour) return COLOURLESS;
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 });
}
