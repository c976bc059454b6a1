import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { formatNames, STATION_FORMATS } from '../../src/formats/index.ts';
import { LIVE_PROVENANCE, STATIONS } from '../support/fixture-service.ts';
import { vane } from '../support/run.ts';

it.each(formatNames(STATION_FORMATS))(
  'vane live -f %s exits with 4 and an error about the nesting when a field of the response is nested 5,000 levels deep',
  async (format) => {
    const station = { ...STATIONS[3], note: 4711 };
    const text = JSON.stringify({ ...LIVE_PROVENANCE, data: station });
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const server = createServer((_, response) => response.end(text.replace('4711', deep)));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const args = ['live', '110', '-f', format, '--base-url', `http://127.0.0.1:${port}`];
    const { code, err } = await vane(args);
    server.closeAllConnections();
    server.close();
    expect([code, err]).toEqual([4, expect.stringMatching(/^vane: .*nested/)]);
  },
);
