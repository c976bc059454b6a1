import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  commandsOf,
  DOCUMENTS,
  isLeftOut,
  NOT_RUN,
  openDocument,
  ROOT,
  readDocument,
} from '../support/documents.ts';

/** With UPDATE_DOCUMENTS=1 the documents get the output that vane prints now, and the files that they show. */
const isUpdate = process.env.UPDATE_DOCUMENTS === '1';

const commandBlocks = (path: string) =>
  blocksOf(path).filter(({ language }) => language === 'sh' || language === 'console');

const shownCommands = (path: string) => commandBlocks(path).flatMap(commandsOf);

const withCommands = DOCUMENTS.filter((path) =>
  shownCommands(path).some(({ command }) => !isLeftOut(command)),
);

/**
 * Runs the commands of a document in order. `console` shows output, of which `sh` has none.
 * @returns the document with the output that vane prints now
 */
async function runCommands(path: string): Promise<string> {
  const document = readDocument(path);
  const folder = await openDocument();
  let [updated, end] = ['', 0];
  try {
    for (const block of commandBlocks(path)) {
      let text = '';
      for (const { command, shown } of commandsOf(block)) {
        const { code, output } = isLeftOut(command)
          ? { code: 0, output: shown }
          : await folder.run(command);
        const says = `${path}: ${command}\n${output}`;
        if (block.language === 'sh') expect(code, says).toBe(0);
        else if (!isUpdate) expect(output, says).toBe(shown);
        text += `$ ${command}\n${output}`;
      }
      if (block.language === 'sh') continue;
      updated += document.slice(end, block.at) + text;
      end = block.at + block.text.length;
    }
  } finally {
    await folder.close();
  }
  return updated + document.slice(end);
}

/** Copies the files that a document shows into it. */
function refreshFiles(path: string): void {
  let document = readDocument(path);
  for (const { file, text, at } of blocksOf(path).reverse()) {
    if (!file) continue;
    document = document.slice(0, at) + readDocument(file) + document.slice(at + text.length);
  }
  writeFileSync(join(ROOT, path), document);
}

describe('a block that shows a file equals it', () => {
  const withFiles = DOCUMENTS.filter((path) => blocksOf(path).some(({ file }) => file));

  it.each(withFiles)('each block of %s that shows a file equals the file', (path) => {
    if (isUpdate) refreshFiles(path);
    for (const { file, text } of blocksOf(path)) {
      if (file) expect(text, file).toBe(readDocument(file));
    }
  });
});

// A guide starts up to fifteen programs, one after the other.
describe.concurrent('the commands of a document print what it shows', { timeout: 120_000 }, () => {
  it.each(withCommands)('each command of %s prints what the page shows', async (path) => {
    const updated = await runCommands(path);
    if (isUpdate) writeFileSync(join(ROOT, path), updated);
  });
});

it('each program whose commands the tests do not run is named in a document', () => {
  const programs = DOCUMENTS.flatMap(shownCommands).map(({ command }) => command.split(' ')[0]);
  expect(Object.keys(NOT_RUN).filter((name) => !programs.includes(name))).toEqual([]);
});
