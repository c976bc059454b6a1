import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { commandsPage, manualPage, referencePages } from '../../.build/documents/index.ts';
import { createProgram } from '../../src/cli.ts';
import { EXIT_CODES } from '../../src/errors.ts';
import { VERSION } from '../../src/version.ts';
import { fakeIo } from '../support/fake-io.ts';
import { expectColumns } from '../support/fits.ts';
import { vane } from '../support/run.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const read = (path: string): Promise<string> => readFile(`${ROOT}${path}`, 'utf8');

describe('generated files (npm run completions updates them)', () => {
  it.each([
    ['bash', 'vane.bash'],
    ['zsh', '_vane'],
    ['fish', 'vane.fish'],
    ['powershell', 'vane.ps1'],
  ])(
    'the generated scripts are up to date: vane completion %s prints completions/%s',
    async (shell, name) => {
      const { code, out, err } = await vane(['completion', shell]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      await expect(out).toMatchFileSnapshot(`${ROOT}completions/${name}`);
    },
  );

  it('the generated pages are up to date: completions/vane.1 has the options of all commands and docs/reference', async () => {
    const program = await createProgram(fakeIo(), async () => {});
    const page = manualPage(program, VERSION, referencePages());
    await expect(page).toMatchFileSnapshot(`${ROOT}completions/vane.1`);
  });

  it('the generated pages are up to date: docs/reference/commands.md has the options of all commands', async () => {
    const program = await createProgram(fakeIo(), async () => {});
    const path = `${ROOT}docs/reference/commands.md`;
    await expect(commandsPage(program)).toMatchFileSnapshot(path);
  });
});

it('the manual page has every page of docs/reference as a section', async () => {
  const page = (await read('completions/vane.1')).replaceAll('\\-', '-');
  const names = await readdir(`${ROOT}docs/reference`);
  for (const name of names.filter((one) => one !== 'commands.md')) {
    const [, title = name] = /^# (.*)/.exec(await read(`docs/reference/${name}`)) ?? [];
    expect(page).toContain(`.SH "${title.toUpperCase()}"`);
  }
});

it('vane man prints the shipped manual page in a pipe', async () => {
  const { code, out, err } = await vane(['man']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(await read('completions/vane.1'));
});

it('vane completion tcsh exits with 2 and names the shells that have a script', async () => {
  const { code, out, err } = await vane(['completion', 'tcsh']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/bash.*zsh.*fish.*powershell.*“tcsh”/);
});

it('the manual page explains each option of a command once', async () => {
  const page = await read('completions/vane.1');
  const details = page.slice(page.indexOf('.SH OPTIONS'), page.indexOf('.SH "FORMATS'));
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
    'the manual page is rendered by man without a warning in the locale %s',
    async (locale) => {
      const env = { LC_ALL: locale, MANWIDTH: '80', MANROFFOPT: '-ww' };
      const { stdout, stderr } = await execa('man', ['--warnings=w', '-l', 'completions/vane.1'], {
        cwd: ROOT,
        env,
      });
      expect(stderr).toBe('');
      expectColumns(stdout, 80);
      for (const code of Object.values(EXIT_CODES))
        expect(stdout).toMatch(new RegExp(`^ +${code} +`, 'm'));
      expect(stdout).toContain('eval "$(vane completion bash)"');
      expect(stdout).toContain('--exec \'mail -s "$VANE_NAME" me@example.org\'');
    },
  );
});
