import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, commandsOf } from './support/documents.ts';
import { PASSWORD, startMosquitto, USER, whyNoMosquitto } from './support/mosquitto.ts';
import { findPort } from './support/nginx.ts';
import { example, isMissing, recipeBlocks, useRecipeFolder } from './support/recipes.ts';

const recipes = useRecipeFolder();

const UNITS = [
  ...['vane.service', 'vane-export.service', 'vane-export.timer'],
  ...['vane-mqtt.service', 'vane-watch.service'],
];

it.skipIf(isMissing('systemd', 'systemd-analyze', '--version'))(
  'systemd-analyze finds no fault in the systemd units of docs/examples',
  async () => {
    const files = UNITS.map((name) => join(recipes.folder, name));
    for (const file of files) {
      const unit = example(basename(file));
      expect(unit).toMatch(new RegExp(`^# /etc/systemd/system/${basename(file)}\n`));
      await writeFile(file, recipes.adapt(unit));
    }
    const { stderr } = await recipes.run('systemd-analyze', ['verify', '--man=no', ...files]);
    expect(stderr).toBe('');
    const [, time = ''] = /^OnCalendar=(.*)$/m.exec(example('vane-export.timer')) ?? [];
    const { stdout } = await recipes.run('systemd-analyze', ['calendar', time]);
    expect(stdout).toContain('03:15:00 UTC');
  },
);

it.skipIf(whyNoMosquitto())(
  'the unit of docs/examples for Home Assistant announces its stations to an MQTT broker',
  async () => {
    const broker = await startMosquitto();
    const unit = example('vane-mqtt.service');
    const [, command = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
    const local = recipes
      .adapt(command)
      .replace('vane@homeassistant.local', `${USER}@127.0.0.1:${broker.port}`);
    await writeFile(join(recipes.folder, 'mqtt'), PASSWORD);
    await recipes.sh(`VANE_MQTT_PASSWORD_FILE=mqtt ${local} --count 1`);
    const retained = await broker.retained();
    const [remove = ''] = recipeBlocks('home-assistant', 'sh');
    const [, topic = ''] = / -t (\S+)\n$/.exec(remove) ?? [];
    expect(JSON.parse(retained[topic] ?? '')).toMatchObject({ state_topic: 'wind/603/state' });
    expect(JSON.parse(retained['wind/603/state'] ?? '')).toMatchObject({ id: 603 });
    await broker.close();
  },
);

it.skipIf(isMissing('logrotate', 'logrotate', '--version'))(
  'logrotate accepts the configuration of docs/examples, and would rotate access.log',
  async () => {
    const conf = example('logrotate.conf');
    await writeFile(join(recipes.folder, 'logrotate.conf'), recipes.adapt(conf), { mode: 0o644 });
    await writeFile(join(recipes.folder, 'access.log'), '{}\n');
    // logrotate refuses folders that others may write to; -d only reads.
    const { stderr } = await recipes.run('logrotate', [
      ...['-d', '-f', '-s'],
      ...[join(recipes.folder, 'state'), join(recipes.folder, 'logrotate.conf')],
    ]);
    expect(stderr).not.toMatch(/^error/m);
    expect(stderr).toMatch(/renaming \S+access\.log to \S+access\.log\.1/);
    expect(stderr).toContain('systemctl kill --signal=HUP vane.service');
    expect(await readdir(recipes.folder)).not.toContain('access.log.1');
  },
);

describe('the container of docs/examples', () => {
  const dockerfile = example('container/Dockerfile');
  const compose = example('container/compose.yaml');
  /** The words of an instruction that is written as a json array. */
  const words = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} .*?(\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]');
  const [, composed = ''] = /^ {4}command: (serve .*)$/m.exec(compose) ?? [];
  const commands = [
    ['CMD', words('CMD')],
    ['compose.yaml', composed.split(' ')],
  ] as const;

  it.each(commands)(
    'the command of %s serves the port of the HEALTHCHECK, and ends with 0 when Docker stops it',
    async (_, command) => {
      const port = String(await findPort());
      const here = new Map([
        ['https://api.pioupiou.fr', recipes.env.VANE_BASE_URL],
        ['0.0.0.0', '127.0.0.1'],
        ['8081', port],
        ['9091', '0'],
      ]);
      const [vane = ''] = words('ENTRYPOINT');
      const server = recipes.run(
        vane,
        command.map((word) => here.get(word) ?? word),
      );
      const [node = '', ...check] = words('HEALTHCHECK').map((word) => word.replace('8081', port));
      const isHealthy = () =>
        recipes.run(node, check).then(
          () => true,
          () => false,
        );
      try {
        await expect.poll(isHealthy, { timeout: 30_000, interval: 200 }).toBe(true);
      } finally {
        server.kill('SIGTERM');
      }
      expect((await server).exitCode).toBe(0);
    },
    60_000,
  );

  it('keeps the cache of vane in its volume', () => {
    const [, folder = ''] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
    expect(folder).not.toBe('');
    expect(dockerfile).toMatch(new RegExp(`^ENV .*\\bVANE_CACHE_DIR=${folder}$`, 'm'));
    expect(dockerfile).toMatch(new RegExp(`^COPY .*--chown=node:node ${folder} ${folder}$`, 'm'));
    expect(compose).toContain(`"cache:${folder}"`);
  });

  it('gives nginx the address of vane in place of that of nginx.conf', async () => {
    const [, address = ''] = /ipv4_address: ([\d.]+)/.exec(compose) ?? [];
    const [, sed = ''] = /"(sed '.*?') \/vane\.conf >/.exec(compose) ?? [];
    const conf = join(recipes.folder, 'vane.conf');
    await writeFile(conf, example('nginx.conf'));
    const { stdout } = await recipes.sh(`${sed} ${conf}`);
    const [, named] = /^upstream vane \{\n {2}server (\S+);/m.exec(stdout) ?? [];
    expect(named).toBe(`${address}:8081`);
  });
});

describe('the recipes for csv', () => {
  beforeAll(async () => {
    const [block] = blocksOf('docs/recipes/pandas-and-r.md');
    for (const { command } of block ? commandsOf(block) : []) await recipes.sh(command);
  });

  /** DuckDB is optional, since it has 70 MB. */
  const DUCKDB = '@duckdb/node-api';
  const isDuckDbMissing = isMissing('DuckDB', process.execPath, '-e', `require('${DUCKDB}')`);

  it.skipIf(isDuckDbMissing)(
    'the recipe for csv lets DuckDB read the speeds as numbers',
    async () => {
      const { DuckDBInstance } = await import(/* @vite-ignore */ DUCKDB);
      const connection = await (await DuckDBInstance.create()).connect();
      const [, statement = ''] = recipeBlocks('duckdb', 'sql');
      const sql = statement.replace('wind.csv', join(recipes.folder, 'wind.csv'));
      const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
      expect(rows.length).toBe(7);
      expect(rows[1]).toMatchObject({ mean: expect.any(Number), gust: expect.any(Number) });
    },
  );

  it.skipIf(isMissing('pandas', 'python3', '-c', 'import pandas'))(
    'the recipe for csv lets pandas read the speeds as numbers',
    async () => {
      await writeFile(join(recipes.folder, 'vane_read.py'), example('vane_read.py'));
      const script = recipeBlocks('pandas-and-r', 'python').at(-1) ?? '';
      const { stdout } = await recipes.run('python3', ['-c', script]);
      expect(stdout).toMatch(/wind_speed_avg +wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d 00:00:00\+00:00 +\d+\.\d+ +\d+\.\d+/);
    },
  );

  it.skipIf(isMissing('R', 'Rscript', '--version'))(
    'the recipe for csv lets R read the speeds as numbers',
    async () => {
      await writeFile(join(recipes.folder, 'vane_read.R'), example('vane_read.R'));
      const script = recipeBlocks('pandas-and-r', 'r').at(-1) ?? '';
      const { stdout } = await recipes.run('Rscript', ['-e', script]);
      expect(stdout).toMatch(/day wind_speed_avg wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d +\d+\.\d+ +\d+\.\d+/);
    },
  );
});
