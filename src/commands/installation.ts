import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, release } from 'node:os';
import { join } from 'node:path';
import about from '../../package.json' with { type: 'json' };
import { printable } from '../domain/text.ts';
import { configPath } from '../flags/config.ts';
import { type Io, showsUnicode, type Terminal, usesColour } from '../io.ts';
import { cacheFolder } from '../session/userCache.ts';
import { pathOf } from '../userFolder.ts';

const LOCALE_VARIABLES = ['TERM', 'LC_ALL', 'LC_CTYPE', 'LANG', 'TZ'];

/** Environment variables that change the behaviour of vane. */
const TELLING = /^(?:VANE_\w+|(?:https?|no|all)_proxy|(?:no|force)_color|node_\w+)$/i;

/**
 * Facts about the installation for a bug report, one a line. Environment variables appear by name
 * only: the address of a proxy may hold a password.
 */
export function describeInstallation(io: Io): string {
  const { runtime, env } = io;
  const { node, v8 } = runtime.versions;
  const packages = Object.keys(about.dependencies).map((name) => `${name} ${findVersion(name)}`);
  const locale = LOCALE_VARIABLES.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const variables = Object.keys(env).filter((name) => TELLING.test(name) && env[name]);
  const facts = {
    vane: about.version,
    node: `${node} (v8 ${v8})`,
    system: `${runtime.platform} ${arch()} ${release()}`,
    packages: packages.join(', '),
    program: runtime.packageFolder,
    cache: describePath(pathOf(cacheFolder(io))),
    config: describePath(configPath(io)),
    stdout: describeStream(io.stdoutTerminal, env),
    stderr: describeStream(io.stderrTerminal, env),
    locale: [...locale, showsUnicode(env) ? 'Unicode' : 'ASCII'].join(', '),
    variables: variables.length > 0 ? `${variables.sort().join(', ')} (set)` : 'none that matter',
  };
  return Object.entries(facts)
    .map(([name, fact]) => `${name.padEnd(9)} ${printable(fact)}\n`)
    .join('');
}

/** Reads the package.json of a package by its path: many packages do not export it. */
function findVersion(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync);
  return file === undefined ? 'missing' : JSON.parse(readFileSync(file, 'utf8')).version;
}

function describePath(path: string | undefined): string {
  if (path === undefined) return 'none, without a home';
  return `${path} (${existsSync(path) ? 'there' : 'not there'})`;
}

function describeStream(terminal: Terminal | undefined, env: Io['env']): string {
  const colour = usesColour(undefined, env, terminal) ? 'colour' : 'no colour';
  if (terminal === undefined) return `no terminal, ${colour}`;
  return `terminal of ${terminal.columns} × ${terminal.rows}, ${colour}`;
}
