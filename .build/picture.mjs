// npm run picture: draws the README's picture of a terminal from what vane prints, as SVG.
import { execFileSync } from 'node:child_process';

const COMMANDS = [
  'vane --demo live 110 603 832 897 1049 1500 --knots --sort avg',
  'vane --demo archive 1500 --start 25m --knots',
];

const ESC = '\u001b';
const SGR = new RegExp(`${ESC}\\[(\\d+)m`);
const [CELL, LINE, MARGIN] = [8.4, 19, 20];
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 35: '#d2a8ff', 36: '#76e3ea' };

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The parts of a line that look alike, with the column that each begins in. */
function readParts(line) {
  let [style, column] = ['', 0];
  return line.split(SGR).flatMap((text, index) => {
    if (index % 2 === 1) {
      if (text === '1') style = 'font-weight="bold"';
      else if (text === '2') style = 'opacity="0.6"';
      else style = COLOURS[text] ? `fill="${COLOURS[text]}"` : '';
      return [];
    }
    const part = { text, style, column };
    column += text.length;
    return text.trim() === '' ? [] : [part];
  });
}

/** `textLength` keeps columns in place, whatever fixed-width font the reader has. */
function drawPart({ text, style, column }, y) {
  const x = (MARGIN + column * CELL).toFixed(1);
  const width = (text.length * CELL).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${width}" ${style}>${escapeXml(text)}</text>`;
}

const lines = COMMANDS.flatMap((command) => {
  const args = ['bin/vane.js', '--quiet', '--color', ...command.split(' ').slice(1)];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return [`${ESC}[32m$${ESC}[39m ${command}`, ...output.trimEnd().split('\n'), ''];
}).slice(0, -1);

const parts = lines.map(readParts);
const columns = Math.max(...parts.flat().map(({ text, column }) => column + text.length));
const [width, height] = [Math.ceil(columns * CELL) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
const body = parts.flatMap((found, row) =>
  found.map((part) => drawPart(part, MARGIN + row * LINE + 14)),
);
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" fill="#e6edf3">
<title>vane live and vane archive in a terminal</title>
<style>text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
${body.join('\n')}
</svg>`);
