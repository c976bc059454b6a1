import { THEME_COLOURS, type Theme } from '../domain/palette.ts';
import { escapeXml } from '../domain/text.ts';
import type { Figure, FigureTable } from './figure.ts';
import CROSSHAIR from './script/crosshair.ts?text';
import { writeSvg } from './svg.ts';

/**
 * Writes a picture and a table of its numbers as one self-contained HTML page.
 * @param narrow a second picture for narrow windows, where the first one's letters would be too
 *   small
 */
export function writeHtml(
  figure: Figure,
  narrow: Figure | undefined,
  { theme }: { readonly theme: Theme | 'both' },
): string {
  const { title, table } = figure;
  const scheme = theme === 'both' ? 'light dark' : theme;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<title>${escapeXml(title)}</title>
<style>${pageStyle(theme)}${narrow ? chooseBy(figure.width) : ''}</style>
<main>
${writePicture(figure, 'wide', theme)}${narrow ? writePicture(narrow, 'narrow', theme) : ''}<details>
<summary>Numbers</summary>
<div tabindex="0" role="region" aria-label="Numbers">${writeTable(table, title)}</div>
</details>
</main>
${hasPoints(figure) ? `<script type="module">\n${CROSSHAIR}</script>\n` : ''}</html>
`;
}

/** Whether the picture has points for the crosshair. */
const hasPoints = ({ marks }: Figure): boolean =>
  marks.some((mark) => mark.kind === 'rectangle' && mark.panel !== undefined);

function writePicture(figure: Figure, name: 'wide' | 'narrow', theme: Theme | 'both'): string {
  const shape = Math.round((1000 * figure.width) / figure.height) / 1000;
  const prefix = name === 'narrow' ? 'narrow-' : '';
  const svg = writeSvg(figure, { theme, isFluid: true, prefix });
  return `<div class="picture ${name}" style="--shape:${shape}">\n${svg}</div>\n`;
}

/**
 * Creates the CSS that shows the narrow picture if the letters of the wide one, normally 12 px
 * high, would shrink below 11 px.
 */
function chooseBy(width: number): string {
  const most = Math.ceil((width * 11) / 12) + 32;
  return `.narrow{display:none}@media (max-width:${most}px){.wide{display:none}.narrow{display:block}}`;
}

function pageStyle(theme: Theme | 'both'): string {
  const colours = (name: Theme): string =>
    `body{background:${THEME_COLOURS[name].background};color:${THEME_COLOURS[name].ink}}`;
  const rest =
    'body{margin:1rem;font:1rem system-ui,sans-serif}main{max-width:80rem;margin:auto}' +
    '.picture{position:relative;margin:auto;width:min(100%,calc((100vh - 5rem)*var(--shape)))}.picture.narrow{width:min(100%,36rem)}.picture>svg{display:block;width:100%;height:auto}' +
    '.area{position:absolute;touch-action:pan-y;cursor:crosshair}.line,.note{position:absolute;display:none;pointer-events:none}.on>*{display:block}.line{top:0;bottom:0;border-left:1px solid}.note{top:0;margin:0 .4rem;padding:.2rem .4rem;max-width:60%;width:max-content;background:Canvas;border:1px solid;font-size:.8rem}' +
    'details>div{overflow:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:start}th,td{padding:.1rem .6rem;text-align:start}';
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
