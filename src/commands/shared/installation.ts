import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, release } from 'node:os';
import { join } from 'node:path';
import about from '../../../package.json' with { type: 'json' };
import { printable } from '../../domain/text.ts';
import { type Io, showsUnicode, type Terminal, usesColour } from '../../io.ts';
import { statIfThere } from '../../output/file.ts';
import { pathOf } from '../../userFolder.ts';
import { configPath } from './config.ts';
import { cacheFolder } from './userCache.ts';

const LOCALE_VARIABLES = ['TERM', 'LC_ALL', 'LC_CTYPE', 'LANG', 'TZ'];

/** Variables that change what vane does. */
const TELLING = /^(?:VANE_\w+|(?:https?|no|all)_proxy|(?:no|force)_color|node_\w+)$/i;

/**
 * What a report of a defect should say of the installation, a line each. Of variables that may
 * hold a password, as a proxy's does, it has the names only.
 */
export async function describeInstallation(io: Io): Promise<string> {
  const { runtime, env } = io;
  const { node, v8 } = runtime.versions;
  const packages = Object.keys(about.dependencies).map(
    async (name) => `${name} ${await findVersion(name)}`,
  );
  const locale = LOCALE_VARIABLES.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const variables = Object.keys(env).filter((name) => TELLING.test(name) && env[name]);
  const facts = {
    vane: about.version,
    node: `${node} (v8 ${v8})`,
    system: `${runtime.platform} ${arch()} ${release()}`,
    packages: (await Promise.all(packages)).join(', '),
    program: runtime.packageFolder,
    cache: await describePath(pathOf(cacheFolder(io))),
    config: await describePath(configPath(io)),
    stdout: describeStream(io.stdoutTerminal, env),
    stderr: describeStream(io.stderrTerminal, env),
    locale: [...locale, showsUnicode(env) ? 'Unicode' : 'ASCII'].join(', '),
    variables: variables.length > 0 ? `${variables.sort().join(', ')} (set)` : 'none that matter',
  };
  return Object.entries(facts)
    .map(([name, fact]) => `${name.padEnd(9)} ${printable(fact)}\n`)
    .join('');
}

/** Looked up by path, as many packages do not let their package.json be required. */
async function findVersion(name: string): Promise<string> {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const text = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text).version;
  }
  return 'missing';
}

async function describePath(path: string | undefined): Promise<string> {
  if (path === undefined) return 'none, without a home';
  return `${path} (${(await statIfThere(path)) ? 'there' : 'not there'})`;
}

function describeStream(terminal: Terminal | undefined, env: Io['env']): string {
  const colour = usesColour(undefined, env, terminal) ? 'colour' : 'no colour';
  if (terminal === undefined) return `no terminal, ${colour}`;
  return `terminal of ${terminal.columns} × ${terminal.rows}, ${colour}`;
}
