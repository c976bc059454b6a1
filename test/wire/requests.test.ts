import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PERIOD_MS } from '../../src/domain/period.ts';
import {
  ARCHIVE_RESPONSE_FORMATS,
  archivePath,
  livePath,
  type QueryArguments,
  RequestError,
  readArchiveQuery,
  readArchiveStation,
  readCallback,
  readLiveStation,
} from '../../src/wire/requests.ts';
import { naming } from '../support/naming.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 200 });

const NOW = Date.UTC(2024, 2, 31, 12);

/** The code a reader refuses with. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
  return 'nothing was refused';
}

describe('livePath and archivePath', () => {
  it.each([
    [livePath(110, false), '/v1/live/110'],
    [livePath('all', false), '/v1/live/all'],
    [livePath(110, true), '/v1/live-with-meta/110'],
    [livePath('all', true), '/v1/live-with-meta/all'],
    [
      archivePath(110, { start: 0, stop: 1 }, 'csv'),
      '/v1/archive/110?start=1970-01-01T00:00:00.000Z&stop=1970-01-01T00:00:00.001Z&format=csv',
    ],
  ])('livePath and archivePath write the path %s', (path, expected) => {
    expect(path).toBe(expected);
  });

  it('archivePath writes an archive request that readArchiveQuery reads back as the same request', () => {
    const start = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2100) });
    const length = fc.integer({ min: 0, max: MAX_PERIOD_MS });
    fc.assert(
      fc.property(
        start,
        length,
        fc.constantFrom(...ARCHIVE_RESPONSE_FORMATS),
        (from, ms, format) => {
          const period = { start: from, stop: from + ms };
          const { searchParams } = new URL(archivePath(7, period, format), 'http://a');
          const query = readArchiveQuery(Object.fromEntries(searchParams), NOW);
          expect(query).toEqual({ ...period, format, callback: undefined });
        },
      ),
    );
  });
});

describe('the station in a request', () => {
  it.each([
    ['110', 110],
    ['0', 0],
    ['-1', -1],
    ['007', 7],
  ])('the station in a request may be the id %s', (segment, id) => {
    expect(readLiveStation(segment)).toBe(id);
    expect(readArchiveStation(segment)).toBe(id);
  });

  it('the station in a request may be “all” for live data, but not for the archive', () => {
    expect(readLiveStation('all')).toBe('all');
    expect(refusal(() => readArchiveStation('all'))).toBe('invalid_argument');
  });

  it.each(['abc', '1.5', '1e2', '0x1', '+1', '--1', '1 ', ' 1', '1\n', 'ALL', 'Infinity', '١'])(
    'the station in a request is refused when it is %j',
    (segment) => {
      expect(refusal(() => readLiveStation(segment))).toBe('missing_argument');
      expect(refusal(() => readArchiveStation(segment))).toBe('invalid_argument');
    },
  );

  it('an empty station in a request is refused as a missing argument', () => {
    expect(refusal(() => readLiveStation(''))).toBe('missing_argument');
    expect(refusal(() => readArchiveStation(''))).toBe('missing_argument');
  });
});

describe('the callback of a request', () => {
  it('the JSONP callback of a request may be absent', () => {
    expect(readCallback({})).toBeUndefined();
  });

  it('the JSONP callback of a request must be exactly one dotted identifier', () => {
    expect(readCallback({ callback: 'a.b' })).toBe('a.b');
    expect(refusal(() => readCallback({ callback: 'a()' }))).toBe('invalid_argument');
    expect(refusal(() => readCallback({ callback: '' }))).toBe('invalid_argument');
    expect(refusal(() => readCallback({ callback: ['a', 'b'] }))).toBe('invalid_argument');
  });
});

describe('an archive query', () => {
  const DAY = { start: '2024-03-30', stop: '2024-03-31' };
  const start = Date.UTC(2024, 2, 30);
  const stop = Date.UTC(2024, 2, 31);
  /** For names of tests. */
  const PLUS = ', where the blank before the offset stands for +';

  it.each<[string, QueryArguments, object]>([
    ['means json by default', DAY, { start, stop, format: 'json', callback: undefined }],
    [
      'may mean csv',
      { ...DAY, format: 'csv' },
      { start, stop, format: 'csv', callback: undefined },
    ],
    [
      'may name a callback',
      { ...DAY, callback: 'f' },
      { start, stop, format: 'json', callback: 'f' },
    ],
    [
      'with the format txt may have any callback, which is ignored',
      { ...DAY, format: 'txt', callback: '()' },
      { start, stop, format: 'txt', callback: undefined },
    ],
    [
      'may have unknown arguments, which are ignored',
      { ...DAY, other: ['x', 'y'] },
      { start, stop, format: 'json', callback: undefined },
    ],
  ])('the query of an archive request %s: %j', (_, query, expected) => {
    expect(readArchiveQuery(query, NOW)).toEqual(expected);
  });

  it.each([
    ['last-hour', '', Date.UTC(2024, 2, 31, 11)],
    ['last-day', '', Date.UTC(2024, 2, 30, 12)],
    ['last-week', '', Date.UTC(2024, 2, 24, 12)],
    ['last-month', '', Date.UTC(2024, 1, 29, 12)],
    ['2024-03-30T14:00 0200', PLUS, Date.UTC(2024, 2, 30, 12)],
    ['2024-03-30T14:00 02:00', PLUS, Date.UTC(2024, 2, 30, 12)],
    ['2024-03-30T14:00+02:00', '', Date.UTC(2024, 2, 30, 12)],
    ['2024-03-30T14:00:00.5 02:00', PLUS, Date.UTC(2024, 2, 30, 12, 0, 0, 500)],
  ])('the query of an archive request may start at %j%s', (text, _, expected) => {
    expect(readArchiveQuery({ start: text, stop: 'now' }, NOW)).toMatchObject({
      start: expected,
      stop: NOW,
    });
  });

  it.each<[string, QueryArguments, string]>([
    ['no start', { stop: 'now' }, 'missing_argument'],
    ['no stop', { start: 'last-day' }, 'missing_argument'],
    ['an empty start', { ...DAY, start: '' }, 'missing_argument'],
    ['two starts', { ...DAY, start: ['2024', '2024'] }, 'invalid_argument'],
    ['two stops', { ...DAY, stop: ['2024', '2024'] }, 'invalid_argument'],
    ['two formats', { ...DAY, format: ['csv', 'csv'] }, 'invalid_argument'],
    ['two callbacks', { ...DAY, callback: ['f', 'f'] }, 'invalid_argument'],
    ['an unknown format', { ...DAY, format: 'xml' }, 'invalid_argument'],
    ['an empty format', { ...DAY, format: '' }, 'invalid_argument'],
    ['a bad callback', { ...DAY, callback: '()' }, 'invalid_argument'],
    ['a start that is no date', { ...DAY, start: 'yesterday' }, 'invalid_argument'],
    ['now as start', { ...DAY, start: 'now' }, 'invalid_argument'],
    ['a stop that is a relative word', { ...DAY, stop: 'last-day' }, 'invalid_argument'],
    ['a blank between date and time', { ...DAY, start: '2024-03-30 14:00' }, 'invalid_argument'],
    ['a stop before its start', { start: '2024-03-31', stop: '2024-03-30' }, 'invalid_argument'],
    ['a period of a year', { start: '2023', stop: '2024' }, 'request_too_large'],
  ])('the query of an archive request is refused for %s', (_what, query, code) => {
    expect(refusal(() => readArchiveQuery(query, NOW))).toBe(code);
  });

  it('the query of an archive request may span 31 days and not a millisecond more', () => {
    const query = { start: '2024-01-01', stop: '2024-02-01T00:00:00.000Z' };
    expect(readArchiveQuery(query, NOW).stop).toBe(Date.UTC(2024, 1, 1));
    const longer = { ...query, stop: '2024-02-01T00:00:00.001Z' };
    expect(refusal(() => readArchiveQuery(longer, NOW))).toBe('request_too_large');
  });

  it('the query of an archive request may have a stop equal to its start', () => {
    const { start: from, stop: to } = readArchiveQuery({ start: '2024', stop: '2024' }, NOW);
    expect(to - from).toBe(0);
  });

  it('the query of an archive request with a wrong argument is refused with an error that names the argument and its allowed values', () => {
    expect(() => readArchiveQuery({ ...DAY, stop: 'x' }, NOW)).toThrow(
      naming('stop', 'ISO 8601', 'now'),
    );
    expect(() => readArchiveQuery({ ...DAY, start: 'x' }, NOW)).toThrow(
      naming('start', 'ISO 8601', 'last-hour', 'last-day', 'last-week', 'last-month'),
    );
    expect(() => readArchiveQuery({ stop: 'now' }, NOW)).toThrow(naming('start', 'missing'));
  });
});
