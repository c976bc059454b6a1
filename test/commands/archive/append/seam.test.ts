import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkAppendable,
  readContinuedFile,
} from '../../../../src/commands/archive/append/continuedFile.ts';
import { UsageError } from '../../../../src/errors.ts';
import type { ArchiveRow } from '../../../../src/wire/archive.ts';
import {
  type ExportOptions,
  layoutOf,
  OPTIONS,
  READINGS,
  runAppend,
  START,
  whole,
} from '../../../support/exports.ts';
import { naming } from '../../../support/naming.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-'));
  path = join(folder, 'wind');
});
afterEach(() => rm(folder, { recursive: true }));

const content = () => readFile(path, 'utf8');
const run = (options?: Partial<ExportOptions>) => runAppend(path, options);

/** Runs in a way that the file was not written in. */
async function refusal(
  written: Partial<ExportOptions>,
  requested: Partial<ExportOptions>,
): Promise<string> {
  const stop = Date.UTC(2024, 9, 27, 1);
  await writeFile(path, `${await whole(written, { start: START, stop })}cut`);
  const before = await content();
  const error = await run(requested).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(await content()).toBe(before);
  return (error as Error).message.replaceAll(path, 'FILE');
}

describe('archive --append', () => {
  const paris = { zone: 'Europe/Paris' } as const;
  const few = { columns: ['time', 'wind_heading'] } as const;
  const nameOf = ({ readings, ...options }: Partial<ExportOptions>) => JSON.stringify(options);
  const DIFFERENCES = [
    [{ unit: 'kn' }, {}, ['“kn”', '“km/h”', '--units kn']],
    [{}, { unit: 'kn' }, ['--units kmh']],
    [paris, {}, ['“Europe/Paris”', '“utc”', '--tz Europe/Paris']],
    [{}, { ...paris, format: 'csv' }, ['--tz utc']],
    [few, {}, ['“wind_heading”', '“latitude”', '--columns time,wind_heading']],
    [{}, few, ['“latitude”', '“wind_heading”', '--columns time,latitude,']],
    [
      { columns: ['time', 'latitude'] },
      { columns: ['time', 'latitude', 'pressure'] },
      ['“pressure”', '--columns time,latitude:'],
    ],
    [
      { header: 'names', unit: 'kn' },
      { header: 'names' },
      ['“wind_speed_min_kn”', '“wind_speed_min”', '--units kn'],
    ],
    [{ header: 'names' }, { header: 'names', unit: 'ms' }, ['--units kmh']],
    [
      { header: 'names', ...paris },
      { header: 'names' },
      ['“"2024-10-27T02:30:03.250+02:00",44.589,-1.2136,,3.25,,337.5,”'],
    ],
    [{ header: 'none', unit: 'kn' }, { header: 'none' }, ['another station', '--units']],
    [{ header: 'none' }, { header: 'none', ...few }, ['another station', '--units']],
    [
      { format: 'ndjson', unit: 'mph' },
      { format: 'ndjson' },
      ['“wind_speed_min_mph”', '“wind_speed_min”', '--units mph'],
    ],
    [{ format: 'ndjson', ...few }, { format: 'ndjson' }, ['--columns time,wind_heading']],
    [{ format: 'ndjson' }, { format: 'ndjson', station: 603 }, ['another station']],
    [{ format: 'txt', unit: 'bft' }, { format: 'txt' }, ['--units bft']],
    [{ header: 'names' }, {}, ['header', '--header service']],
    [{}, { header: 'names' }, ['header', '--header names']],
    [{ format: 'txt' }, {}, ['header']],
    [{ format: 'ndjson' }, {}, ['header']],
    [{}, { format: 'ndjson' }, ['last row', 'no time']],
    [
      { header: 'none', columns: ['wind_heading', 'time'] },
      { header: 'none' },
      ['last row', 'no time'],
    ],
  ] as [Partial<ExportOptions>, Partial<ExportOptions>, string[]][];
  it.each(DIFFERENCES.map((row) => [nameOf(row[0]), nameOf(row[1]), row] as const))(
    'archive --append refuses a file written with the options %s for an export with the options %s, and names the difference',
    async (_written, _asked, [written, asked, names]) => {
      expect(await refusal(written, asked)).toMatch(naming('FILE', ...names));
    },
  );

  it('archive --append refuses a file with a header in knots and no rows, for an export in km/h', async () => {
    await writeFile(path, await whole({ unit: 'kn' }, { start: 0, stop: 0 }));
    await expect(run()).rejects.toThrow('--units kn');
  });

  it('archive --append refuses a file with rows of another station', async () => {
    const others = READINGS.map(([time, ...rest], i): ArchiveRow => {
      return [new Date(Date.parse(time) + i + 1).toISOString(), ...rest];
    });
    expect(await refusal({}, { readings: others })).toMatch(naming('FILE', 'another station'));
  });

  it.each([
    ['notes without an end of line', {}],
    ['notes\n', {}],
    ['some\nnotes\nthat go on', {}],
    ['"License","x"\n"Attribution","y"\nnotes', {}],
    ['notes', { header: 'names' }],
    ['{"my":', { format: 'ndjson' }],
    ['notes', { header: 'none' }],
    ['\n', { header: 'none' }],
    ['a\nb\nc\nd\ne\n', {}],
  ] as [string, Partial<ExportOptions>][])(
    'archive --append refuses a file of other text and leaves it unchanged: %j, with the options %j',
    async (text, requested) => {
      await writeFile(path, text);
      await expect(run(requested)).rejects.toThrow(UsageError);
      await expect(run({ ...requested, readings: [] })).rejects.toThrow(UsageError);
      expect(await content()).toBe(text);
    },
  );

  it.each([
    [20_000_000, {}],
    [20_000_000, { header: 'none' }],
    [100_000, { header: 'none' }],
  ] as [number, Partial<ExportOptions>][])(
    'archive --append refuses a file of %i bytes without a line end, with the options %j',
    async (size, requested) => {
      await writeFile(path, Buffer.alloc(size, 'x'));
      await expect(run(requested)).rejects.toThrow(UsageError);
      expect((await stat(path)).size).toBe(size);
    },
  );
});

describe('checkAppendable', () => {
  const options = { header: 'service', columns: undefined, isShared: false } as const;
  const file = { path: 'wind', isGzip: false };

  it.each([
    [
      'the format parquet, which cannot grow',
      'parquet',
      file,
      options,
      /^--append continues csv, txt, ndjson, not parquet\.$/,
    ],
    ['the format table, which cannot grow', 'table', file, options, /not table/],
    ['to stdout', 'csv', { path: undefined, isGzip: false }, options, /--output/],
    ['to a compressed file', 'csv', { path: 'wind.csv.gz', isGzip: true }, options, /without \.gz/],
    ['columns without time', 'csv', file, { ...options, columns: ['wind_heading'] }, /\btime\b/],
    ['several stations to one file', 'ndjson', file, { ...options, isShared: true }, /\{station\}/],
  ] as const)('archive --append refuses %s', (_, format, target, choice, said) => {
    expect(() => checkAppendable(format, target, choice)).toThrow(UsageError);
    expect(() => checkAppendable(format, target, choice)).toThrow(said);
  });

  it('archive --append accepts ndjson, which has no header, and txt with the header of the service', () => {
    expect(checkAppendable('ndjson', file, options).header).toBe('none');
    expect(checkAppendable('txt', file, options).header).toBe('service');
  });
});

describe('readContinuedFile', () => {
  it('archive --append treats an empty file as a missing one', async () => {
    await writeFile(path, '');
    const layout = layoutOf(OPTIONS);
    const missing = join(folder, 'none');
    const empty = { layout, size: 0, kept: 0, head: [], last: undefined };
    expect(await readContinuedFile(path, layout)).toEqual({ path, ...empty });
    expect(await readContinuedFile(missing, layout)).toEqual({ path: missing, ...empty });
  });

  it.skipIf(!existsSync('/dev/null'))('archive --append refuses devices and folders', async () => {
    await expect(readContinuedFile('/dev/null', layoutOf(OPTIONS))).rejects.toThrow(UsageError);
    await expect(readContinuedFile(folder, layoutOf(OPTIONS))).rejects.toThrow(UsageError);
  });
});
