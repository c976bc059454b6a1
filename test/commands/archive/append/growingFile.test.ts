import { existsSync } from 'node:fs';
import {
  appendFile as addToFile,
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readContinuedFile,
  remainingPeriod,
} from '../../../../src/commands/archive/append/continuedFile.ts';
import { appendToFile } from '../../../../src/commands/archive/append/growingFile.ts';
import { continueExport } from '../../../../src/commands/archive/append/seam.ts';
import type { Period } from '../../../../src/domain/period.ts';
import { InterruptedError, OutputError } from '../../../../src/errors.ts';
import type { ArchiveRow } from '../../../../src/wire/archive.ts';
import {
  type ExportOptions,
  exportPieces,
  layoutOf,
  OPTIONS,
  PERIOD,
  READINGS,
  runAppend,
  START,
  STOP,
  whole,
} from '../../../support/exports.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { naming } from '../../../support/naming.ts';

/** Thousands of files are flushed here; where memory can hold files that takes no time. */
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(FAST, 'vane-'));
  path = join(folder, 'wind');
});
afterEach(() => rm(folder, { recursive: true }));

const content = () => readFile(path, 'utf8');
const run = (options?: Partial<ExportOptions>, period?: Period) => runAppend(path, options, period);

const LAYOUTS: readonly Partial<ExportOptions>[] = [
  {},
  { header: 'names' },
  { header: 'none' },
  { format: 'txt' },
  { format: 'txt', header: 'none', zone: 'Europe/Paris' },
  { format: 'ndjson' },
  { format: 'ndjson', unit: 'kn', zone: 'Europe/Paris', columns: ['wind_speed_avg', 'time'] },
  { zone: 'Europe/Paris', unit: 'ms' },
  { header: 'names', columns: ['wind_heading', 'time', 'wind_speed_min'] },
  // Readings that differ only in what is left out are the same line twice.
  { header: 'none', columns: ['wind_speed_avg', 'time'] },
];
/** Cuts a file at some of its bytes, and checks that each cut file is completed. */
async function completesCuts(
  options: Partial<ExportOptions>,
  isCutAt: (size: number) => boolean,
): Promise<void> {
  const expected = Buffer.from(await whole(options));
  const sizes = [...expected.keys()].filter(isCutAt);
  const goOn = async (size: number): Promise<string> => {
    const file = `${path}-${size}`;
    await writeFile(file, expected.subarray(0, size));
    await runAppend(file, options);
    return (await readFile(file)).equals(expected) ? '' : `cut at ${size}`;
  };
  const failures = await pMap(sizes, goOn, { concurrency: 16 });
  expect(failures.filter(Boolean)).toEqual([]);
}

const named = LAYOUTS.map(
  (options) =>
    [
      JSON.stringify(options, (key, value) => (key === 'readings' ? undefined : value)),
      options,
    ] as const,
);

describe.each(named)('archive --append with the options %s', (name, options) => {
  it(`archive --append makes a missing file, with the options ${name}`, async () => {
    await run(options);
    expect(await content()).toBe(await whole(options));
  });

  it(`archive --append completes a file that a crash cut at any thirteenth byte, with the options ${name}`, async () => {
    await completesCuts(options, (size) => size % 13 === 0);
  });

  it(`archive --append leaves a file unchanged where there are no new rows, with the options ${name}`, async () => {
    await run(options);
    await utimes(path, 1, 1);
    for (const stop of [STOP, STOP + 1e9, START]) {
      await run(options, { start: START, stop });
      expect(await content()).toBe(await whole(options));
    }
    expect((await stat(path)).mtimeMs).toBe(1000);
  });

  it(`archive --append writes the same file in many runs as in one, with the options ${name}`, async () => {
    const end = Date.UTC(2024, 9, 27, 2);
    for (let stop = Date.UTC(2024, 9, 26, 23, 50); stop <= end; stop += 10 * 60_000) {
      await run(options, { start: START, stop });
    }
    expect(await content()).toBe(await whole(options));
  });

  it(`archive --append continues after the last row of the file, whatever --start is, with the options ${name}`, async () => {
    await run(options, { start: START, stop: Date.UTC(2024, 9, 27, 0, 10) });
    await run(options, { start: Date.UTC(2024, 9, 27, 1), stop: STOP });
    expect(await content()).toBe(await whole(options));
  });
});

it.each(['csv', 'txt', 'ndjson'] as const)(
  'archive --append completes a short file of %s that a crash cut at any byte',
  (format) =>
    completesCuts(
      {
        format,
        attribution: '© 🪁',
        columns: ['time', 'wind_speed_max'],
        readings: READINGS.slice(0, 4),
      },
      () => true,
    ),
);

describe('the file that archive --append continues', () => {
  /** A year every 5 minutes would take long to make; this is as many chunks. */
  const long = Array.from({ length: 1000 }, (_, i): ArchiveRow => {
    const time = new Date(Date.UTC(2024, 0, 1) + i * 6 * 3_600_000).toISOString();
    return [time, 44.589, -1.2136, i, i + 1, i + 2, 0, null];
  });
  const year = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2025, 0, 1) };

  it.each(['csv', 'txt', 'ndjson'] as const)(
    'archive --append completes a file of 1,000 rows in %s that was cut after 10 % to 99.9 % of its length',
    async (format) => {
      const options = { format, readings: long };
      const expected = await whole(options, year);
      for (const share of [0.1, 0.3, 0.5, 0.9, 0.999]) {
        await writeFile(path, expected.slice(0, expected.length * share));
        await run(options, year);
        expect(await content()).toBe(expected);
      }
    },
  );

  it.each(['csv', 'txt', 'ndjson'] as const)(
    'archive --append continues a file in %s after its last row where an editor has changed line ends, of all rows or of some',
    async (format) => {
      for (const ends of [['\r\n'], ['\r'], ['\r\n', '\n', '\r'], ['\n', '\n', '\r\n', '\r']]) {
        await rm(path, { force: true });
        await run({ format }, { start: START, stop: Date.UTC(2024, 9, 27, 0, 10) });
        let line = 0;
        const edited = (await content()).replaceAll('\n', () => ends[line++ % ends.length] ?? '');
        await writeFile(path, edited);
        // The period begins late: rows that the file loses would not come again.
        await run({ format }, { start: Date.UTC(2024, 9, 27, 1), stop: STOP });
        const continued = await content();
        expect(continued.startsWith(edited)).toBe(true);
        expect(continued.replaceAll(/\r\n?/g, '\n')).toBe(await whole({ format }));
      }
    },
  );

  it('archive --append requests the period from at most one hour before the last row of the file', async () => {
    await run({ readings: long }, { start: year.start, stop: Date.UTC(2024, 5, 1) });
    const continued = await readContinuedFile(path, layoutOf(OPTIONS));
    const last = Date.UTC(2024, 4, 31, 18);
    expect(continued.last?.time).toBe(last);
    expect(remainingPeriod(year, continued)).toEqual({ start: last, stop: year.stop });
    expect(remainingPeriod({ start: 0, stop: 5 }, continued)).toEqual({ start: 5, stop: 5 });
  });

  it('archive --append requests the period from the first row of the hour before the last row of the file', async () => {
    const every20min = Array.from({ length: 50 }, (_, i): ArchiveRow => {
      const time = new Date(year.start + i * 1_200_000).toISOString();
      return [time, null, null, i, i, i, 0, null];
    });
    await run({ readings: every20min }, { start: year.start, stop: year.start + 1_200_000 * 50 });
    const continued = await readContinuedFile(path, layoutOf(OPTIONS));
    const lastMs = year.start + 49 * 1_200_000;
    expect(continued.last?.time).toBe(lastMs);
    expect(remainingPeriod(year, continued)).toEqual({
      start: lastMs - 3_600_000,
      stop: year.stop,
    });
  });

  it('archive --append repeats no row where the last 498 rows of the file have the same time', async () => {
    const time = '2024-10-26T12:00:00.000Z';
    const many = Array.from({ length: 500 }, (_, i): ArchiveRow => {
      return [time, null, null, i, i, i, 0, null];
    });
    const options = { readings: [...many, ...READINGS] };
    const expected = await whole(options);
    const cut = expected.lastIndexOf(time) - 2;
    await writeFile(path, expected.slice(0, cut));
    expect((await readContinuedFile(path, layoutOf(OPTIONS))).last?.lines).toHaveLength(498);
    await run(options);
    expect(await content()).toBe(expected);
  });
});

it.each([1, 2, 7, 100])(
  'archive --append continues a file from an export that arrives in pieces of %i lines',
  async (count) => {
    const expected = await whole();
    await writeFile(path, expected.slice(0, -100));
    const layout = layoutOf(OPTIONS);
    const continued = await readContinuedFile(path, layout);
    async function* pieces() {
      const lines = expected.split(/(?<=\n)/);
      for (let at = 0; at < lines.length; at += count) yield lines.slice(at, at + count).join('');
    }
    let text = Buffer.from(expected).toString('utf8', 0, continued.kept);
    for await (const piece of continueExport(pieces(), continued)) text += piece;
    expect(text).toBe(expected);
  },
);

describe('the rows that archive --append adds', () => {
  it('archive --append continues a file whose license and attribution the service has changed', async () => {
    const expected = await whole();
    await writeFile(path, expected.slice(0, -30));
    await run({ attribution: 'somebody else' });
    expect(await content()).toBe(expected);
    await truncate(path, 90);
    await run({ attribution: 'somebody else' });
    expect(await content()).toBe(await whole({ attribution: 'somebody else' }));
  });

  it('archive --append writes the last reading again after the old one when the service has corrected it', async () => {
    await run({}, { start: START, stop: Date.UTC(2024, 9, 27, 0, 31) });
    const before = await content();
    const corrected = READINGS.map(
      (row, i): ArchiveRow => (i === 3 ? [row[0], null, null, 9, 9, 9, 9, null] : row),
    );
    await run({ readings: corrected });
    const rows = (await whole({ readings: corrected })).split('\n').slice(4 + 3);
    expect(await content()).toBe(before + rows.join('\n'));
    await run({ readings: corrected });
    expect(await content()).toBe(before + rows.join('\n'));
  });

  it('archive --append ignores a new reading from before the last row, so that rows still ascend in time', async () => {
    await run({}, { start: START, stop: Date.UTC(2024, 9, 27, 0, 31) });
    const late: ArchiveRow = ['2024-10-27T00:20:00.000Z', null, null, 9, 9, 9, 9, null];
    await run({ readings: [...READINGS.slice(0, 3), late, ...READINGS.slice(3)] });
    expect(await content()).toBe(await whole());
  });

  it('archive --append adds nothing where the service sends two readings of the same time in another order than before', async () => {
    await run({ readings: READINGS.slice(0, 5) });
    const [first, second] = READINGS.slice(4) as [ArchiveRow, ArchiveRow];
    await run({ readings: [...READINGS.slice(0, 4), second, first] });
    expect(await content()).toBe(await whole());
  });
});

describe('appendToFile', () => {
  const all = () => exportPieces(OPTIONS, PERIOD);
  const layout = layoutOf(OPTIONS);

  it('archive --append stops writing where another program has added rows', async () => {
    async function* pieces() {
      yield 'one\n';
      await addToFile(path, 'theirs\n');
      yield 'two\n';
    }
    const appended = appendToFile(await readContinuedFile(path, layout), pieces(), fakeIo());
    await expect(appended).rejects.toThrow(OutputError);
    await expect(appended).rejects.toThrow(naming('Another program', path, '11 bytes', 4));
    expect(await content()).toBe('one\ntheirs\n');
  });

  it('archive --append fails where another program has added rows after the last piece', async () => {
    async function* pieces() {
      yield 'one\n';
      await addToFile(path, 'theirs\n');
    }
    await expect(
      appendToFile(await readContinuedFile(path, layout), pieces(), fakeIo()),
    ).rejects.toThrow(OutputError);
  });

  it('archive --append writes nothing into a file that changed since its end was read', async () => {
    await writeFile(path, `${await whole()}cut`);
    const continued = await readContinuedFile(path, layout);
    await addToFile(path, ' by somebody else\n');
    const before = await content();
    const pieces = continueExport(all(), continued);
    await expect(appendToFile(continued, pieces, fakeIo())).rejects.toThrow(OutputError);
    expect(await content()).toBe(before);
  });

  it('archive --append leaves whole rows when interrupted, and the next run continues after them', async () => {
    const io = fakeIo();
    const reason = new InterruptedError('SIGINT');
    let isClosed = false;
    async function* interrupted() {
      try {
        for await (const piece of all()) {
          yield piece;
          io.interrupt(reason);
        }
      } finally {
        isClosed = true;
      }
    }
    const continued = await readContinuedFile(path, layout);
    const pieces = continueExport(interrupted(), continued);
    await expect(appendToFile(continued, pieces, io)).rejects.toBe(reason);
    expect(isClosed).toBe(true);
    expect((await content()).split('\n')).toHaveLength(5);
    await run();
    expect(await content()).toBe(await whole());
  });

  it('archive --append makes no file when the first piece of the export fails', async () => {
    const failure = new Error('no response');
    const broken: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }),
    };
    const continued = await readContinuedFile(path, layout);
    const pieces = continueExport(broken, continued);
    await expect(appendToFile(continued, pieces, fakeIo())).rejects.toBe(failure);
    expect(await readdir(folder)).toEqual([]);
  });

  it('archive --append leaves a file that ends in half a line unchanged when no new rows arrive', async () => {
    await writeFile(path, `${await whole()}cut`);
    const continued = await readContinuedFile(path, layout);
    const failure = new Error('no response');
    const broken: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }),
    };
    const pieces = continueExport(broken, continued);
    await expect(appendToFile(continued, pieces, fakeIo())).rejects.toBe(failure);
    expect(await content()).toBe(`${await whole()}cut`);
  });

  it('archive --append writes through a symbolic link and keeps the mode of the file', async () => {
    await run({}, { start: START, stop: Date.UTC(2024, 9, 27) });
    await chmod(path, 0o640);
    const link = join(folder, 'link');
    await symlink(path, link);
    const file = path;
    path = link;
    await run();
    expect(await readlink(link)).toBe(file);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readFile(file, 'utf8')).toBe(await whole());
  });

  it('archive --append fails with an error that says that the old rows stay when it cannot write', async () => {
    const missing = join(folder, 'no', 'wind.csv');
    async function* pieces() {
      yield 'row\n';
    }
    const appended = appendToFile(await readContinuedFile(missing, layout), pieces(), fakeIo());
    await expect(appended).rejects.toThrow(OutputError);
    await expect(appended).rejects.toThrow(naming(missing, 'kept'));
  });

  it.skipIf(!existsSync('/dev/full'))(
    'archive --append reports a full disk (needs /dev/full)',
    async () => {
      async function* pieces() {
        yield 'row\n';
      }
      const continued = { ...(await readContinuedFile(path, layout)), path: '/dev/full' };
      const appended = appendToFile(continued, pieces(), fakeIo());
      await expect(appended).rejects.toThrow(naming('/dev/full', 'disk is full'));
    },
  );
});
