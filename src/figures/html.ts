import { THEMES, type Theme } from '../domain/palette.ts';
import type { Figure, FigureTable } from './figure.ts';
import { escapeXml, writeSvg } from './svg.ts';

/** Writes a picture and a table of its numbers as one HTML page, which needs no other files. */
export function writeHtml(figure: Figure, { theme }: { readonly theme: Theme | 'both' }): string {
  const { title, table } = figure;
  const scheme = theme === 'both' ? 'light dark' : theme;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<title>${escapeXml(title)}</title>
<style>${pageStyle(theme)}</style>
<main>
${writeSvg(figure, { theme, isFluid: true })}<details>
<summary>Numbers</summary>
<div>${writeTable(table, title)}</div>
</details>
</main>
</html>
`;
}

function pageStyle(theme: Theme | 'both'): string {
  const colours = (name: Theme): string =>
    `body{background:${THEMES[name].background};color:${THEMES[name].ink}}`;
  const rest =
    'body{margin:1rem;font:1rem system-ui,sans-serif}main{max-width:80rem;margin:auto}main>svg{width:100%;height:auto}div{overflow:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:start}th,td{padding:.1rem .6rem;text-align:start}';
  if (theme !== 'both') return rest + colours(theme);
  return `${rest}${colours('light')}@media (prefers-color-scheme:dark){${colours('dark')}}`;
}

function writeTable({ head, rows }: FigureTable, title: string): string {
  const headCells = head.map((name) => `<th scope="col">${escapeXml(name)}</th>`).join('');
  const lines = rows.map((row) => {
    const cells = row.map((text, column) =>
      column === 0 ? `<th scope="row">${escapeXml(text)}</th>` : `<td>${escapeXml(text)}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table>
<caption>${escapeXml(title)}</caption>
<thead><tr>${headCells}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`;
}
