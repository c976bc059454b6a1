import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPublicDocuments } from '../../../src/server/page/page.ts';
import { type RunningServer, startServer } from '../../../src/server/server.ts';
import { fixtureService, NOW } from '../../support/fixture-service.ts';

describe('documents of the server:', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      ...{ service: fixtureService, host: '127.0.0.1', port: 0, now: () => NOW },
      documents: createPublicDocuments('0.0.0'),
    });
  });
  afterAll(() => server.close());

  async function fetchBytes(path: string, coding?: string) {
    const headers = coding === undefined ? {} : { 'accept-encoding': coding };
    const [response] = (await once(get(server.baseUrl + path, { headers }), 'response')) as [
      IncomingMessage,
    ];
    return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
  }

  it.each(['/', '/coastline.txt', '/openapi.json'])(
    'the document %s of the server is compressed for clients that accept gzip',
    async (path) => {
      const [plain, gzipped, refused] = await Promise.all([
        fetchBytes(path),
        fetchBytes(path, 'br;q=1, gzip;q=0.5'),
        fetchBytes(path, 'gzip;q=0'),
      ]);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(gzipped.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
      expect(gzipped.body.length).toBeLessThan(plain.body.length / 2);
      expect(refused.body.equals(plain.body)).toBe(true);
      for (const { headers } of [plain, gzipped, refused])
        expect(headers.vary).toBe('Accept-Encoding');
    },
  );

  it('the page / with its script and Leaflet has at most 90 kB, and /coastline.txt at most 200 kB when compressed', async () => {
    const [page, coastline] = await Promise.all([
      fetchBytes('/', 'gzip'),
      fetchBytes('/coastline.txt', 'gzip'),
    ]);
    expect(page.body.length).toBeLessThan(90_000);
    expect(coastline.body.length).toBeLessThan(200_000);
    expect(coastline.headers['cache-control']).toBe('public, max-age=86400');
  });
});
