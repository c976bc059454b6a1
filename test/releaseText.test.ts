import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../.build/releaseText.mjs', import.meta.url));
const CHANGELOG = `# Changelog

## [1.1.0] - 2026-12-01

### Output

- csv in a pipe.

## [1.0.0] - 2026-11-23

First release.
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-release-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function releaseText(tag: string, version: string, changelog = CHANGELOG) {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version }));
  await writeFile(join(folder, 'CHANGELOG.md'), changelog);
  return execa(process.execPath, [SCRIPT, tag], { cwd: folder, reject: false });
}

it('the text of a release is the section of its version, without the heading', async () => {
  const { stdout } = await releaseText('v1.1.0', '1.1.0');
  expect(stdout).toBe('### Output\n\n- csv in a pipe.');
  expect((await releaseText('v1.0.0', '1.0.0')).stdout).toBe('First release.');
});

it('a tag of another version than that of package.json makes no release', async () => {
  const { exitCode, stderr } = await releaseText('v1.1.1', '1.1.0');
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/v1\.1\.1.*v1\.1\.0/)]);
});

it('a version that CHANGELOG.md does not date makes no release', async () => {
  const unreleased = CHANGELOG.replace('[1.1.0] - 2026-12-01', '[Unreleased]');
  const { exitCode, stdout, stderr } = await releaseText('v1.1.0', '1.1.0', unreleased);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('## [1.1.0] - ');
});
