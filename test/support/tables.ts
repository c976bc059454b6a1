/** The cells of a document's tables whose head begins with a text, one array for each row. */
export const tables = (document: string, head: string): string[][] =>
  document
    .split(/\n(?!\|)/)
    .map((block) => block.trim())
    .filter((block) => block.startsWith(`| ${head} |`))
    .flatMap((block) => block.split('\n').slice(2))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** The texts between backquotes. */
export const codes = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code]) => code ?? '');
