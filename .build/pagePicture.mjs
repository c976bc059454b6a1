// npm run picture:page: draws the README's picture of the page of `vane serve --demo`, by Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { transform } from 'esbuild';

const SIZE = { width: 1000, height: 800 };

const typed = await readFile('test/support/chromium.ts', 'utf8');
const { code } = await transform(typed, { loader: 'ts', format: 'esm' });
const { openBrowser } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const server = spawn(process.execPath, ['bin/vane.js', 'serve', '--demo', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await openBrowser();
try {
  const [url] = await once(createInterface(server.stdout), 'line');
  const tab = await browser.open(url, SIZE);
  await tab.until(`document.querySelector('#map canvas')`);
  // Zoom in on Provence, where arrows and groups stand side by side, and let the tiles fade in.
  await tab.evaluate('windMap.setView([44, 5.5], 7, { animate: false }), 0');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await writeFile('.github/page.png', await tab.screenshot());
} finally {
  await browser.close();
  server.kill();
}
