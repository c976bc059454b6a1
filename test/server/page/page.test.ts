import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearestCompassPoint, windArrow } from '../../../src/domain/compass.ts';
import { printable } from '../../../src/domain/text.ts';
import { createPage } from '../../../src/server/page/page.ts';
import { startServer } from '../../../src/server/server.ts';
import { type Browser, openBrowser, type Tab, whyNoChromium } from '../../support/chromium.ts';
import { fixtureService, LIVE_PROVENANCE, NOW, STATIONS } from '../../support/fixture-service.ts';
import { sendRequest } from '../../support/http.ts';

const PAGE = createPage();

interface Site {
  readonly baseUrl: string;
  close(): Promise<void>;
}

async function listen(listener: RequestListener): Promise<Site> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The page at `/wind/`, as behind a proxy, and the interface below it. */
async function startPage(
  serviceUrl: string,
  isDown: () => boolean,
  ageSeconds: () => number,
): Promise<Site> {
  return listen(async ({ url = '' }, response) => {
    const path = url.replace(/^\/wind/, '');
    if (path === '/') return response.writeHead(200, PAGE.headers).end(PAGE.html);
    if (path === '/coastline.txt') return response.end('m0,0z\n');
    if (isDown()) {
      const body = { error_code: 'upstream_unavailable', error_message: 'It is <b>down</b>.' };
      return response.writeHead(503, { 'retry-after': '1' }).end(JSON.stringify(body));
    }
    const { status, headers, body } = await sendRequest(serviceUrl, path);
    const head = { 'content-type': headers['content-type'] ?? '', age: `${ageSeconds()}` };
    return response.writeHead(status, head).end(body);
  });
}

/** A page of somebody else's, in whose head `$` is the service. */
const startStranger = (serviceUrl: string, script: string): Promise<Site> =>
  listen((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><link rel="icon" href="data:,"><body>${script.replaceAll('$', serviceUrl)}`,
      ),
  );

const hashOf = (text: string | undefined): string =>
  `'sha256-${createHash('sha256')
    .update(text ?? '')
    .digest('base64')}'`;

describe('the web page', () => {
  it('the web page contains its style and script, and a content security policy that allows no others', () => {
    const policy = PAGE.headers['content-security-policy'];
    const inside = (tag: string) =>
      PAGE.html
        .split(`<${tag}>`)
        .slice(1)
        .map((part) => part.split(`</${tag}>`)[0]);
    expect(inside('style')).toHaveLength(1);
    expect(inside('script')).toHaveLength(1);
    expect(policy).toContain(`style-src ${hashOf(inside('style')[0])}`);
    expect(policy).toContain(`script-src ${hashOf(inside('script')[0])}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = PAGE.html.replace(inside('script')[0] ?? '', '');
    expect(html).not.toMatch(/\son\w+=|\sstyle=|(?:src|href)="(?:https?:)?\//);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default");
  });
});

const noChromium = whyNoChromium();
if (noChromium) console.log(`skipped: the page in a real browser, as ${noChromium}`);

describe.skipIf(noChromium)('in a browser', () => {
  let service: Site;
  let page: Site;
  let browser: Browser;
  let isDown = false;
  let ageSeconds = 0;

  beforeAll(async () => {
    service = await startServer({
      service: fixtureService,
      host: '127.0.0.1',
      port: 0,
      now: () => NOW,
    });
    page = await startPage(
      service.baseUrl,
      () => isDown,
      () => ageSeconds,
    );
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([page?.close(), service?.close()]);
  });

  describe('the web page', () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await browser.open(`${page.baseUrl}/wind/`);
      await tab.until(`document.querySelectorAll('#stations tr').length > 0`);
    });

    const cells = () =>
      tab.evaluate<string[][]>(
        `[...document.querySelectorAll('#stations tr')].map((tr) => [...tr.cells].map((cell) => cell.textContent))`,
      );
    const column = async (place: number) => (await cells()).map((row) => row[place]);
    const text = (id: string) =>
      tab.evaluate<string>(`document.getElementById('${id}').textContent`);
    const choose = (id: string, value: string) =>
      tab.evaluate(
        `{ const field = document.getElementById('${id}'); field.value = ${JSON.stringify(value)};
          for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true })); }`,
      );
    const click = (selector: string) =>
      tab.evaluate(`document.querySelector('${selector}').click()`);

    it('the web page shows every station, and hostile names as text', async () => {
      const shown = await cells();
      expect(shown.map((row) => row[0]).toSorted()).toEqual(
        STATIONS.map(({ meta }) => printable(meta.name)).toSorted(),
      );
      expect(await tab.evaluate(`document.querySelectorAll('b').length`)).toBe(0);
      const longAgo = expect.stringMatching(/^\d+ [dy], old$/);
      const find = (name: string) => shown.find((row) => row[0] === name);
      const from = `${windArrow(292.5)} ${nearestCompassPoint(292.5)}`;
      const pilat = ['18.5', '27.8', '9.3', from, longAgo, 'on', '110'];
      expect(find('Dune du Pilat')?.slice(1)).toEqual(pilat);
      expect(find(' Two  spaces ')?.slice(1)).toEqual(['–', '–', '–', '–', '–', '–', '41']);
      expect(find('Fixture 19')?.[4]).toBe('calm');
      const link = `[...document.links].find((link) => link.textContent === '110').href`;
      expect(await tab.evaluate(link)).toBe(`${page.baseUrl}/wind/v1/live/110`);
    });

    it('the web page credits the contributors, and says when the data are old', async () => {
      expect(await text('attribution')).toBe(LIVE_PROVENANCE.attribution);
      expect(await tab.evaluate(`document.getElementById('license').href`)).toBe(
        LIVE_PROVENANCE.license,
      );
      expect(await text('old')).toMatch(/^This data is old: .* \d+ [dy] old\.$/);
    });

    it('the web page says since when the service behind the server has not responded', async () => {
      ageSeconds = 7200;
      await tab.evaluate('refresh()');
      const since = /service .*since [\d:]+( [AP]M)?;/;
      expect(await text('old')).toMatch(since);
      ageSeconds = 60;
      await tab.evaluate('refresh()');
      expect(await text('old')).not.toContain('service');
      ageSeconds = 0;
    });

    it('the web page sorts by a click on a column head, with missing values last', async () => {
      await click('[data-key=name] button');
      await click('[data-key=avg] button');
      expect(await column(1)).toEqual(['72.5', '20.1', '18.5', '0.0', '–', '–']);
      expect(
        await tab.evaluate(`document.querySelector('[data-key=avg]').getAttribute('aria-sort')`),
      ).toBe('descending');
      await click('[data-key=avg] button');
      expect(await column(1)).toEqual(['0.0', '18.5', '20.1', '72.5', '–', '–']);
      await click('[data-key=name] button');
      expect(await tab.evaluate(`document.querySelectorAll('[aria-sort]').length`)).toBe(1);
    });

    it('the web page converts speeds and remembers the unit', async () => {
      const expected = { kn: '10.0', ms: '5.1', mph: '11.5', bft: '3', kmh: '18.5' };
      for (const [unit, speed] of Object.entries(expected)) {
        await choose('unit', unit);
        expect((await cells()).find(([name]) => name === 'Dune du Pilat')?.[1]).toBe(speed);
        expect(await tab.evaluate(`localStorage.getItem('unit')`)).toBe(unit);
      }
    });

    it('the web page shows speeds older than 45 minutes without a colour, and says that they are old', async () => {
      expect(
        await tab.evaluate(`document.querySelectorAll('#stations [class*=" f"]').length`),
      ).toBe(0);
      expect(await tab.evaluate(`document.querySelectorAll('tr.old').length`)).toBe(5);
    });

    it('the web page filters the stations by name and by id', async () => {
      await choose('filter', 'PILAT');
      expect(await column(0)).toEqual(['Dune du Pilat']);
      expect(await text('caption')).toContain('1 of 6 stations');
      await choose('filter', '603');
      expect(await column(0)).toEqual(['Taveuni']);
      await choose('filter', '');
      expect(await cells()).toHaveLength(6);
    });

    it('the web page fits a window 375 px wide without scrolling sideways', async () => {
      const phone = await browser.open(`${page.baseUrl}/wind/`, { width: 375, height: 700 });
      await phone.until(`document.querySelectorAll('#stations tr').length > 0`);
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(375);
      expect(phone.reports).toEqual([]);
    });

    it('the web page prints the whole table', async () => {
      const print = (media: string) => tab.send('Emulation.setEmulatedMedia', { media });
      await tab.send('Emulation.setDeviceMetricsOverride', {
        ...{ width: 1000, height: 300, deviceScaleFactor: 1, mobile: false },
      });
      await print('print');
      const hiddenPx = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.scroll'))`;
      expect(await tab.evaluate(hiddenPx)).toBe(0);
      await print('');
      expect(await tab.evaluate(hiddenPx)).toBeGreaterThan(0);
      await tab.send('Emulation.clearDeviceMetricsOverride');
    });

    it('the web page logs no error in the browser', () => {
      expect(tab.reports).toEqual([]);
    });

    it('the web page says when a refresh fails, and keeps showing the old data', async () => {
      isDown = true;
      await tab.evaluate('refresh()');
      expect(await text('failure')).toMatch(/^The refresh at .* failed: It is <b>down<\/b>\.$/);
      expect(await cells()).toHaveLength(6);
      isDown = false;
      // Behind the phone's tab the page is hidden, and sends no request.
      expect(await tab.evaluate('document.hidden')).toBe(true);
      await tab.evaluate('{ dueAt = 0; tick(); }');
      expect(await text('failure')).not.toBe('');
      await tab.show();
      await tab.until(`document.getElementById('failure').textContent === ''`);
      expect(await text('failure')).toBe('');
    });

    it('the web page without script says where the data are, and shows no empty table', async () => {
      const plain = await browser.open('about:blank');
      await plain.send('Emulation.setScriptExecutionDisabled', { value: true });
      await plain.send('Page.navigate', { url: `${page.baseUrl}/wind/` });
      await plain.until(`document.querySelector('noscript a')?.offsetWidth > 0`);
      expect(await plain.evaluate('document.body.innerText')).toBe(
        'Wind stations\n\nThe map and the table need JavaScript. The data do not.\n\nOpenAPI',
      );
      expect(await plain.evaluate(`document.querySelector('noscript a').href`)).toBe(
        `${page.baseUrl}/wind/v1/live/all`,
      );
    });

    it('the web page no longer shows that it is loading when the first response failed', async () => {
      isDown = true;
      const down = await browser.open(`${page.baseUrl}/wind/#110`);
      await down.until(`document.getElementById('failure').textContent`);
      isDown = false;
      const shown = await down.evaluate<string>('document.body.innerText');
      expect(shown).toContain('failed: It is <b>down</b>.');
      expect(shown).not.toMatch(/Loading|Fetched|calm|no station/);
    });
  });

  describe('a page of another origin', () => {
    const visit = async (script: string): Promise<Tab> => {
      const site = await startStranger(service.baseUrl, script);
      const tab = await browser.open(site.baseUrl);
      await tab.until('window.done');
      await site.close();
      return tab;
    };
    const ARCHIVE = '/v1/archive/110?start=last-hour&stop=now';

    it('a page of another origin reads live data, history and errors by CORS', async () => {
      const tab = await visit(`<script>
        const read = (path) => fetch('$' + path).then(async (a) => [a.status, await a.json()]);
        Promise.all(['/v1/live/110', '${ARCHIVE}', '/v1/live/404404'].map(read))
          .then((responses) => { window.responses = responses; })
          .finally(() => { window.done = true; });
      </script>`);
      const [live, archive, missing] =
        await tab.evaluate<[number, Record<string, unknown>][]>('window.responses');
      expect(live).toMatchObject([200, { data: { meta: { name: 'Dune du Pilat' } } }]);
      expect(archive?.[0]).toBe(200);
      expect(archive?.[1].data).toHaveLength(12);
      expect(missing).toMatchObject([404, { error_code: 'station_not_found' }]);
      expect(tab.reports).toEqual([expect.stringContaining('404')]);
    });

    it('a page of another origin may send requests with its own header fields', async () => {
      const tab = await visit(`<script>
        fetch('$/v1/live/110', { headers: { 'x-own': '1' } })
          .then((response) => { window.status_ = response.status; })
          .finally(() => { window.done = true; });
      </script>`);
      expect(await tab.evaluate('window.status_')).toBe(200);
    });

    it('a page of another origin reads live data and history by JSONP', async () => {
      const tab = await visit(`<script>
          const responses = [];
          function show(response) { responses.push(response); window.done = responses.length === 2; }
        </script>
        <script src="$/v1/live/7?callback=show"></script>
        <script src="$${ARCHIVE}&callback=window.show"></script>`);
      const [live, archive] = await tab.evaluate<{ data: unknown }[]>('responses');
      expect(live?.data).toMatchObject({ id: 7, meta: { name: STATIONS[0]?.meta.name } });
      expect(archive?.data).toHaveLength(12);
      expect(tab.reports).toEqual([]);
    });
  });
});
