import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Tab } from './chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The faults of a page, or of a part of it, that hinder people seriously, by axe-core, each with
 * up to three elements.
 */
export async function seriousFaults(tab: Tab, part = ':root'): Promise<string[]> {
  if (!(await tab.evaluate("'axe' in window"))) await tab.evaluate(`${AXE}; undefined`);
  return tab.evaluate(
    `axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 150)).slice(0, 3)))`,
  );
}
