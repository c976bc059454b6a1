// npm run test:node 24: runs the tests on the newest Node 24, from the package `node` of the npm registry.
import { spawnSync } from 'node:child_process';

const [version, ...rest] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('npm run test:node takes a version of Node, such as 24.');
  process.exit(2);
}

/** Runs a program. @returns what it prints, if `stdout` is `pipe`. Ends with its exit code if it fails. */
function run(program, args, stdout) {
  const stdio = ['inherit', stdout, 'inherit'];
  const child = spawnSync(program, args, { stdio, encoding: 'utf8' });
  if (child.status !== 0) process.exit(child.status ?? 1);
  return child.stdout;
}

// npx runs any Node 24 in its cache, also one that is not the newest.
const releases = run('npm', ['view', `node@${version}`, 'version', '--json'], 'pipe');
const [newest] = [JSON.parse(releases)]
  .flat()
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
const tests = `node --version && npm run build && node node_modules/vitest/vitest.mjs run ${rest.join(' ')}`;
run('npx', ['--yes', `--package=node@${newest}`, '-c', tests], 'inherit');
