// npm run test:node 24: runs the tests on Node 24, from the package `node` of the npm registry.
import { spawnSync } from 'node:child_process';

const [version, ...rest] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('npm run test:node takes a version of Node, such as 24.');
  process.exit(2);
}
const command = `node --version && npm run build && node node_modules/vitest/vitest.mjs run ${rest.join(' ')}`;
const { status } = spawnSync('npx', ['--yes', `--package=node@${version}`, '-c', command], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
