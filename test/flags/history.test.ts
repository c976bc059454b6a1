import { describe, expect, it } from 'vitest';
import { naming } from '../support/naming.ts';
import { vane } from '../support/run.ts';

const FILE = 'station,time,wind_speed_avg\n110,2023-05-01T00:00Z,9\n110,2023-05-01T01:00Z,9\n';

describe.each(['stats', 'plot'])('vane %s --from, which sends no request,', (command) => {
  it(`vane ${command} --from does not read VANE_BASE_URL`, async () => {
    const env = { VANE_BASE_URL: 'ftp://x' };
    const { code, out, err } = await vane([command, '--from', '-'], { stdin: FILE, env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Station 110|110 /);
  });

  it(`vane ${command} --from writes its notes on stderr, and none with --quiet`, async () => {
    const args = [command, '603', '110', '--from', '-', '--stop', '2023-06-01'];
    const { err } = await vane(args, { stdin: FILE });
    expect(err).toMatch(/station 603/);
    expect(await vane([...args, '-q'], { stdin: FILE })).toMatchObject({ code: 0, err: '' });
  });

  it(`vane ${command} --from reads --stop without --start in a zone east of UTC`, async () => {
    const args = [command, '--from', '-', '--stop', '2023-06-01', '--tz', 'Europe/Paris'];
    expect(await vane(args, { stdin: FILE })).toMatchObject({ code: 0 });
  });

  it.each([
    ['--concurrency <n>', '--concurrency=4'],
    ['--keep-going', '--keep-going'],
  ])(
    `vane ${command} --from refuses %s, which is for requests to a service`,
    async (option, given) => {
      const { code, out, err } = await vane([command, '--from', '-', given], { stdin: FILE });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming(`“${option}”`, '“--from <files...>”'));
    },
  );

  it(`vane ${command} --from refuses an --output that is a file of --from, before it reads the file`, async () => {
    const format = command === 'stats' ? 'csv' : 'svg';
    const args = [command, '--from', 'a/x.csv', 'x.csv', '-f', format, '-o', './a/../x.csv'];
    const { code, out, err } = await vane(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(naming('--output', './a/../x.csv', ' x.csv', '--from'));
  });

  it.each([
    ['--timeout', 'junk', ['--timeout', '“junk”']],
    ['--retries', '99', ['--retries', 20, '“99”']],
  ])(`vane ${command} --from refuses %s %s, and the error names %j`, async (flag, value, names) => {
    const { code, out, err } = await vane([command, '--from', '-', flag, value], { stdin: FILE });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(naming(...names));
  });
});
