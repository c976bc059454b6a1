import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { expect, it } from 'vitest';
import { blocksOf } from '../support/recipes.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

it('vane serve draws pictures, and SIGTERM ends it with 0 while a picture is being drawn', async () => {
  const child = execaNode(BIN, ['serve', '--demo', '--port', '0'], {
    reject: false,
    forceKillAfterDelay: false,
    stripFinalNewline: false,
  });
  const url = String((await once(child.stdout, 'data'))[0]).trim();
  const [embedded = ''] = blocksOf('Pictures for other pages', 'html');
  const [, documented = ''] = /8080\/([^"]+)"/.exec(embedded) ?? [];
  const [svg, png, coastline] = await Promise.all(
    [documented, 'plot/110/series.png', 'coastline.txt'].map(async (path) => {
      const answer = await fetch(`${url}/${path}`);
      return { type: answer.headers.get('content-type'), body: await answer.text() };
    }),
  );
  expect(svg?.type).toBe('image/svg+xml; charset=utf-8');
  expect(svg?.body).toMatch(/^<svg .*readings.*<\/svg>\n$/s);
  expect(png).toEqual({ type: 'image/png', body: expect.stringContaining('PNG') });
  expect(coastline?.body).toMatch(/^m.*\nm.*/);
  const open = fetch(`${url}/plot/110/series.png?units=kn`);
  child.kill('SIGTERM');
  await open.catch(() => {});
  const { exitCode, stdout, stderr } = await child;
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${url}\n`, stderr: '' });
});
