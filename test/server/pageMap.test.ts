import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../../src/domain/station.ts';
import type { Documents } from '../../src/server/edge/documents.ts';
import { createDocuments } from '../../src/server/page/page.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import type { StationService } from '../../src/service/service.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { type Browser, openBrowser, type Tab, whyNoChromium } from '../support/chromium.ts';
import { fixtureService, LIVE_PROVENANCE, STATIONS } from '../support/fixture-service.ts';

const noChromium = whyNoChromium();
if (noChromium) console.log(`skipped: the map in a real browser, as ${noChromium}`);

/** Stations side by side, one on each side of the antimeridian, with a fresh measurement. */
function datelineService(): StationService {
  const [first] = STATIONS as readonly [Station];
  const data = [179.9, -179.9].map((longitude, index): Station => {
    const date = new Date().toISOString();
    return {
      ...first,
      id: index + 1,
      location: { latitude: -17, longitude, date, success: true },
      measurements: { ...first.measurements, date, wind_heading: 90 },
    };
  });
  return { ...fixtureService, liveAll: async () => ({ ...LIVE_PROVENANCE, data }) };
}

describe.skipIf(noChromium)('the web page with its map', () => {
  let browser: Browser;
  let server: RunningServer;
  let tab: Tab;
  const servers: RunningServer[] = [];

  async function serve(
    service: StationService,
    documents: Documents = createDocuments('0.0.0'),
  ): Promise<RunningServer> {
    const started = await startServer({
      ...{ service, host: '127.0.0.1', port: 0, now: Date.now },
      documents,
    });
    servers.push(started);
    return started;
  }

  async function open({ baseUrl }: RunningServer, width = 1000): Promise<Tab> {
    const opened = await browser.open(`${baseUrl}/`, { width, height: 800 });
    await opened.until(`document.getElementById('land').getAttribute('d') && viewBox()[2]`);
    return opened;
  }

  beforeAll(async () => {
    browser = await openBrowser();
    server = await serve(simulatedService(Date.now));
    const { open: openPage } = browser;
    // Define the functions by which the tests below read the page.
    browser.open = async (...args) => {
      const opened = await openPage(...args);
      await opened.until(`document.readyState === 'complete'`);
      await opened.evaluate(`{
        window.viewBox = () => (document.getElementById('chart').getAttribute('viewBox') ?? '').split(' ').map(Number);
        window.middleOf = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
      }`);
      return opened;
    };
    tab = await open(server);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers.map(({ close }) => close()));
  });

  const viewBox = (of = tab) => of.evaluate<[number, number, number, number]>('viewBox()');
  const middle = (expression: string, of = tab) =>
    of.evaluate<[number, number]>(`middleOf(${expression})`);
  const moved = (before: readonly number[]) => tab.until(`viewBox().join() !== '${before}'`);
  const CHART = `document.getElementById('chart')`;

  it('shows an arrow for each station that has a position, over a drawing of the land', async () => {
    const count = await tab.evaluate<number>(`document.querySelectorAll('#markers path').length`);
    expect(count).toBeGreaterThan(500);
    expect(await tab.evaluate(`${CHART}.getAttribute('aria-label')`)).toContain(
      `${count} stations`,
    );
    const land = await tab.evaluate<string>(`document.getElementById('land').getAttribute('d')`);
    expect(land.length).toBeGreaterThan(100_000);
    expect(land).toMatch(/^m[\dmlz,-]+z$/);
    expect(await tab.evaluate(`document.querySelectorAll('#forces span').length`)).toBe(13);
  });

  it('zooms by buttons, wheel and keys, and moves by keys and the mouse', async () => {
    const whole = await viewBox();
    await tab.evaluate(`document.getElementById('closer').click()`);
    await moved(whole);
    const closer = await viewBox();
    expect(closer[2]).toBeCloseTo(whole[2] / 1.6, 0);
    const at = await middle(CHART);
    await tab.wheel(at, -300);
    await moved(closer);
    const wheeled = await viewBox();
    expect(wheeled[2]).toBeLessThan(closer[2]);
    await tab.evaluate(`document.getElementById('map').focus()`);
    await tab.press('ArrowRight');
    await moved(wheeled);
    const right = await viewBox();
    expect([right[0] > wheeled[0], right[2]]).toEqual([true, wheeled[2]]);
    await tab.drag(at, [at[0] + 60, at[1]], [at[0] + 120, at[1] + 40]);
    await moved(right);
    const dragged = await viewBox();
    expect(dragged[0]).toBeLessThan(right[0]);
    expect(dragged[1]).toBeLessThan(right[1]);
    await tab.press('0');
    await moved(dragged);
    expect(await viewBox()).toEqual(whole);
    expect(await tab.evaluate(`document.getElementById('opened').open`)).toBe(false);
  });

  it('shows only the stations that match the filter on the map', async () => {
    const filter = (text: string) =>
      tab.evaluate(
        `{ const field = document.getElementById('filter'); field.value = '${text}'; field.dispatchEvent(new Event('input')); }`,
      );
    await filter('embruns');
    await tab.until(`document.querySelectorAll('#markers path').length < 5`);
    await filter('');
  });

  const picturesAre = `[...document.querySelectorAll('dialog img')].every((image) => image.complete && image.naturalWidth > 0)`;

  it('opens the pictures of a station by keyboard, and returns the focus to its row', async () => {
    const row = `document.querySelector('tr[data-id="1666"] button')`;
    await tab.evaluate(`${row}.focus()`);
    await tab.press('Enter');
    await tab.until(`document.getElementById('opened').open && ${picturesAre}`);
    const name = await tab.evaluate(`document.getElementById('opened-name').textContent`);
    expect(name).toBe(await tab.evaluate(`${row}.textContent`));
    expect(name).toContain('<b>');
    expect(await tab.evaluate(`document.querySelectorAll('b').length`)).toBe(0);
    await tab.press('Escape');
    await tab.until(`!document.getElementById('opened').open`);
    expect(await tab.evaluate(`document.activeElement === ${row}`)).toBe(true);
  });

  it('shows the pictures of a station in UTC where the browser does not know its time zone', async () => {
    const options = 'Intl.DateTimeFormat.prototype.resolvedOptions';
    await tab.evaluate(
      `window.known = ${options}; ${options} = () => ({ timeZone: 'Etc/Unknown' })`,
    );
    await tab.evaluate(`document.querySelector('tr[data-id="603"] td').click()`);
    await tab.until(picturesAre);
    const address = await tab.evaluate(`document.querySelector('dialog img').src`);
    expect(address).toMatch(/\/plot\/603\/.*[?&]tz=utc\b/);
    await tab.evaluate(`${options} = known; document.getElementById('close').click()`);
  });

  it('offers HTML to copy that shows the pictures of a station in a page of another origin', async () => {
    await tab.evaluate(`document.querySelector('tr[data-id="110"] td').click()`);
    await tab.until(picturesAre);
    const texts = await tab.evaluate<string[]>(
      `[...document.querySelectorAll('#opened input')].map((input) => input.value)`,
    );
    expect(texts).toHaveLength(2);
    for (const [index, kind] of ['series', 'rose'].entries()) {
      expect(texts[index]).toMatch(
        new RegExp(
          `^<img src="${server.baseUrl}/plot/110/${kind}\\.svg\\?units=kmh&amp;tz=[^"]+" alt="Wind at station 110 [^"]+">$`,
        ),
      );
    }
    const headers = { 'content-type': 'text/html' };
    const documents = { '/': () => ({ headers, body: `<!doctype html>${texts.join('')}` }) };
    const stranger = await browser.open((await serve(fixtureService, documents)).baseUrl);
    await stranger.until(
      `document.images.length === 2 && [...document.images].every((image) => image.naturalWidth > 0)`,
    );
    await tab.evaluate(`document.getElementById('close').click()`);
    await tab.show();
  });

  it('shows stations on both sides of the antimeridian side by side, and opens them by a click', async () => {
    const dateline = await open(await serve(datelineService()));
    const [, , width] = await viewBox(dateline);
    // A degree has 100 units.
    expect(width).toBeLessThan(1000);
    const chart = await dateline.evaluate<number[]>(
      `(({ left, right }) => [left, right])(${CHART}.getBoundingClientRect())`,
    );
    const places = [];
    for (const index of [0, 1]) {
      places.push(await middle(`document.querySelectorAll('#markers path')[${index}]`, dateline));
    }
    for (const [x] of places) {
      expect(x).toBeGreaterThan(chart[0] as number);
      expect(x).toBeLessThan(chart[1] as number);
    }
    expect(places[0]?.[0]).toBeLessThan(places[1]?.[0] as number);
    await dateline.drag(places[1] as [number, number]);
    await dateline.until(`document.getElementById('opened').open`);
    expect(dateline.reports.filter((report) => !report.includes('/plot/2/'))).toEqual([]);
  });

  it('fits a window 360 px wide, also while the pictures of a station are open', async () => {
    const phone = await open(server, 360);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await phone.evaluate(`document.querySelector('tr[data-id="110"] button').click()`);
    await phone.until(picturesAre);
    const width = `document.getElementById('opened')`;
    expect(await phone.evaluate(`${width}.scrollWidth <= ${width}.clientWidth`)).toBe(true);
    expect(await phone.evaluate(`document.querySelector('#series img').naturalWidth`)).toBe(400);
    expect(phone.reports).toEqual([]);
  });

  it('logs no error in the browser', () => {
    expect(tab.reports).toEqual([]);
  });
});
