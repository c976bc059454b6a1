import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/index.ts';
import { prose } from '../../src/commands/man/roff.ts';
import { EXIT } from '../../src/errors.ts';
import { expectColumns } from '../support/fits.ts';
import { vane } from '../support/run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const read = (path: string): Promise<string> => readFile(`${ROOT}${path}`, 'utf8');

describe('the files in completions/ (npm run completions updates them)', () => {
  it.each([
    ['completion bash', 'completions/vane.bash'],
    ['completion zsh', 'completions/_vane'],
    ['completion fish', 'completions/vane.fish'],
    ['completion powershell', 'completions/vane.ps1'],
    ['man', 'completions/vane.1'],
  ])('are up to date: vane %s prints %s', async (line, path) => {
    const { code, out, err } = await vane(line.split(' '));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(await read(path));
  });
});

it('the manual page has the notes of each command that has some', async () => {
  const page = await read('completions/vane.1');
  const loaded = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
  const notes = loaded.flatMap(({ NOTES }) => NOTES ?? []);
  expect(notes.length).toBeGreaterThan(5);
  for (const text of notes) expect(page).toContain(prose(text).join('\n'));
});

it('vane completion tcsh exits with 2 and names the shells that have a script', async () => {
  const { code, out, err } = await vane(['completion', 'tcsh']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/bash, zsh, fish or powershell, not “tcsh”/);
});

it('the manual page explains each option of a command once', async () => {
  const page = await read('completions/vane.1');
  const details = page.slice(page.indexOf('.SH OPTIONS'), page.indexOf('.SH UNITS'));
  const entries: string[] = details.match(/^\.TP\n\\fB(?:\\-\w, )?\\-\\-.*\n.*$/gm) ?? [];
  expect(entries.length).toBeGreaterThan(60);
  expect(entries.filter((entry, index) => entries.indexOf(entry) < index)).toEqual([]);
  expect(details.match(/^\\fB\\-\\-knots\\fR$/gm)).toHaveLength(1);
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
  it.each(['C.UTF-8', 'C'])(
    'is rendered by man without a warning in the locale %s',
    async (locale) => {
      const env = { LC_ALL: locale, MANWIDTH: '80', MANROFFOPT: '-ww' };
      const { stdout, stderr } = await execa('man', ['--warnings=w', '-l', 'completions/vane.1'], {
        cwd: ROOT,
        env,
      });
      expect(stderr).toBe('');
      expectColumns(stdout, 80);
      // Commands, examples and the options of all commands stand in three screens of 24 lines.
      const front = stdout
        .slice(0, stdout.indexOf('These options go with several commands'))
        .split('\n');
      expect(front).toEqual(expect.arrayContaining(['COMMANDS', 'EXAMPLES', 'OPTIONS']));
      expect(front.length).toBeLessThanOrEqual(3 * 24);
      for (const code of Object.values(EXIT))
        expect(stdout).toMatch(new RegExp(`^ +${code} +`, 'm'));
      expect(stdout).toContain('eval "$(vane completion bash)"');
      expect(stdout).toContain('--exec \'mail -s "$VANE_NAME" me@example.org\'');
    },
  );
});
