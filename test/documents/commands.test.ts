import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, commandsOf, isLeftOut, openDocument, ROOT, readDocument } from '../support/documents.ts';

/** With UPDATE_DOCUMENTS=1 the documents get the output that vane prints now. */
const isUpdate = process.env.UPDATE_DOCUMENTS === '1';

/** The Markdown files below a folder. */
function markdownIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).sort().map((name) => `${folder}/${name}`);
}

const DOCUMENTS = ['README.md', ...markdownIn('docs')];

describe.concurrent('the commands of a document print what it shows', () => {
  it.each(DOCUMENTS)('%s', async (path) => {
    const document = readDocument(path);
    const folder = await openDocument();
    let updated = '';
    let end = 0;
    try {
      for (const block of blocksOf(document)) {
        if (block.language !== 'sh' && block.language !== 'console') continue;
        let text = '';
        for (const { command, shown } of commandsOf(block)) {
          if (isLeftOut(command)) {
            text += `$ ${command}\n${shown}`;
            continue;
          }
          const { code, output } = await folder.run(command);
          if (isUpdate) text += `$ ${command}\n${output}`;
          else if (block.language === 'console') {
            expect(output, `${path}: ${command}`).toBe(shown);
          }
          if (block.language === 'sh') expect(code, `${path}: ${command}\n${output}`).toBe(0);
        }
        if (block.language !== 'console') continue;
        updated += document.slice(end, block.at) + text;
        end = block.at + block.text.length;
      }
    } finally {
      await folder.close();
    }
    if (isUpdate) writeFileSync(join(ROOT, path), updated + document.slice(end));
  });
});
