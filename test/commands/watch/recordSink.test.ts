import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts';
import { vane } from '../../support/run.ts';

let server: FaultyServer;
let folder: string;
let path: string;
beforeAll(async () => {
  server = await startFaultyServer([]);
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-'));
  path = join(folder, 'wind.csv');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const watch = (...options: readonly string[]) =>
  vane(['watch', '110', '--count', '1', '-o', path, '--base-url', server.baseUrl, ...options]);

describe('vane watch -o FILE', () => {
  it('vane watch -o adds rows to a csv file that an earlier watch wrote', async () => {
    expect([(await watch()).code, (await watch()).code]).toEqual([0, 0]);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(4);
  });

  it.each([
    ['other units than the new rows', ['--knots'], /“measurements\.wind_speed_avg_kn”/],
    ['two columns fewer than the new rows', ['--when', 'avg > 0kn'], /no column.*“event”/],
    ['another format than the new rows', ['-f', 'txt'], /“id,meta\.name,/],
  ])(
    'vane watch -o leaves a csv file as it is and exits with 2 if the rows of the file have %s',
    async (_, options, text) => {
      await watch();
      const before = await readFile(path, 'utf8');
      const requests = server.requests.length;
      const { code, out, err } = await watch(...options);
      expect([code, out, server.requests.length]).toEqual([2, '', requests]);
      expect(err).toMatch(text);
      expect(err).toContain('options');
      expect(await readFile(path, 'utf8')).toBe(before);
    },
  );

  it('vane watch -o leaves a csv file as it is and exits with 2 if the new rows have two columns fewer than the file', async () => {
    await watch('--when', 'avg > 0kn');
    const { code, err } = await watch();
    expect([code, err]).toEqual([2, expect.stringMatching(/“event”.*no column/)]);
  });

  it('vane watch -o adds rows to an empty file, and to a csv file whose header lost its line end', async () => {
    await writeFile(path, '');
    await watch();
    const [header = ''] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, header);
    expect((await watch()).code).toBe(0);
    expect((await readFile(path, 'utf8')).startsWith(`${header}\n110,`)).toBe(true);
  });

  it('vane watch -o adds ndjson to a file of any content, since ndjson has no header', async () => {
    await writeFile(path, '{"id":603}\n');
    expect((await watch('-f', 'ndjson')).code).toBe(0);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3);
  });
});
