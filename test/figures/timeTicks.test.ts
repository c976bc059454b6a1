import { describe, expect, it } from 'vitest';
import { timeTicks } from '../../src/figures/timeTicks.ts';

/** Labels of a time axis from a date to a date of a zone, with room for so many labels. */
function labels(zone: string, start: string, stop: string, room: number): string[] {
  const period = { start: Date.parse(start), stop: Date.parse(stop) };
  return timeTicks(period, zone, room).map(({ label }) => label);
}

describe('a time axis', () => {
  it('a time axis has even hours of the clock on the day when summer time begins', () => {
    const day = labels('Europe/Paris', '2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00', 12);
    expect(day).toEqual(
      '31 Mar,04:00,06:00,08:00,10:00,12:00,14:00,16:00,18:00,20:00,22:00'.split(','),
    );
  });

  it('a time axis has every hour of the clock once on the days when the clocks change', () => {
    const hours = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, index) => `${String(from + index).padStart(2, '0')}:00`,
      );
    expect(labels('Europe/Paris', '2024-03-31T00:00+01:00', '2024-04-01T00:00+02:00', 24)).toEqual([
      '31 Mar',
      '01:00',
      ...hours(3, 24),
    ]);
    expect(labels('Europe/Paris', '2024-10-27T00:00+02:00', '2024-10-28T00:00+01:00', 25)).toEqual([
      '27 Oct',
      ...hours(1, 24),
    ]);
  });

  it('a time axis labels each day after summer time began with its date', () => {
    const days = labels('Europe/Paris', '2024-03-30T00:00+01:00', '2024-04-02T00:00+02:00', 36);
    expect(days.filter((label) => !label.endsWith(':00'))).toEqual(['30 Mar', '31 Mar', '1 Apr']);
    expect(days.slice(-3)).toEqual(['18:00', '20:00', '22:00']);
  });

  it('a time axis labels a day that the clocks begin at 01:00 with its date', () => {
    const cairo = ['Africa/Cairo', '2024-04-24T00:00+02:00', '2024-04-29T00:00+03:00'] as const;
    expect(labels(...cairo, 10)).toEqual(
      ['24 Apr', '25 Apr', '26 Apr', '27 Apr', '28 Apr'].flatMap((day) => [day, '12:00']),
    );
    const close = labels(...cairo, 60);
    expect(close.slice(24, 27)).toEqual(['26 Apr', '04:00', '06:00']);
  });

  it.each([
    ['days', 'Africa/Cairo', '2024-04-24T00:00+02:00', '2024-04-29T00:00+03:00', 5],
    ['months', 'America/Asuncion', '2017-07-01T00:00-04:00', '2018-01-01T00:00-03:00', 7],
  ])(
    'a time axis has ticks of %s at the start of a day after a day that began at 01:00',
    (...given) => {
      const [, zone, start, stop, room] = given;
      const last = timeTicks({ start: Date.parse(start), stop: Date.parse(stop) }, zone, room).at(
        -1,
      );
      const clock = {
        timeZone: zone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      } as const;
      expect(new Date(last?.ms ?? 0).toLocaleTimeString('en', clock)).toBe('00:00');
    },
  );
});
