import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../../src/completions/environment.ts';
import { EXIT } from '../../src/errors.ts';
import { vane } from '../support/run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const read = (path: string): Promise<string> => readFile(`${ROOT}${path}`, 'utf8');

describe('what is checked in is what the command tree says (else: npm run completions)', () => {
  it.each([
    ['completion bash', 'completions/vane.bash'],
    ['completion zsh', 'completions/_vane'],
    ['completion fish', 'completions/vane.fish'],
    ['completion powershell', 'completions/vane.ps1'],
    ['man', 'completions/vane.1'],
  ])('%s is %s', async (line, path) => {
    const { code, out, err } = await vane(line.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(await read(path));
  });
});

it('names the shells for which there is a script', async () => {
  const { code, out, err } = await vane(['completion', 'tcsh']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('Allowed choices are bash, zsh, fish, powershell.');
});

describe('README', () => {
  it.each(ENVIRONMENT)('explains %j as the manual does', async (names, meaning) => {
    const row = `| ${names.map((name) => `\`${name}\``).join(', ')} | ${meaning} |`;
    expect(await read('README.md')).toContain(row);
  });

  it('explains no variable that the manual does not', async () => {
    const section = (await read('README.md')).split('## Environment')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(ENVIRONMENT.length);
  });
});

function whyNoMan(): string | undefined {
  try {
    execFileSync('man', ['--version'], { stdio: 'ignore' });
    execFileSync('groff', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'man-db or groff is not installed';
  }
}
const reason = whyNoMan();
if (reason) console.warn(`The manual page was not rendered: ${reason}.`);

describe.skipIf(reason !== undefined)('the manual page', () => {
  it.each(['C.UTF-8', 'C'])('renders without a warning in %s', async (locale) => {
    const env = { LC_ALL: locale, MANWIDTH: '80', MANROFFOPT: '-ww' };
    const { stdout, stderr } = await execa('man', ['--warnings=w', '-l', 'completions/vane.1'], {
      cwd: ROOT,
      env,
    });
    expect(stderr).toBe('');
    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    for (const code of Object.values(EXIT)) expect(stdout).toMatch(new RegExp(`^ +${code} +`, 'm'));
    expect(lines.join('\n')).toContain('eval "$(vane completion bash)"');
    expect(lines.join('\n')).toContain('--exec \'mail -s "$VANE_NAME" me@example.org\'');
  });
});
