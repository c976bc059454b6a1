import { describe, expect, it } from 'vitest';
import { EARLIEST_START, PeriodError, readPeriod } from '../../src/domain/readPeriod.ts';

const NOW = Date.parse('2024-05-10T12:00:00.000Z');

const read = (start: string, stop: string, isTyped: boolean, zone = 'utc') => {
  const { period } = readPeriod(start, stop, { now: NOW, zone, isTyped });
  return `${new Date(period.start).toISOString()} ${new Date(period.stop).toISOString()}`;
};

function faultOf(start: string, stop: string, isTyped: boolean) {
  try {
    return read(start, stop, isTyped);
  } catch (error) {
    if (!(error instanceof PeriodError)) throw error;
    return `${error.isImpossible ? 'impossible ' : ''}${error.fault}`;
  }
}

describe('readPeriod', () => {
  it.each([
    ['2024', '2024-05', '2024-01-01T00:00:00.000Z 2024-05-01T00:00:00.000Z'],
    ['2024-05-01T10', '2024-05-01T10:30', '2024-05-01T10:00:00.000Z 2024-05-01T10:30:00.000Z'],
    [
      '2024-05-01T10:00Z',
      '2024-05-01T10:00-0200',
      '2024-05-01T10:00:00.000Z 2024-05-01T12:00:00.000Z',
    ],
    ['last-day', 'now', '2024-05-09T12:00:00.000Z 2024-05-10T12:00:00.000Z'],
    [EARLIEST_START, 'now', '0000-01-01T00:00:00.000Z 2024-05-10T12:00:00.000Z'],
  ])(
    'readPeriod reads the start %s and the stop %s alike for the service and the command line',
    (start, stop, expected) => {
      expect(read(start, stop, false)).toBe(expected);
      expect(read(start, stop, true)).toBe(expected);
    },
  );

  it.each([
    ['3d', '2024-05-04', '2024-05-01T00:00:00.000Z 2024-05-04T00:00:00.000Z', 'start'],
    ['yesterday', 'today', '2024-05-09T00:00:00.000Z 2024-05-10T00:00:00.000Z', 'stop'],
    ['2024-5-1 9:30', 'now', '2024-05-01T09:30:00.000Z 2024-05-10T12:00:00.000Z', 'start'],
  ])(
    'readPeriod reads the start %s and the stop %s for the command line only',
    (start, stop, expected, fault) => {
      expect(read(start, stop, true)).toBe(expected);
      expect(faultOf(start, stop, false)).toMatch(fault);
    },
  );

  it.each([
    ['junk', 'now', 'start'],
    ['2024', 'last-day', 'stop'],
    ['2024-04-31', 'now', 'impossible start'],
    ['2024', '2023', 'order'],
  ])(
    'readPeriod refuses the start %s with the stop %s, and names the fault %s',
    (start, stop, fault) => {
      expect([faultOf(start, stop, false), faultOf(start, stop, true)]).toEqual([fault, fault]);
    },
  );

  it('readPeriod reads the start of the year 0000 in a zone other than UTC', () => {
    expect(read(EARLIEST_START, 'now', true, 'Europe/Paris')).toMatch(/^0000-01-01T00:00/);
  });
});
