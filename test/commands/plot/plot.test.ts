import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli.ts';
import { gatherReadings } from '../../../src/commands/plot/gather.ts';
import type { PlotOptions } from '../../../src/commands/plot/options.ts';
import { colourLevel, type Io } from '../../../src/io.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { naming } from '../../support/naming.ts';
import { words } from '../../support/question.ts';
import { vane } from '../../support/run.ts';

/** The options that a command line sets. */
async function optionsOf(line: string, env: Io['env'] = {}): Promise<PlotOptions> {
  let options: unknown;
  const perform = async (made: unknown): Promise<void> => {
    options = made;
  };
  const io = fakeIo({ env });
  const program: Command = await createProgram(io, perform, ['plot']);
  await program.parseAsync(words(line), { from: 'user' });
  return options as PlotOptions;
}

describe('vane plot', () => {
  it('vane plot draws a series of the last 24 hours for the terminal by default', async () => {
    const { kind, output, source, figure } = await optionsOf('plot 110');
    expect({ kind, format: output.format, value: figure.value }).toEqual({
      kind: 'series',
      format: 'terminal',
      value: 'mean',
    });
    const { period } = 'history' in source ? source.history : { period: { start: 0, stop: 0 } };
    expect(period.stop - period.start).toBe(86_400_000);
  });

  it.each([
    ['rose', 30],
    ['calendar', 365],
    ['pattern', 365],
  ])('vane plot --kind %s without --start draws the last %i days', async (kind, days) => {
    const { source } = await optionsOf(`plot 110 --kind ${kind} --stop 2024-01-01`);
    expect('history' in source && source.history.period).toEqual({
      start: Date.UTC(2024, 0, 1) - days * 86_400_000,
      stop: Date.UTC(2024, 0, 1),
    });
  });

  it.each([
    ['wind.svg', 'svg'],
    ['wind.PNG', 'png'],
    ['wind.html', 'html'],
    ['wind.htm', 'html'],
    ['wind.svg.gz', 'svg'],
    ['wind.txt', 'terminal'],
  ])('vane plot -o %s draws in the format %s', async (name, format) => {
    expect((await optionsOf(`plot 110 -o ${name}`)).output.format).toBe(format);
  });

  it('vane plot reads a speed of --mark without a unit in the unit of --units', async () => {
    const { figure } = await optionsOf('plot 110 --knots --mark 10,20kmh');
    expect(figure.marksKmh).toEqual([18.52, 20]);
  });

  it('vane plot --kind calendar with --where counts the hours that match', async () => {
    const { figure } = await optionsOf("plot 110 --kind calendar --where 'avg > 15kn'");
    expect(figure.value).toBe('hours');
    expect(figure.where?.text).toBe('avg > 15kn');
  });
});

/** The period of the first picture. */
async function periodOf(options: PlotOptions, io: Io) {
  for await (const { period } of gatherReadings(options, io)) return period;
  return undefined;
}

describe('vane plot --from without --stop', () => {
  it('vane plot --from without --stop draws up to one step after the last reading of any station', async () => {
    const file = [
      'station,time,wind_speed_avg',
      ...['1,2024-05-01T00:00Z,9', '1,2024-05-01T01:00Z,9', '1,2024-05-01T02:00Z,9'],
      ...['2,2024-05-01T00:10Z,9', '2,2024-05-01T00:20Z,9', '2,2024-05-01T02:05Z,9'],
    ];
    const options = await optionsOf('plot --from -');
    const io = fakeIo({ stdin: `${file.join('\n')}\n` });
    const period = await periodOf(options, io);
    const [start, stop] = [Date.parse('2024-05-01T00:00Z'), Date.parse('2024-05-01T03:00Z')];
    expect(period).toEqual({ start, stop });
  });

  it.each(['series', 'calendar', 'pattern'])(
    'vane plot --from without --stop draws no %s of the year after the last reading',
    async (kind) => {
      const stdin = 'time,wind_speed_avg\n2024-12-31T23:40Z,9\n2024-12-31T23:55Z,9\n';
      const options = await optionsOf(`plot 110 --from - --kind ${kind}`);
      const period = await periodOf(options, fakeIo({ stdin }));
      expect(period?.stop).toBe(Date.parse('2025-01-01T00:00Z'));
    },
  );
});

describe('vane plot of impossible speeds', () => {
  it.each(['series', 'rose', 'calendar', 'pattern'])(
    'vane plot of impossible speeds writes no NaN into a %s',
    async (kind) => {
      const rows = Array.from({ length: 3000 }, (_, index) => {
        const time = new Date(Date.UTC(2024, 0) + index * 240_000).toISOString();
        return `${time},${['1e308', '-1e308', '1.7e308', '12'][index % 4]},${index % 500}`;
      });
      const stdin = `time,wind_speed_avg,wind_heading\n${rows.join('\n')}\n`;
      const { code, out } = await vane(words(`plot 110 --from - --kind ${kind} -f svg`), { stdin });
      expect(code).toBe(0);
      expect(out).not.toMatch(/NaN|Infinity/);
    },
  );
});

describe('vane plot of a period of over 200 years', () => {
  const times = ['1024-05-01', '2024-05-01T01:00Z', '2024-05-01T02:00Z', '2024-05-01T03:00Z'];
  const stdin = ['station,time,wind_speed_avg', ...times.map((time) => `1,${time},9`)].join('\n');
  it.each([
    '--from - --kind calendar',
    '--from - --kind pattern',
    '110 --start 1024 --stop 2024-05-01 --kind pattern',
  ])(
    'vane plot of a period of over 200 years exits with 2 for %s, and names the period',
    async (line) => {
      const { code, out, err } = await vane(words(`plot ${line} -f svg`), { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming('200 years', '1024-', '2024-'));
    },
  );

  it('vane plot draws a series of a period of over 200 years', async () => {
    const { code, out } = await vane(words('plot --from - -f svg'), { stdin });
    expect([code, out.slice(0, 4)]).toEqual([0, '<svg']);
  });
});

describe('vane plot --from with only one end of the period', () => {
  const stdin = 'station,time,wind_speed_avg\n1,2023-05-01T00:00Z,9\n1,2023-05-01T01:00Z,9\n';
  it.each([
    ['--start 2023-06', 'after the last reading'],
    ['--stop 2022', 'before the first reading'],
  ])(
    'vane plot --from exits with 2 if %s lies %s, and says that no reading is in the period',
    async (line) => {
      const { code, out, err } = await vane(words(`plot --from - ${line} -f svg`), { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain('no reading');
    },
  );

  it('vane plot --from with only one end of the period draws the readings of that period only', async () => {
    const line = 'plot --from - --start 2023-05-01T00:30 -f html';
    const { code, out } = await vane(words(line), { stdin });
    expect([code, out.match(/<tr><th scope="row">/g)?.length ?? 0]).toEqual([0, 1]);
  });
});

describe('the colours of a picture in a terminal', () => {
  const terminal = { columns: 80, rows: 24, onResize: () => () => {} };
  it.each([
    [{ COLORTERM: 'truecolor', TERM: 'xterm-256color' }, 'of 24 bits', 3],
    [{ TERM: 'xterm-256color' }, '256', 2],
    [{ TERM: 'screen' }, '16', 1],
    [{ TERM: 'dumb' }, 'none', 0],
    [{ NO_COLOR: '1', COLORTERM: 'truecolor' }, 'none', 0],
    [{ FORCE_COLOR: '2', COLORTERM: 'truecolor' }, '256', 2],
    [{ FORCE_COLOR: '0', COLORTERM: 'truecolor' }, 'none', 0],
    [{ WT_SESSION: 'x' }, 'of 24 bits', 3],
  ])('the colours of a picture in a terminal with the environment %j are %s', (env, _, level) => {
    expect(colourLevel(undefined, env, terminal)).toBe(level);
  });

  it('the colours of a picture in a terminal are off in a pipe unless --color is set, and off with --no-color', () => {
    const env = { COLORTERM: 'truecolor' };
    expect(colourLevel(undefined, env, undefined)).toBe(0);
    expect(colourLevel(true, env, undefined)).toBe(3);
    expect(colourLevel(false, env, terminal)).toBe(0);
  });
});

describe('the colours of a picture in a file', () => {
  it.each([
    ['-o x.txt', {}, 0],
    ['-o x.txt --color', {}, 3],
    ['-o x.txt --no-color', {}, 0],
    ['-o x.txt', { FORCE_COLOR: '2' }, 0],
    ['-f terminal', { FORCE_COLOR: '2' }, 2],
  ])(
    'the colours of a picture in a file with %s and the environment %o have the level %d',
    async (flags, env, level) => {
      const { output } = await optionsOf(`plot 110 ${flags}`, { COLORTERM: 'truecolor', ...env });
      expect(output.colours).toBe(level);
    },
  );
});

describe('the wrong command line', () => {
  it.each([
    ['plot 1 2 3 4 5 6 7 8 9 10 11 12 13', [12, 13]],
    ['plot 110 --kind pie', ['--kind', 'series', 'rose', 'calendar', 'pattern', '“pie”']],
    ['plot 110 --kind rose --mark 15kn', ['--mark', '--kind series', 'rose']],
    ['plot 110 --sectors 8', ['--sectors', '--kind rose', 'series']],
    ['plot 110 --value gust', ['--value', '--kind rose', 'calendar', 'pattern', 'series']],
    ['plot 110 --kind pattern --value hours', ['--value hours', '--where']],
    ['plot 110 --kind rose --value hours', ['--value hours', '--kind calendar', 'pattern']],
    ['plot 110 --mark fast', ['--mark', 'a speed', '“fast”']],
    ['plot 110 --width 600', ['--width', 'svg', 'png', 'html']],
    ['plot 110 -o x.svg --width 99999', ['--width', 200, 4000]],
    ['plot 110 -o x.pdf', ['“x.pdf”', '.txt', '.svg', '.png', '.html', '--format']],
    ['plot 110 -o x.csv', ['csv', 'terminal', 'svg', 'png', 'html']],
    ['plot 110 -o x.png.gz', ['png', 'compressed']],
    ['plot 110 -f png -o x.gz', ['png', 'compressed']],
    ['plot', ['stations']],
    ['plot 110 --kind now --start 3d', ['--kind now', '--start']],
    ['plot 110 --kind now --last 3d', ['--kind now', '--last']],
    ['plot 110 --kind now --quality pass', ['--kind now', '--quality']],
    ['plot --kind now --from wind.csv', ['--kind now', '--from']],
    ['plot 110 --kind now --mark 15kn', ['--mark', '--kind series', 'now']],
    ['plot 110 --kind now -o x.svg --width 59', ['--width', 60, 4000]],
    ["plot 110 --kind now --where 'distance < 5km'", ['--where', 'distance']],
  ])('`vane %s` is refused before any request, and the error names %j', async (line, names) => {
    const { code, out, err } = await vane(words(`${line} --base-url http://127.0.0.1:9`));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(naming(...names));
    expect(err).not.toContain('\n    at ');
  });

  it('`vane plot 110 -f png` is refused where stdout is a terminal', async () => {
    const { code, err } = await vane(words('plot 110 -f png --base-url http://127.0.0.1:9'), {
      stdoutTerminal: { columns: 80 },
    });
    expect(code).toBe(2);
    expect(err).toMatch(naming('png', 'terminal', '-o FILE'));
  });
});
