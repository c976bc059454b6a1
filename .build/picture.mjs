// npm run picture: draws the README's pictures: vane in a terminal, and pictures of vane plot.
// tmux shows the screen of vane watch.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD = '--start 2026-05-10 --stop 2026-05-12';
/** Pictures of a terminal by file name, each with the command lines that it shows. */
const TERMINALS = {
  terminal: {
    title: 'vane live and vane stats in a terminal',
    commands: [
      'vane --demo live 110 603 832 1500 --knots --sort avg',
      'vane --demo stats 110 --start 2024 --stop 2025 --by season --knots',
    ],
  },
  series: {
    title: 'vane plot in a terminal',
    commands: [`vane --demo plot 832 ${PERIOD} --knots --mark 25kn`],
  },
};

/** Keys typed into vane watch, with what stands on the screen that they lead to. */
const WATCH = {
  title: 'vane watch in a terminal: a table of stations, and the last 24 hours of one',
  command: 'vane --demo watch 603 110 1500 --knots',
  screens: [
    { keys: [], shows: /1500 .*[▁-█]{9}/ },
    { keys: ['Down', 'Down', 'Enter'], shows: /Area: lull to gust/ },
  ],
};

const ESC = '\u001b';
const SGR = new RegExp(`${ESC}\\[([\\d;]*)m`);
const [CELL, LINE, MARGIN] = [8.4, 19, 20];
const [GROUND, INK] = ['#0d1117', '#e6edf3'];
const COLOURS = { 1: '#ff7b72', 2: '#7ee787', 3: '#e3b341', 5: '#d2a8ff', 6: '#76e3ea' };

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const px = (value) => String(Math.round(value * 100) / 100);

/** Changes a style of text by the codes of an SGR escape sequence, such as `38;2;255;128;0`. */
function restyle(style, codes) {
  const numbers = codes.split(';').map(Number);
  const [code] = numbers;
  if (code === 0) return numbers.length > 1 ? restyle({}, codes.replace(/^0;/, '')) : {};
  const rgb = () =>
    `#${numbers
      .slice(2)
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')}`;
  if (code === 38) return { ...style, ink: rgb() };
  if (code === 48) return { ...style, ground: rgb() };
  if (code === 39) return { ...style, ink: undefined };
  if (code === 49) return { ...style, ground: undefined };
  if (code === 1 || code === 2) return { ...style, [code === 1 ? 'isBold' : 'isDim']: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 7 || code === 27) return { ...style, isInverse: code === 7 };
  return code >= 30 && code < 38 ? { ...style, ink: COLOURS[code - 30] } : {};
}

/**
 * The parts of the lines of a terminal: each has one style, and the column in which it begins. A
 * style goes on in the next line.
 */
function readParts(lines) {
  let style = {};
  return lines.map((line) => {
    let column = 0;
    return line.split(SGR).flatMap((text, index) => {
      if (index % 2 === 1) {
        style = restyle(style, text);
        return [];
      }
      const part = { text, style, column };
      column += text.length;
      return text === '' ? [] : [part];
    });
  });
}

const drawRect = (x, y, width, height, fill) =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="${fill}"/>`;

/** Draws block and braille characters as shapes, since few fonts have them without gaps. */
function drawCharacter(character, x, top, ink) {
  const code = character.charCodeAt(0);
  if (code === 0x2580) return drawRect(x, top, CELL, LINE / 2, ink);
  if (code >= 0x2581 && code <= 0x2588) {
    const height = ((code - 0x2580) * LINE) / 8;
    return drawRect(x, top + LINE - height, CELL + 0.4, height + 0.4, ink);
  }
  const dots = code - 0x2800;
  const places = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 1],
    [1, 2],
    [0, 3],
    [1, 3],
  ];
  return places
    .filter((_, bit) => (dots >> bit) & 1)
    .map(([column, row]) =>
      drawRect(x + (column * 2 + 0.6) * (CELL / 4), top + (row + 0.25) * (LINE / 4), 2.4, 2.4, ink),
    )
    .join('');
}

/**
 * Draws a part of a terminal's line as SVG. `textLength` keeps columns in place in any fixed-width
 * font.
 */
function drawPart({ text, style, column }, top) {
  const [x, width] = [MARGIN + column * CELL, text.length * CELL];
  const [own, behind] = [style.ink ?? INK, style.ground];
  const [ink, ground] = style.isInverse ? [behind ?? GROUND, own] : [own, behind];
  // Make the background a little larger than its cells, so that no gap shows between neighbours.
  const back = ground ? drawRect(x, top, width + 0.4, LINE + 0.4, ground) : '';
  if (text.trim() === '') return back;
  if (/^[\u2580-\u2588\u2800-\u28ff ]+$/.test(text)) {
    const shapes = [...text].map((character, at) =>
      character === ' ' ? '' : drawCharacter(character, x + at * CELL, top, ink),
    );
    return back + shapes.join('');
  }
  const look = [
    `fill="${ink}"`,
    style.isBold && 'font-weight="bold"',
    style.isDim && 'opacity="0.6"',
  ];
  return `${back}<text x="${px(x)}" y="${top + 14}" textLength="${px(width)}" ${look.filter(Boolean).join(' ')}>${escapeXml(text)}</text>`;
}

const prompt = (command) => `${ESC}[32m$${ESC}[39m ${command}`;

/** The commands and what they print, as lines of a terminal. */
function runCommands(commands) {
  const env = { ...process.env, FORCE_COLOR: '3', COLUMNS: '84', LINES: '22', LANG: 'C.UTF-8' };
  const lines = commands.flatMap((command) => {
    const args = ['bin/vane.js', '--quiet', ...command.split(' ').slice(1)];
    const output = execFileSync(process.execPath, args, { encoding: 'utf8', env });
    return [prompt(command), ...output.trimEnd().split('\n'), ''];
  });
  return lines.slice(0, -1);
}

/** The screens of a program that reads keys, one below the other, as lines of a terminal. */
async function typeKeys({ command, screens }) {
  const folder = mkdtempSync(join(tmpdir(), 'vane-picture-'));
  const tmux = (...args) =>
    execFileSync('tmux', ['-u', '-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
  const variables = ['LC_ALL=C.UTF-8', 'FORCE_COLOR=3', 'COLORTERM=truecolor'];
  const vane = [process.execPath, 'bin/vane.js', ...command.split(' ').slice(1)];
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'env', ...variables, ...vane);
  const lines = [prompt(command)];
  try {
    for (const { keys, shows } of screens) {
      if (keys.length > 0) tmux('send-keys', ...keys);
      while (!shows.test(tmux('capture-pane', '-p'))) await sleep(100);
      // -N keeps the background of spaces at the end of a line.
      const screen = tmux('capture-pane', '-e', '-p', '-N').split('\n');
      while (screen.at(-1)?.replaceAll(new RegExp(SGR, 'g'), '').trim() === '') screen.pop();
      lines.push(...screen, `${ESC}[0m`);
    }
  } finally {
    tmux('kill-server');
    rmSync(folder, { recursive: true });
  }
  return lines.slice(0, -1);
}

function drawTerminal(title, lines) {
  const parts = readParts(lines);
  const columns = Math.max(
    ...parts.flat().map(({ text, column }) => column + text.trimEnd().length),
  );
  const [width, height] = [
    Math.ceil(columns * CELL) + 2 * MARGIN,
    lines.length * LINE + 2 * MARGIN,
  ];
  const body = parts.flatMap((found, row) =>
    found.map((part) => drawPart(part, MARGIN + row * LINE)),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${title}</title>
<style>text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }</style>
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
${body.filter(Boolean).join('\n')}
</svg>
`;
}

for (const [name, { title, commands }] of Object.entries(TERMINALS)) {
  writeFileSync(`.github/${name}.svg`, drawTerminal(title, runCommands(commands)));
}
writeFileSync('.github/watch.svg', drawTerminal(WATCH.title, await typeKeys(WATCH)));
const rose =
  '--quiet --demo plot 832 --start 2026-05 --stop 2026-06 --kind rose --knots --width 480 --height 520';
execFileSync(process.execPath, ['bin/vane.js', ...rose.split(' '), '-o', '.github/rose.svg']);

/** Dials of several sizes side by side, at a fixed time. */
function drawDials(sizes) {
  const clock = join(process.cwd(), 'test/support/frozen-clock.mjs');
  const env = { ...process.env, FROZEN_CLOCK: String(Date.UTC(2026, 4, 10, 12, 5)) };
  let left = 0;
  const dials = sizes.map((size) => {
    const line = `--quiet --demo plot 832 --kind now --knots --width ${size} -f svg`;
    const args = ['--import', clock, 'bin/vane.js', ...line.split(' ')];
    const svg = execFileSync(process.execPath, args, { encoding: 'utf8', env });
    const dial = svg
      .replaceAll(/(id|aria-labelledby)="title( )?/g, `$1="title${size}$2`)
      .replaceAll('description"', `description${size}"`)
      .replace('<svg ', `<svg x="${left}" y="${Math.max(...sizes) - size}" `);
    left += size + 16;
    return dial;
  });
  const title = 'Dials of the wind now';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left - 16} ${Math.max(...sizes)}" width="${left - 16}" height="${Math.max(...sizes)}">\n<title>${title}</title>\n${dials.join('')}</svg>\n`;
}

writeFileSync('.github/now.svg', drawDials([60, 100, 200]));
