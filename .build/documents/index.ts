import { readFileSync } from 'node:fs';
import { commandsPage } from './commandsPage.ts';
import { manualPage } from './manualPage.ts';

export { commandsPage, manualPage };

/** The reference pages in the order of the manual page, which has commands.md in another form. */
const PAGES = [
  'formats',
  'conditions',
  'live',
  'archive',
  'statistics',
  'quality',
  'plot',
  'watch',
].concat(['http', 'configuration']);

/** The texts of the reference pages. */
export const referencePages = (): string[] =>
  PAGES.map((name) =>
    readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), 'utf8'),
  );
