import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS, ROOT, readDocument } from '../support/documents.ts';

const PAGES = [...DOCUMENTS, 'CONTRIBUTING.md', 'CHANGELOG.md', '.github/SECURITY.md'];

const withoutBlocks = (path: string): string => readDocument(path).replace(/^```.*?^```$/gms, '');

/** The anchors that GitHub and npm give the headings of a page. */
const anchorsOf = (path: string): string[] =>
  Array.from(withoutBlocks(path).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The links and pictures of a page, without addresses of other sites. */
const linksOf = (path: string): string[] =>
  Array.from(withoutBlocks(path).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^\w+:/.test(link),
  );

describe('links of the documents', () => {
  it.each(PAGES)('each link of %s leads to a file, and to a heading of it', (path) => {
    const broken = linksOf(path).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(ROOT + target)) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('each page of docs is linked by README.md, or by a page that README.md leads to', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      for (const link of linksOf(path)) {
        const target = normalize(join(dirname(path), link.split('#')[0] || '.'));
        if (DOCUMENTS.includes(target)) reached.add(target);
      }
    }
    const maintainers = ['docs/releasing.md'];
    expect(DOCUMENTS.filter((path) => !reached.has(path))).toEqual(maintainers);
  });
});

it.each([...PAGES, 'completions/vane.1'])(
  '%s tells no reader to install the npm package vane, which is another program than vane-cli',
  (path) => {
    const install = /\b(?:npm|pnpm|yarn|npx)\s+(?:i|install|add)\b[^\n`]*\bvane\b(?!-cli)/;
    expect(readDocument(path)).not.toMatch(install);
  },
);
