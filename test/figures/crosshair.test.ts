import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIGURE_KINDS } from '../../src/figures/kinds.ts';
import { seriousFaults } from '../support/axe.ts';
import { type Browser, openBrowser, type Tab, whyNoChromium } from '../support/chromium.ts';
import { vane } from '../support/run.ts';

const noChromium = whyNoChromium();
const PHONE = { width: 390, height: 844 };
const WINDOW = { width: 1280, height: 900 };
const SHOWN = `[...document.querySelectorAll('.picture')].find((each) => each.offsetWidth > 0)`;
const NOTE = `${SHOWN}.querySelector('.on .note')?.innerText ?? ''`;

type Box = Readonly<Record<'x' | 'y' | 'width' | 'left' | 'right', number>>;

/** Readings every 10 minutes of a day whose mean grows from 10 to 24 km/h. */
const CSV = ['station,time,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading']
  .concat(
    Array.from({ length: 144 }, (_, at) => {
      const mean = 10 + at / 10;
      const time = new Date(Date.UTC(2024, 4, 1) + at * 600_000).toISOString();
      return `110,${time},${mean - 5},${mean},${mean + 9},270`;
    }),
  )
  .join('\n');

/** The reading of each hour, since axe-core takes its time over each cell of the table. */
const HOURLY = CSV.split('\n')
  .filter((_, at) => at % 6 === 0)
  .join('\n');

describe.skipIf(noChromium)('a picture as html in Chromium', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'vane-html-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });

  async function openPicture(
    kind: string,
    window: typeof PHONE,
    { stdin = CSV, change = (html: string): string => html } = {},
  ): Promise<Tab> {
    const source = kind === 'now' ? '--demo plot 110' : 'plot --from -';
    const line = `${source} --kind ${kind} -f html`;
    const { out, err } = await vane(line.split(' '), { stdin });
    expect(err).toBe('');
    const file = join(folder, `${kind}.html`);
    await writeFile(file, change(out));
    const tab = await browser.open(pathToFileURL(file).href, window);
    await tab.until(`document.readyState === 'complete' && ${SHOWN}`);
    return tab;
  }

  it.each(FIGURE_KINDS)(
    'a picture as html in Chromium fits a phone and a window, with letters of at least 11 px and no serious fault by axe-core: %s',
    async (kind) => {
      const tab = await openPicture(kind, PHONE, { stdin: HOURLY });
      await tab.evaluate(`document.querySelector('details').open = true, 0`);
      const least = `Math.min(...[...${SHOWN}.querySelectorAll('text')].map((text) =>
      Number.parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))`;
      for (const window of [PHONE, WINDOW]) {
        await tab.resize(window);
        expect(await tab.evaluate(least)).toBeGreaterThanOrEqual(11);
        expect(await seriousFaults(tab)).toEqual([]);
        expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          window.width,
        );
      }
      const bottom = `${SHOWN}.getBoundingClientRect().bottom`;
      expect(await tab.evaluate(bottom)).toBeLessThanOrEqual(WINDOW.height);
      expect(tab.reports).toEqual([]);
    },
  );

  it('a picture as html in Chromium shows the reading below the pointer with a line, and hides both when the pointer leaves', async () => {
    const tab = await openPicture('series', WINDOW);
    const { x, y, width } = await tab.evaluate<Box>(
      `${SHOWN}.querySelector('.area').getBoundingClientRect().toJSON()`,
    );
    expect(await tab.evaluate(NOTE)).toBe('');
    await tab.point([x + width / 2, y + 50]);
    await tab.until(NOTE);
    expect(await tab.evaluate(NOTE)).toMatch(
      /^2024-05-01 1[12]:\d\d\nmean 17.\d, gust 26.\d, lull 12.\d km\/h, from W/,
    );
    const line = await tab.evaluate<number>(
      `document.querySelector('.on .line').getBoundingClientRect().x`,
    );
    expect(Math.abs(line - (x + width / 2))).toBeLessThan(width / 100);
    await tab.point([x + width / 2, 5]);
    await tab.until(`!document.querySelector('.on')`);
  });

  it('the line on a picture as html in Chromium follows the arrow keys, and its reading is announced to screen readers', async () => {
    const tab = await openPicture('series', WINDOW);
    await tab.evaluate(`${SHOWN}.querySelector('.area').focus()`);
    expect(await tab.evaluate(NOTE)).toMatch(/^2024-05-01 23:50\nmean 24.3/);
    await tab.press('Home');
    expect(await tab.evaluate(NOTE)).toMatch(/^2024-05-01 00:00\nmean 10,/);
    await tab.press('ArrowRight');
    await tab.press('ArrowRight');
    await tab.press('ArrowLeft');
    expect(await tab.evaluate(NOTE)).toMatch(/^2024-05-01 00:10\nmean 10.1/);
    expect(await tab.evaluate('document.activeElement.ariaValueText')).toMatch(
      /^2024-05-01 00:10: mean 10.1/,
    );
    await tab.press('Escape');
    expect(await tab.evaluate(NOTE)).toBe('');
  });

  it('the line on a picture as html in Chromium follows a finger on a phone, within the window', async () => {
    const tab = await openPicture('series', PHONE);
    const { x, y, width } = await tab.evaluate<Box>(
      `${SHOWN}.querySelector('.area').getBoundingClientRect().toJSON()`,
    );
    for (const share of [0.1, 0.9]) {
      await tab.touch('touchStart', [x + share * width, y + 50]);
      await tab.touch('touchEnd');
      await tab.until(`(${NOTE}).includes('2024-05-01 ${share < 0.5 ? '02' : '21'}:')`);
      const box = await tab.evaluate<Box>(
        `document.querySelector('.on .note').getBoundingClientRect().toJSON()`,
      );
      expect([box.left >= 0, box.right <= 390]).toEqual([true, true]);
    }
  });

  it('a picture as html in Chromium has tooltips and a table of numbers without script', async () => {
    const change = (html: string): string => html.replace(/<script.*<\/script>/s, '');
    const tab = await openPicture('series', PHONE, { change });
    expect(await tab.evaluate(`document.querySelectorAll('.area').length`)).toBe(0);
    expect(await tab.evaluate(`${SHOWN}.querySelectorAll('rect > title').length`)).toBe(144);
    expect(await tab.evaluate(`document.querySelectorAll('tbody tr').length`)).toBe(144);
  });
});
