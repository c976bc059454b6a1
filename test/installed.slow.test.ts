import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isMissing } from './support/recipes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The command lines of README.md and of the guides; recipes have tests of their own. */
const examples = ['README', 'docs/guide-pilots', 'docs/guide-researchers', 'docs/guide-operators']
  .map((name) => readFileSync(`${ROOT}${name}.md`, 'utf8'))
  .join('');
const lines = Array.from(examples.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms), ([, code]) => code)
  .join('')
  .replaceAll('\\\n', '')
  .split('\n')
  .map((line) => line.replace(/^\$ /, '').replace(/^eval "\$\((.*?)\)".*/, '$1'))
  .filter((line) => /^vane |\| vane /.test(line));
/** The line of README.md that installs vane from npm. */
const [INSTALL = ''] = /^npm install --global vane-cli$/m.exec(examples) ?? [];
const isOfServers = (line: string): boolean => /vane (?:--demo )?serve | --base-url /.test(line);
// A message would leave this machine.
const commands = lines.filter((line) => !isOfServers(line) && !line.includes(' --post '));

let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vane-installed-'));
  const prefix = join(home, 'prefix');
  const npm = { cwd: home, env: { npm_config_loglevel: 'error', npm_config_prefix: prefix } };
  const { stdout } = await execa('npm', ['pack', ROOT, '--ignore-scripts', '--json'], npm);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  // The line that users type, with the packed file in place of the name that npm looks up.
  expect(INSTALL).not.toBe('');
  await execa('sh', ['-c', INSTALL.replace('vane-cli', `./${filename}`)], npm);
  // The examples suppose the files of a clone, and the folder of a shell.
  await cp(join(ROOT, 'docs/examples'), join(home, 'docs/examples'), { recursive: true });
  await mkdir(join(home, '.config/fish/completions'), { recursive: true });
  const path = [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH];
  env = { HOME: home, PATH: path.join(delimiter), NO_PROXY: '*' };
}, 300_000);
afterAll(() => rm(home, { recursive: true }));

/** Runs a line of a shell in the empty home, with no variable of the tests. */
const sh = (line: string) =>
  execa('sh', ['-c', line], { cwd: home, env, extendEnv: false, reject: false });

it(`the package runs on Node ${process.version}, installed from the packed file in an empty home`, async () => {
  expect((await sh('node --version')).stdout).toBe(process.version);
  expect((await sh('command -v vane')).stdout).toBe(join(home, 'prefix/bin/vane'));
  expect((await sh('vane --version')).stdout).toMatch(/^\d+\.\d+\.\d+$/);
  if (isMissing('the manual page', 'man', '--version')) return;
  expect((await sh('man -w vane')).stdout).toContain(home);
});

it.each(commands)(
  'the installed vane runs, at the simulated network: %s',
  async (line) => {
    const [, compressed] = /(\S+)\.gz\b/.exec(line) ?? [];
    if (compressed) await sh(`gzip -fk ${compressed}`);
    const { exitCode, stderr } = await sh(
      line
        // Two months run the same code as the years of an example.
        .replace(/--start 202[34] --stop 2025\b/, '--start 2024-11 --stop 2025')
        .replace(/\bvane (?=(?:live|meta|archive|stats|check|plot|watch) )/, 'vane --demo ')
        .replace(/ watch (?!.* --count )/, ' watch --count 1 '),
    );
    // A watch for a condition that does not hold now ends with 7.
    expect(line.includes(' --until ') ? [0, 7] : [0], stderr).toContain(exitCode);
    const [, file] = / -o ([\w.-]+)$/.exec(line) ?? [];
    if (file) expect(existsSync(join(home, file))).toBe(true);
  },
  300_000,
);

it('the installed vane serves the simulated network, is a cache server, and reads from it', async () => {
  const running: ReturnType<typeof sh>[] = [];
  /** Starts a server on a free port. @returns its address */
  const start = async (line: string): Promise<string> => {
    const server = sh(`exec ${line.replace(/ --port \d+|$/, ' --port 0')}`);
    running.push(server);
    const printed = await Promise.race([once(server.stdout, 'data'), server]);
    expect(String(printed)).toMatch(/^http:/);
    return String(printed).trim();
  };
  try {
    let address = '';
    for (const line of lines.filter(isOfServers)) {
      const here = line.replace(/https?:\/\/\S+/, address);
      if (line.includes(' serve ')) address = await start(here);
      else expect((await sh(here)).stdout).toContain('603');
    }
    expect(running).toHaveLength(2);
  } finally {
    for (const server of running) server.kill();
    await Promise.all(running);
  }
}, 120_000);
