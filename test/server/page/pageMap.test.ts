import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Station } from '../../../src/domain/station.ts';
import type { ServerDocuments } from '../../../src/server/edge/documents.ts';
import { createPublicDocuments } from '../../../src/server/page/page.ts';
import { type RunningServer, startServer } from '../../../src/server/server.ts';
import type { StationService } from '../../../src/service/service.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import { seriousFaults } from '../../support/axe.ts';
import { type Browser, openBrowser, type Tab, whyNoChromium } from '../../support/chromium.ts';
import { fixtureService, LIVE_PROVENANCE, STATIONS } from '../../support/fixture-service.ts';

const noChromium = whyNoChromium();
if (noChromium) console.log(`skipped: the map in a real browser, as ${noChromium}`);

/** A network of stations with a fresh measurement, at these places, with a hostile name. */
function networkAt(...places: readonly (readonly [latitude: number, longitude: number])[]) {
  const [first] = STATIONS as readonly [Station];
  const data = places.map(([latitude, longitude], index): Station => {
    const date = new Date().toISOString();
    return {
      ...first,
      id: index + 1,
      location: { latitude, longitude, date, success: true },
      measurements: { ...first.measurements, date, wind_heading: 90 },
      status: { ...first.status, state: 'on' },
    };
  });
  const liveAll = async () => ({ ...LIVE_PROVENANCE, data });
  return { ...fixtureService, liveAll } satisfies StationService;
}

/** Stations at one place with these names. */
function networkNamed(...names: readonly string[]): StationService {
  const network = networkAt(...names.map(() => [45, 6] as const));
  return {
    ...network,
    async liveAll() {
      const response = await network.liveAll();
      const rename = (station: Station, index: number): Station => ({
        ...station,
        meta: { ...station.meta, name: names[index] ?? '' },
      });
      return { ...response, data: response.data.map(rename) };
    },
  };
}

/** Stations side by side, one on each side of the antimeridian. */
const datelineService = () => networkAt([-17, 179.7], [-17, -179.7]);

/** A few stations of the simulated network, in all conditions. */
function fewService(): StationService {
  const whole = simulatedService(Date.now);
  return {
    ...whole,
    async liveAll(options) {
      const response = await whole.liveAll(options);
      const isFew = ({ id, status }: Station) =>
        id < 60 || [110, 603, 1666].includes(id) || status.state !== 'on';
      return { ...response, data: response.data.filter(isFew) };
    },
  };
}

/** A tile server that refuses requests without a referrer (403), like that of OpenStreetMap. */
async function startTiles() {
  const referrers = new Set<string | undefined>();
  const server = createServer(({ headers: { referer } }, response) => {
    referrers.add(referer);
    if (!referer) return response.writeHead(403).end();
    const headers = { 'content-type': 'image/svg+xml' };
    return response
      .writeHead(200, headers)
      .end('<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    referrers,
    close: () => server.close().closeAllConnections(),
  };
}

describe.skipIf(noChromium)('the web page with its map', () => {
  let browser: Browser;
  let server: RunningServer;
  /** The page of all stations, in front at the start of each test. */
  let tab: Tab;
  /** The page of a few stations. */
  let few: Tab;
  let fewServer: RunningServer;
  const servers: RunningServer[] = [];

  async function serve(
    service: StationService,
    documents: ServerDocuments = createPublicDocuments('0.0.0'),
  ): Promise<RunningServer> {
    const started = await startServer({
      ...{ service, host: '127.0.0.1', port: 0, now: Date.now },
      documents,
    });
    servers.push(started);
    return started;
  }

  async function open({ baseUrl }: RunningServer, width = 1000, address = ''): Promise<Tab> {
    const opened = await browser.open(`${baseUrl}/${address}`, { width, height: 800 });
    await opened.until(`document.querySelector('#map canvas') && ${SYMBOLS}.length > 0`);
    await opened.evaluate(`window.isMoving = false;
      windMap.on('movestart', () => { isMoving = true; }).on('moveend', () => { isMoving = false; }); 0`);
    return opened;
  }

  beforeAll(async () => {
    browser = await openBrowser();
    server = await serve(simulatedService(Date.now));
    tab = await open(server);
    fewServer = await serve(fewService());
    few = await open(fewServer);
  });
  beforeEach(() => tab.show());
  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers.map(({ close }) => close()));
  });

  const SYMBOLS = `document.querySelectorAll('.leaflet-marker-icon')`;
  /** How many stations the symbols on the map stand for. */
  const COUNT = `[...${SYMBOLS}].reduce((sum, { title }) => sum + (Number(/^\\d+(?= stations)/.exec(title)) || 1), 0)`;
  const VIEW = '[windMap.getZoom(), windMap.getCenter().lat, windMap.getCenter().lng]';
  const view = (of = tab) => of.evaluate<[number, number, number]>(VIEW);
  const middle = (expression: string, of = tab) =>
    of.evaluate<[number, number]>(
      `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${expression}.getBoundingClientRect())`,
    );
  /** Waits until the map stands still at another place. */
  const moved = async (before: readonly number[], of = tab) => {
    await of.until(`!isMoving && ${VIEW}.join() !== '${before}'`);
    return view(of);
  };
  const filter = (text: string) =>
    tab.evaluate(
      `{ const field = document.getElementById('filter'); field.value = '${text}'; field.dispatchEvent(new Event('input')); }`,
    );
  const isOpen = `document.getElementById('opened').open`;

  it('the map of the web page shows most stations at first, in groups with their number and strongest force where they overlap', async () => {
    const count = await tab.evaluate<number>(COUNT);
    const total = await tab.evaluate<number>(`document.querySelectorAll('#stations tr').length`);
    expect(count / total).toBeGreaterThan(0.5);
    expect(await tab.evaluate(`${SYMBOLS}.length`)).toBeLessThan(100);
    const apart = await tab.evaluate<number>(`Math.min(...[...${SYMBOLS}].flatMap((a, i, all) =>
      all.slice(i + 1).map((b) => Math.hypot(a._leaflet_pos.x - b._leaflet_pos.x, a._leaflet_pos.y - b._leaflet_pos.y))))`);
    expect(apart).toBeGreaterThan(28);
    const groups = await tab.evaluate<string[][]>(
      `[...document.querySelectorAll('#map .group')].map((group) => [group.parentElement.title, group.textContent])`,
    );
    for (const [title, text] of groups) {
      expect(title?.replace(/^(\d+) stations, the strongest at force (\d+)$/, '$1F$2')).toBe(text);
    }
    await tab.evaluate('showAllStations()');
    await tab.until(`${COUNT} >= ${total - 2}`);
    await tab.evaluate('showMostStations()');
    await tab.until(`${COUNT} === ${count}`);
  });

  it('the map of the web page draws the land and has a legend of forces and of the symbols for calm, old and off', async () => {
    const isDrawn = `[...document.querySelectorAll('#map canvas')].some((tile) =>
      tile.getContext('2d').getImageData(0, 0, tile.width, tile.height).data.some((part) => part > 0))`;
    await tab.until(isDrawn);
    expect(await tab.evaluate(`document.querySelectorAll('#forces span').length`)).toBe(13);
    const legend = await tab.evaluate<string>(`document.getElementById('symbols').textContent`);
    expect(legend).toMatch(/calm.*old: no measurement for 45 min.*off: switched off/s);
    expect(
      await tab.evaluate(`document.querySelectorAll('#symbols :is(.calm, .old, .off)').length`),
    ).toBe(3);
  });

  it('the map of the web page zooms by buttons, wheel and keys, and moves by keys and the mouse', async () => {
    const first = await view();
    await tab.evaluate(`document.querySelector('.leaflet-control-zoom-in').click()`);
    const closer = await moved(first);
    expect(closer[0]).toBe(first[0] + 1);
    const at = await middle(`document.getElementById('map')`);
    await tab.wheel(at, -300);
    const wheeled = await moved(closer);
    expect(wheeled[0]).toBeGreaterThan(closer[0]);
    await tab.evaluate(`document.getElementById('map').focus()`);
    await tab.press('ArrowRight');
    const right = await moved(wheeled);
    expect([right[0], right[2] > wheeled[2]]).toEqual([wheeled[0], true]);
    await tab.press('+');
    const pressed = await moved(right);
    expect(pressed[0]).toBeGreaterThan(right[0]);
    const corner = [at[0] + 300, at[1] + 150] as const;
    await tab.drag(corner, [corner[0] + 60, corner[1]], [corner[0] + 120, corner[1] + 40]);
    const dragged = await moved(pressed);
    expect([dragged[1] > pressed[1], dragged[2] < pressed[2]]).toEqual([true, true]);
    await tab.press('0');
    const whole = await moved(dragged);
    expect(whole[0]).toBeLessThan(first[0]);
    expect(await tab.evaluate(isOpen)).toBe(false);
    await filter('');
    expect(await moved(whole)).toEqual(first);
  });

  it('the wheel scrolls the web page when its map is at the farthest zoom', async () => {
    await tab.evaluate('windMap.setZoom(windMap.getMinZoom(), { animate: false }), 0');
    const far = await view();
    await tab.wheel(await middle(`document.getElementById('map')`), 200);
    await tab.until('scrollY > 0');
    await tab.evaluate('scrollTo(0, 0); showMostStations()');
    await moved(far);
  });

  it('the map of the web page is moved by one finger, zoomed by two, and opens a station by a touch', async () => {
    const phone = await open(await serve(networkAt([45, 6], [45, 7])), 390);
    const [x, y] = await middle(`document.getElementById('map')`, phone);
    const before = await view(phone);
    await phone.touch('touchStart', [x, y + 60]);
    for (const step of [20, 40, 60]) await phone.touch('touchMove', [x + step, y + 60]);
    await phone.touch('touchEnd');
    const dragged = await moved(before, phone);
    expect([dragged[0], dragged[2] < before[2]]).toEqual([before[0], true]);
    await phone.touch('touchStart', [x - 80, y], [x + 80, y]);
    for (const apart of [60, 40, 20])
      await phone.touch('touchMove', [x - apart, y], [x + apart, y]);
    await phone.touch('touchEnd');
    const pinched = await moved(dragged, phone);
    expect(pinched[0]).toBeLessThan(dragged[0]);
    await phone.evaluate('showAllStations()');
    await moved(pinched, phone);
    await phone.touch('touchStart', await middle(`${SYMBOLS}[0]`, phone));
    await phone.touch('touchEnd');
    await phone.until(isOpen);
  });

  it('the map of the web page moves to the stations that the filter finds, and back when the filter is emptied', async () => {
    const before = await view();
    await filter('603');
    await moved(before);
    await tab.until(`${SYMBOLS}.length === 1`);
    const station = await tab.evaluate<{ location: { latitude: number; longitude: number } }>(
      'stations.find(({ id }) => id === 603)',
    );
    const [, latitude, longitude] = await view();
    expect(latitude).toBeCloseTo(station.location.latitude, 1);
    expect(longitude).toBeCloseTo(station.location.longitude, 1);
    await filter('');
    await tab.until(`${VIEW}.join() === '${before}'`);
  });

  it('the map of the web page zooms to the stations of a group that is clicked, or lists them where no zoom separates them', async () => {
    const twins = await open(await serve(networkAt([45, 6], [45, 6], [45.2, 6.2])));
    await twins.evaluate('windMap.setZoom(3, { animate: false }), 0');
    const group = (count: number) =>
      `[...${SYMBOLS}].find(({ title }) => title.startsWith('${count} stations'))`;
    await twins.until(group(3));
    await twins.drag(await middle(group(3), twins));
    await twins.until(`windMap.getZoom() > 3 && ${group(2)}`);
    await twins.evaluate(`${group(2)}.focus()`);
    await twins.press('Enter');
    await twins.until(`document.querySelectorAll('.choices button').length === 2`);
    expect(await seriousFaults(twins)).toEqual([]);
    // A hostile name is text there too.
    expect(await twins.evaluate(`document.activeElement.textContent`)).toContain('<b>=1+1: Mean');
    expect(await twins.evaluate(`document.querySelectorAll('b').length`)).toBe(0);
    await twins.press('Enter');
    await twins.until(isOpen);
    expect(await twins.evaluate('location.hash')).toBe('#1');
    expect(twins.reports.filter((report) => !report.includes('/plot/1/'))).toEqual([]);
  });

  it('the web page shows station names of any length and script in rows of two lines and in the list of a group, 390 and 1280 px wide', async () => {
    const names = ['A'.repeat(500), 'Long words '.repeat(40), 'abc\u202edef', '  '];
    const named = await open(await serve(networkNamed(...names)), 390);
    for (const width of [390, 1280]) {
      await named.resize({ width, height: 800 });
      const buttons = `[...document.querySelectorAll('#stations button')]`;
      expect(await named.evaluate(`${buttons}.map((button) => button.textContent)`)).toEqual([
        ...names.slice(0, 2).map((name) => `${name.slice(0, 200)}…`),
        'abc\ufffddef',
        'Station 4',
      ]);
      const lines = await named.evaluate<number[]>(
        `${buttons}.map((button) => Math.round(button.offsetHeight / Number.parseFloat(getComputedStyle(button).lineHeight)))`,
      );
      expect(lines).toEqual([2, 2, 1, 1]);
      expect(
        await named.evaluate(
          '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)',
        ),
      ).toBe(0);
      await named.evaluate(`${SYMBOLS}[0].focus()`);
      await named.press('Enter');
      await named.until(`document.querySelectorAll('.choices button').length === 4`);
      const sideOf = (selector: string, side: string) =>
        named.evaluate<number>(
          `document.querySelector('${selector}').getBoundingClientRect().${side}`,
        );
      const buttonsEnd = await sideOf('.leaflet-bar', 'right');
      await named.until(
        `document.querySelector('.leaflet-popup').getBoundingClientRect().left >= ${buttonsEnd}`,
      );
      expect(await sideOf('.leaflet-popup', 'right')).toBeLessThan(await sideOf('#map', 'right'));
      await named.press('Escape');
      await named.until(`!document.querySelector('.leaflet-popup')`);
      expect(await named.evaluate(`document.activeElement === ${SYMBOLS}[0]`)).toBe(true);
    }
    expect(named.reports).toEqual([]);
  });

  it('the web page has no map and no legend of its symbols where no station has a position', async () => {
    const { baseUrl } = await serve(networkAt());
    const empty = await browser.open(baseUrl);
    const caption = `document.getElementById('caption').textContent`;
    await empty.until(`${caption}.includes('of 0 stations, ')`);
    expect(await empty.evaluate(`document.getElementById('symbols').offsetHeight`)).toBe(0);
    const one = await open(await serve(networkNamed('Harbour')));
    expect(await one.evaluate(caption)).toBe('Latest measurements of 1 station, speeds in km/h');
  });

  it('the web page lets no text but the constants of Leaflet become HTML', async () => {
    const other = await open(await serve(networkNamed('Harbour')));
    const write = (text: string) =>
      other.evaluate<string>(
        `(() => { const node = document.createElement('p');
          try { node.innerHTML = ${JSON.stringify(text)}; } catch (error) { return error.name; }
          return node.innerHTML; })()`,
      );
    expect(await write('<b>Brest</b>')).toBe('TypeError');
    expect(await write('<span aria-hidden="true">+</span>')).toContain('+');
  });

  const picturesAre = `[...document.querySelectorAll('dialog img')].every((image) => image.complete && image.naturalWidth > 0)`;
  const openPictures = async () => {
    await few.evaluate(`location.hash = '110'`);
    await few.until(`${isOpen} && ${picturesAre}`);
  };
  const closePictures = async () => {
    await few.press('Escape');
    await few.until(`!${isOpen} && location.hash === ''`);
  };

  it('the web page opens the pictures of a station by keyboard, and returns the focus to its row', async () => {
    await few.show();
    const row = `document.querySelector('tr[data-id="1666"] button')`;
    await few.evaluate(`${row}.focus()`);
    await few.press('Enter');
    await few.until(`document.getElementById('opened').open && ${picturesAre}`);
    const name = await few.evaluate(`document.getElementById('opened-name').textContent`);
    expect(name).toBe(await few.evaluate(`${row}.textContent`));
    expect(name).toContain('<b>');
    expect(await few.evaluate(`document.querySelectorAll('b').length`)).toBe(0);
    await few.press('Escape');
    await few.until(`!document.getElementById('opened').open`);
    expect(await few.evaluate(`document.activeElement === ${row}`)).toBe(true);
  });

  it('the web page shows the pictures of a station in UTC where the browser does not know its time zone', async () => {
    await few.show();
    const options = 'Intl.DateTimeFormat.prototype.resolvedOptions';
    await few.evaluate(
      `window.known = ${options}; ${options} = () => ({ timeZone: 'Etc/Unknown' })`,
    );
    await few.evaluate(`document.querySelector('tr[data-id="603"] td').click()`);
    await few.until(picturesAre);
    const address = await few.evaluate(`document.querySelector('dialog img').src`);
    expect(address).toMatch(/\/plot\/603\/.*[?&]tz=utc\b/);
    await few.evaluate(`${options} = known; document.getElementById('close').click()`);
  });

  it('the web page offers HTML to copy that shows the pictures of a station in a page of another origin', async () => {
    await few.show();
    await few.evaluate(`document.querySelector('tr[data-id="110"] td').click()`);
    await few.until(picturesAre);
    const texts = await few.evaluate<string[]>(
      `[...document.querySelectorAll('#opened input')].map((input) => input.value)`,
    );
    const image = (kind: string, size: string) =>
      `<img src="${fewServer.baseUrl}/plot/110/${kind}\\.svg\\?units=kmh&amp;tz=[^"&]+${size}" alt="Wind at station 110 [^"]+">`;
    const codes = [
      `<a href="${fewServer.baseUrl}/#110">${image('now', '&amp;width=200')}</a>`,
      image('series', ''),
      image('rose', ''),
    ];
    expect(texts).toEqual(codes.map((code) => expect.stringMatching(`^${code}$`)));
    const headers = { 'content-type': 'text/html' };
    const documents = { '/': () => ({ headers, body: `<!doctype html>${texts.join('')}` }) };
    const stranger = await browser.open((await serve(fixtureService, documents)).baseUrl);
    await stranger.until(
      `document.images.length === 3 && [...document.images].every((image) => image.naturalWidth > 0)`,
    );
    await few.evaluate(`document.getElementById('close').click()`);
  });

  it('the web page shows the pictures of a station side by side in a wide window, where they fill the dialog', async () => {
    await tab.evaluate(`document.querySelector('tr[data-id="110"] td').click()`);
    await tab.until(picturesAre);
    const [dial, series, rose, dialog] = await tab.evaluate<
      { left: number; right: number; top: number; bottom: number; width: number }[]
    >(
      `[...document.querySelectorAll('dialog img'), document.getElementById('opened')].map((one) => one.getBoundingClientRect().toJSON())`,
    );
    if (!dial || !series || !rose || !dialog) throw new Error('The dialog lacks a picture.');
    expect(dial.bottom).toBeLessThan(series.top);
    expect([dial.width, dial.bottom - dial.top]).toEqual([200, 200]);
    expect(series.right).toBeLessThan(rose.left);
    expect(series.width + rose.width).toBeGreaterThan(0.9 * dialog.width);
    expect(Math.abs(series.top - rose.top)).toBeLessThan(2);
    expect(Math.abs(series.bottom - rose.bottom)).toBeLessThan(4);
    await tab.evaluate(`document.getElementById('close').click()`);
  });

  it('the map of the web page shows stations on both sides of the antimeridian side by side, and opens them by a click', async () => {
    const dateline = await open(await serve(datelineService()));
    const [zoom] = await view(dateline);
    expect(zoom).toBeGreaterThan(6);
    const east = `[...${SYMBOLS}].sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x).at(-1)`;
    const box = `document.getElementById('map').getBoundingClientRect()`;
    const inMap = await dateline.evaluate<number>(`[...${SYMBOLS}].filter((symbol) => {
      const { x } = symbol.getBoundingClientRect(); return x > ${box}.left && x < ${box}.right; }).length`);
    expect(inMap).toBe(2);
    await dateline.drag(await middle(east, dateline));
    await dateline.until(isOpen);
    expect(await dateline.evaluate('location.hash')).toBe('#2');
    expect(dateline.reports.filter((report) => !report.includes('/plot/2/'))).toEqual([]);
  });

  it('the web page opens the station of its address, puts an opened station into its address, and closes it by the back key', async () => {
    const shared = await open(fewServer, 1000, '#110');
    await shared.until(`${isOpen} && ${picturesAre}`);
    expect(await shared.evaluate('document.title')).toBe(
      'Plage des Embruns (simulated) – Wind stations',
    );
    await shared.press('Escape');
    await shared.until(`!${isOpen} && location.hash === ''`);
    await shared.evaluate(`document.querySelector('tr[data-id="603"] button').click()`);
    await shared.until(`${isOpen} && location.hash === '#603'`);
    await shared.evaluate('history.back()');
    await shared.until(`!${isOpen} && location.hash === ''`);
    await shared.evaluate('history.forward()');
    await shared.until(`${isOpen} && location.hash === '#603'`);
    await shared.evaluate(`document.getElementById('close').click()`);
    await shared.until(`!${isOpen} && location.hash === ''`);
    await shared.evaluate(`location.hash = 'PP110'`);
    await shared.until(isOpen);
    expect(await shared.evaluate(`document.getElementById('opened-json').href`)).toBe(
      `${fewServer.baseUrl}/v1/live/110`,
    );
    // The browser tells of a closed dialog a moment later, when another station may be open.
    await shared.evaluate(`new Promise((told) => {
      document.getElementById('opened').addEventListener('close', () => setTimeout(told, 100), { once: true });
      document.getElementById('close').click();
      document.querySelector('tr[data-id="603"] button').click();
    })`);
    expect(await shared.evaluate(`${isOpen} && location.hash`)).toBe('#603');
    await shared.evaluate(`location.hash = '999999'`);
    await shared.until(`!${isOpen}`);
    expect(await shared.evaluate(`document.getElementById('missing').textContent`)).toBe(
      'There is no station 999999.',
    );
    expect(shared.reports).toEqual([]);
  });

  it('the web page sorts by the strongest current average at first, and shows once what several names have in common', async () => {
    const rows = await tab.evaluate<[string, number | null, string][]>(
      `[...document.querySelectorAll('#stations tr')].map(({ cells }) =>
        [cells[0].textContent, Number.parseFloat(cells[1].textContent), cells[5].textContent])`,
    );
    const known = rows.filter(([, avg]) => avg !== null);
    const current = known.filter(([, , age]) => !/o(ld|ff)$/.test(age));
    expect(current.length).toBeGreaterThan(500);
    expect(known.slice(0, current.length)).toEqual(current);
    const speeds = current.map(([, avg]) => Number(avg));
    expect(speeds).toEqual(speeds.toSorted((a, b) => b - a));
    expect(rows.filter(([name]) => name.includes('simulated'))).toEqual([]);
    const caption = await tab.evaluate<string>(`document.getElementById('caption').textContent`);
    expect(caption).toMatch(/602 stations, .*; names without their ending “\(simulated\)”$/);
  });

  it('the table of the web page in a window 390 px wide has five columns in rows of at most two lines, of which nothing is cut off', async () => {
    await tab.resize({ width: 390, height: 800 });
    const shown = await tab.evaluate<string[]>(
      `[...document.querySelectorAll('[data-key]')].filter((head) => head.offsetWidth > 0).map(({ dataset }) => dataset.key)`,
    );
    expect(shown).toEqual(['name', 'avg', 'gust', 'heading', 'age']);
    expect(
      await tab.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))`,
      ),
    ).toBe(0);
    const tooHigh = await tab.evaluate<string[]>(
      `[...document.querySelectorAll('#stations :is(button, td:not(.wide))')].filter((node) => {
        const style = getComputedStyle(node);
        const lines = (node.scrollHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom)) / Number.parseFloat(style.lineHeight);
        return node.tagName === 'BUTTON' ? lines > 2.2 || node.scrollWidth > node.clientWidth : node.scrollWidth > node.clientWidth;
      }).map((node) => node.textContent)`,
    );
    expect(tooHigh).toEqual([]);
    const highest = await tab.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('#stations tr')].map(({ offsetHeight }) => offsetHeight))`,
    );
    expect(highest).toBeLessThan(55);
  });

  it('the web page with its map has no serious fault by axe-core in windows 390 and 1280 px wide, light and dark', async () => {
    await few.show();
    for (const width of [390, 1280]) {
      await few.resize({ width, height: 800 });
      for (const scheme of ['light', 'dark'] as const) {
        await few.prefer(scheme);
        expect(await seriousFaults(few)).toEqual([]);
        await openPictures();
        expect(await seriousFaults(few, '#opened')).toEqual([]);
        await closePictures();
      }
    }
  });

  it('the Tab key reaches all that can be clicked on the web page', async () => {
    const keyed = await open(await serve(datelineService()));
    const targets = `[...document.querySelectorAll('a[href], button, input, select, [role=button]')].filter((node) => node.offsetWidth > 0)`;
    await keyed.evaluate('window.reached = new Set(), 0');
    const count = await keyed.evaluate<number>(`${targets}.length`);
    expect(count).toBeGreaterThan(18);
    for (let presses = 0; presses < count + 5; presses++) {
      await keyed.press('Tab');
      await keyed.evaluate('reached.add(document.activeElement), 0');
    }
    expect(
      await keyed.evaluate(
        `${targets}.filter((node) => !reached.has(node)).map((node) => node.outerHTML)`,
      ),
    ).toEqual([]);
    expect(await keyed.evaluate(`reached.has(document.getElementById('map'))`)).toBe(true);
  });

  it('the web page with --tiles adds tiles, opens its content policy for their host alone, and sends that host its origin', async () => {
    const tiles = await startTiles();
    const documents = createPublicDocuments('0.0.0', {
      template: `${tiles.origin}/{z}/{x}/{y}.png?a=1&b="2"`,
      attribution: '© <b>Mappers</b> https://example.org/copyright',
    });
    const policy = documents['/']().headers['content-security-policy'];
    expect(policy).toMatch(new RegExp(`; img-src 'self' data: ${tiles.origin};`));
    const plain = createPublicDocuments('0.0.0')['/']().headers['content-security-policy'];
    expect(policy?.replace(` ${tiles.origin}`, '')).toBe(plain);
    const site = await serve(fixtureService, documents);
    const tiled = await open(site);
    await tiled.until(
      `[...document.querySelectorAll('img.leaflet-tile')].some(({ naturalWidth }) => naturalWidth > 0)`,
    );
    expect([...tiles.referrers]).toEqual([`${site.baseUrl}/`]);
    const credit = `document.querySelector('.leaflet-control-attribution')`;
    expect(await tiled.evaluate(`${credit}.textContent`)).toBe(
      '© <b>Mappers</b> https://example.org/copyright',
    );
    expect(await tiled.evaluate(`${credit}.querySelector('a').href`)).toBe(
      'https://example.org/copyright',
    );
    expect(tiled.reports).toEqual([]);
    tiles.close();
  });

  it('the web page with its map fits a window 360 px wide, even while the pictures of a station are open', async () => {
    await tab.resize({ width: 360, height: 800 });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await tab.evaluate(`document.querySelector('tr[data-id="110"] button').click()`);
    await tab.until(`${isOpen} && ${picturesAre}`);
    const opened = `document.getElementById('opened')`;
    expect(await tab.evaluate(`${opened}.scrollWidth <= ${opened}.clientWidth`)).toBe(true);
  });

  it('the web page opens pictures with letters of 11 to 22 px in windows 360 to 1280 px wide', async () => {
    await few.show();
    for (const width of [360, 390, 599, 600, 768, 959, 1280]) {
      await few.resize({ width, height: 800 });
      await openPictures();
      const letters = await few.evaluate<number[]>(
        `[...document.querySelectorAll('dialog img')].map((image) => (12 * image.clientWidth) / image.naturalWidth)`,
      );
      expect(Math.min(...letters), `${width} px`).toBeGreaterThan(11);
      expect(Math.max(...letters), `${width} px`).toBeLessThan(22);
      await closePictures();
    }
    expect(few.reports).toEqual([]);
  });

  it('the web page with its map logs no error in the browser', () => {
    expect(tab.reports).toEqual([]);
  });
});
