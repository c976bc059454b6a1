import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { type HookServer, startHookServer } from '../support/hook-server.ts';
import { blocksOf, onePoll, useRecipeFolder } from '../support/recipes.ts';
import { scripted, station } from '../support/watching.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

const recipes = useRecipeFolder();

describe('the recipes of README.md for webhooks', () => {
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

  /** Runs a recipe with the recording server in the place of each other one. */
  async function post(recipe: string, origin: string) {
    const line = onePoll(recipe).replace(origin, hook.baseUrl);
    expect(line).toContain(hook.baseUrl);
    const { stderr } = await recipes.sh(line, {
      ...{ VANE_BASE_URL: windy.baseUrl, TELEGRAM_TOKEN: '123:abc', SLACK_HOOK: 'T0/B0/x' },
    });
    expect(stderr).toMatch(/^Data: .*$/);
    return hook.posted.splice(0);
  }

  it('post title, tags and text to ntfy', async () => {
    const [recipe = ''] = blocksOf('ntfy: a message on the phone when the wind is right', 'sh');
    const posted = await post(recipe, 'https://ntfy.sh');
    expect(posted).toMatchObject([
      {
        ...{ method: 'POST', path: '/my-wind-6k2x9' },
        headers: { title: 'Col "du" Vent: started', tags: 'dash' },
        body: expect.stringMatching(/^20 kn W, right since \d\d:\d\d$/),
      },
    ]);
  });

  const TITLE = 'Telegram, Slack and Home Assistant: messages and readings by webhook';
  it('post to Telegram, Slack and Home Assistant the json that each of them takes', async () => {
    const [telegram = '', slack = '', home = ''] = blocksOf(TITLE, 'sh');
    const text = expect.stringMatching(/^Col "du" Vent: 20 kn W, right since \d\d:\d\d$/);
    for (const [recipe, origin, path, body] of [
      [telegram, 'https://api.telegram.org', '/bot123:abc/sendMessage', { chat_id: 42, text }],
      [slack, 'https://hooks.slack.com', '/services/T0/B0/x', { text }],
    ] as const) {
      const posted = await post(recipe, origin);
      expect(posted).toMatchObject([{ path, headers: { 'content-type': 'application/json' } }]);
      expect(JSON.parse(posted[0]?.body ?? '')).toEqual(body);
    }
    const [reading] = await post(home, 'http://homeassistant.local:8123');
    const [yaml = ''] = blocksOf(TITLE, 'yaml');
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
