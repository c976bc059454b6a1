import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startMosquitto, USER, whyNoMosquitto } from './support/mosquitto.ts';
import { blocksOf, HEAVY_TITLES, isMissing, RECIPES, useRecipeFolder } from './support/recipes.ts';

const recipes = useRecipeFolder();

it.skipIf(isMissing('systemd', 'systemd-analyze', '--version'))(
  'systemd-analyze finds no fault in the systemd units of README.md',
  async () => {
    const files: string[] = [];
    const titles = [HEAVY_TITLES.server, HEAVY_TITLES.timer, HEAVY_TITLES.homeAssistant];
    for (const unit of titles.flatMap((title) => blocksOf(title, 'ini'))) {
      const [, path = ''] = /^# (\/etc\/systemd\/system\/\S+)\n/.exec(unit) ?? [];
      files.push(join(recipes.folder, basename(path)));
      await writeFile(join(recipes.folder, basename(path)), recipes.adapt(unit));
    }
    expect(files.map((file) => basename(file))).toEqual([
      ...['vane.service', 'vane-export.service', 'vane-export.timer', 'vane-mqtt.service'],
    ]);
    const { stderr } = await recipes.run('systemd-analyze', ['verify', '--man=no', ...files]);
    expect(stderr).toBe('');
    for (const [, time = ''] of RECIPES.get(HEAVY_TITLES.timer)?.matchAll(/^OnCalendar=(.*)$/gm) ??
      []) {
      expect((await recipes.run('systemd-analyze', ['calendar', time])).stdout).toContain(
        '03:15:00 UTC',
      );
    }
  },
);

it.skipIf(whyNoMosquitto())(
  'the vane watch command of README.md for Home Assistant announces its stations to an MQTT broker',
  async () => {
    const broker = await startMosquitto();
    const [unit = ''] = blocksOf(HEAVY_TITLES.homeAssistant, 'ini');
    const [, command = ''] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(unit) ?? [];
    const local = recipes
      .adapt(command)
      .replace('vane@homeassistant.local', `${USER}@127.0.0.1:${broker.port}`);
    await writeFile(join(recipes.folder, 'mqtt'), PASSWORD);
    await recipes.sh(`VANE_MQTT_PASSWORD_FILE=mqtt ${local} --count 1`);
    const retained = await broker.retained();
    const [remove = ''] = blocksOf(HEAVY_TITLES.homeAssistant, 'sh');
    const [, topic = ''] = / -t (\S+)\n$/.exec(remove) ?? [];
    expect(JSON.parse(retained[topic] ?? '')).toMatchObject({ state_topic: 'wind/603/state' });
    expect(JSON.parse(retained['wind/603/state'] ?? '')).toMatchObject({ id: 603 });
    await broker.close();
  },
);

it.skipIf(isMissing('logrotate', 'logrotate', '--version'))(
  'logrotate accepts the configuration of README.md, and would rotate access.log',
  async () => {
    const [conf = ''] = blocksOf(HEAVY_TITLES.logrotate, 'conf');
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

describe('the recipe of README.md for csv', () => {
  beforeAll(async () => {
    await recipes.sh(blocksOf(HEAVY_TITLES.csv, 'sh').join(''));
  });

  /** DuckDB is optional, since it has 70 MB. */
  const DUCKDB = '@duckdb/node-api';
  const isDuckDbMissing = isMissing('DuckDB', process.execPath, '-e', `require('${DUCKDB}')`);

  it.skipIf(isDuckDbMissing)('lets DuckDB read the speeds as numbers', async () => {
    const { DuckDBInstance } = await import(/* @vite-ignore */ DUCKDB);
    const connection = await (await DuckDBInstance.create()).connect();
    const [statement = ''] = blocksOf(HEAVY_TITLES.csv, 'sql');
    const sql = statement.replace('wind.csv', join(recipes.folder, 'wind.csv'));
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(rows[1]).toMatchObject({ mean: expect.any(Number), gust: expect.any(Number) });
  });

  it.skipIf(isMissing('pandas', 'python3', '-c', 'import pandas'))(
    'lets pandas read the speeds as numbers',
    async () => {
      const { stdout } = await recipes.run('python3', [
        '-c',
        blocksOf(HEAVY_TITLES.csv, 'python').join(''),
      ]);
      expect(stdout).toMatch(/wind_speed_avg +wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d 00:00:00\+00:00 +\d+\.\d+ +\d+\.\d+/);
    },
  );

  it.skipIf(isMissing('R', 'Rscript', '--version'))(
    'lets R read the speeds as numbers',
    async () => {
      const { stdout } = await recipes.run('Rscript', [
        '-e',
        blocksOf(HEAVY_TITLES.csv, 'r').join(''),
      ]);
      expect(stdout).toMatch(/day wind_speed_avg wind_speed_max/);
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d +\d+\.\d+ +\d+\.\d+/);
    },
  );
});
