import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { type HookServer, startHookServer } from '../support/hook-server.ts';
import { example, onePoll, recipeBlocks, useRecipeFolder } from '../support/recipes.ts';
import { scripted, station } from '../support/watching.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const recipes = useRecipeFolder();

describe('the recipes for webhooks', () => {
  let hook: HookServer;
  let windy: FaultyServer;
  beforeAll(async () => {
    hook = await startHookServer();
    windy = await startFaultyServer(
      [],
      scripted(() => [
        station({ name: 'Col "du" Vent', timeMs: Date.now() - 30_000, avg: 37.04, max: 55.56 }),
      ]),
    );
  });
  afterAll(async () => {
    await windy.close();
    await hook.close();
  });

  /** Runs a recipe with the address of the recording server in place of another origin. */
  async function post(recipe: string, origin = hook.baseUrl) {
    // The server has no history, which --for looks back at.
    const line = onePoll(recipe).replace(' --for 10m', '').replace(origin, hook.baseUrl);
    const { stderr } = await recipes.sh(line, { VANE_BASE_URL: windy.baseUrl });
    expect(stderr).toMatch(/^Data: .*$/);
    return hook.posted.splice(0);
  }

  it('the recipe for ntfy posts title, tags and text to ntfy', async () => {
    const [recipe = ''] = recipeBlocks('ntfy', 'sh');
    const posted = await post(recipe, 'https://ntfy.sh');
    expect(posted).toMatchObject([
      {
        ...{ method: 'POST', path: '/my-wind-6k2x9' },
        headers: { title: 'Col "du" Vent: started', tags: 'dash' },
        body: expect.stringMatching(/^20 kn W, right since \d\d:\d\d$/),
      },
    ]);
  });

  it('the recipes for Telegram and Slack post the json that each service expects, at an address from a file', async () => {
    const [, telegram = '', slack = ''] = recipeBlocks('ntfy', 'sh');
    const text = expect.stringMatching(/^Col "du" Vent: 20 kn W, right since \d\d:\d\d$/);
    for (const [recipe, file, body] of [
      [telegram, 'telegram-url', { chat_id: 42, text }],
      [slack, 'slack-url', { text }],
    ] as const) {
      expect(recipe).toContain(`@${file} `);
      await writeFile(join(recipes.folder, file), `${hook.baseUrl}/${file}\n`);
      const posted = await post(recipe);
      expect(posted).toMatchObject([
        { path: `/${file}`, headers: { 'content-type': 'application/json' } },
      ]);
      expect(JSON.parse(posted[0]?.body ?? '')).toEqual(body);
    }
  });

  it('the recipe for Home Assistant posts the readings that its template reads', async () => {
    const recipe =
      recipeBlocks('home-assistant', 'sh').find((line) => line.includes('--post ')) ?? '';
    const [reading] = await post(recipe, 'http://homeassistant.local:8123');
    const yaml = example('home-assistant.yaml');
    const [, webhook] = /webhook_id: (\S+)/.exec(yaml) ?? [];
    const [, value = ''] = /trigger\.json\.([\w.]+)/.exec(yaml) ?? [];
    expect(reading?.path).toBe(`/api/webhook/${webhook}`);
    const json = JSON.parse(reading?.body ?? '');
    // biome-ignore lint/suspicious/noExplicitAny: a path into JSON
    expect(value.split('.').reduce((node: any, name) => node[name], json)).toBe(37.04);
  });
});

/** The chunks of the built program that a command loads. */
async function chunksOf(...args: string[]): Promise<string> {
  const coverage = await mkdtemp(join(recipes.folder, 'coverage-'));
  const outcome = await execaNode(BIN, args, {
    cwd: recipes.folder,
    env: { NODE_V8_COVERAGE: coverage },
    reject: false,
  });
  expect(outcome.exitCode).toBe(0);
  const reports = await readdir(coverage);
  const texts = await Promise.all(reports.map((name) => readFile(join(coverage, name), 'utf8')));
  return [...texts.join('').matchAll(/"url":"file:[^"]*?((?:dist|node_modules)\/[^"]+)"/g)]
    .map(([, path]) => path)
    .join('\n');
}

it('vane watch without --post and --mqtt loads none of the packages undici, mqtt and prom-client', async () => {
  const watch = ['--demo', 'watch', '110', '--count', '1', '-f', 'ndjson'];
  const plain = await chunksOf(...watch);
  expect(plain).toMatch(/dist\/chunks\/command-/);
  expect(plain).not.toMatch(/node_modules\/(?:undici|mqtt|prom-client)\//);
});
