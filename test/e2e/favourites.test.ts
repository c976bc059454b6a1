import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { NOW } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';
import { expectAnswer, type Question, runInShell } from '../support/question.ts';

const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;

let folder: string;
let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
  folder = await mkdtemp(join(tmpdir(), 'vane-favourites-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const answer = async (line: string, expected: Omit<Question, 'rule' | 'line'>): Promise<void> => {
  const outcome = await runInShell(line, folder, {
    ...{ VANE_CONFIG: join(folder, 'config.json'), VANE_CACHE_DIR: join(folder, 'cache') },
    ...{ VANE_BASE_URL: server.baseUrl, NODE_OPTIONS: `--import=${FAST_CLOCK}` },
    ...{ FAST_CLOCK_SPEED: '600', FAST_CLOCK_START: String(NOW) },
  });
  expectAnswer(outcome, expected);
};

it('a favourite gets a condition, which live marks, and of which watch tells --exec', async () => {
  await answer("vane config set favourites.dune.when 'avg > 9kn'", {
    status: 2,
    stderr: naming('dune', 'vane config set favourites.dune 110'),
  });
  await answer('vane config set favourites.dune 110 -q && vane config set favorites.isle 603 -q', {
    status: 0,
  });
  await answer("vane config set favourites.dune.when 'avg > 9 knots and dirr in W..N'", {
    status: 2,
    stderr: naming('favourites.dune.when', '“dirr”', `\n${' '.repeat(20)}^\n`),
  });
  await answer("vane config set favorites.dune.when 'avg > 9kn and dir in W..N' -q", { status: 0 });
  await answer('vane live favourites -q', {
    status: 0,
    stdout: /^ *id .* when .*\n110 .* yes .*\n603 (?!.* (?:yes|no|–) +on).*\n$/,
  });
  const exec = `--exec 'echo "$VANE_NAME: $VANE_EVENT: $VANE_CONDITION"'`;
  await answer(`vane watch favorites --count 1 --events -f csv -q ${exec} | cut -d, -f1,17-`, {
    status: 0,
    stdout: 'id,event,condition\n110,true,avg > 9kn and dir in W..N\n',
    stderr: 'Dune du Pilat: true: avg > 9kn and dir in W..N\n',
  });
});

it('a faulty condition of a favourite, written into the config file, fails only commands that use it', async () => {
  const favourites = { dune: { station: 110, when: 'avg > 9knn' }, isle: 603 };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ favourites }));
  const refused = {
    status: 2,
    stdout: '',
    stderr: naming(join(folder, 'config.json'), 'favourites.dune.when', '“knn”', '\n         ^\n'),
  };
  const before = server.requests.length;
  await answer('vane live favourites', refused);
  await answer('vane watch dune --count 1', refused);
  expect(server.requests).toHaveLength(before);
  await answer('vane live 110 -q', { status: 0, stdout: /^110 /m });
  await answer('vane watch isle --count 1 -q', { status: 0, stdout: /^\{"id":603/ });
});
