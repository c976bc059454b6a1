import { describe, expect, it } from 'vitest';
import {
  discoveryPayload,
  homeAssistantId,
} from '../../../../src/commands/watch/mqtt/discovery.ts';
import { SPEED_UNIT_NAMES, SPEED_UNITS, type SpeedUnit } from '../../../../src/domain/units.ts';
import { ndjson } from '../../../../src/formats/json.ts';
import { DEFAULT_BASE_URL } from '../../../../src/service/service.ts';
import { NOW } from '../../../support/fixture-service.ts';
import { station } from '../../../support/watching.ts';

const credit = {
  license: 'https://example.org/license',
  attribution: '(c) contributors\u0007 of the wind network <https://example.org>',
};

const options = {
  ...{ prefix: 'home/wind', unit: 'kmh' as SpeedUnit, baseUrl: DEFAULT_BASE_URL },
  ...{ intervalMs: 60_000, hasAlert: true, credit },
};

type Component = Readonly<Record<string, unknown>>;

const componentsOf = (changes: Partial<typeof options> = {}): Record<string, Component> =>
  discoveryPayload(station({ timeMs: NOW }), { ...options, ...changes }).components as never;

/** The value that a template of the form `{{ value_json.a.b }}` reads from a document. */
function read(template: unknown, document: unknown): unknown {
  const [, path = ''] = /^\{\{ value_json\.([\w.]+) \}\}$/.exec(String(template)) ?? [];
  const step = (value: unknown, key: string) => (value as Record<string, unknown>)[key];
  return path.split('.').reduce(step, document);
}

describe('discovery by Home Assistant', () => {
  it('the MQTT discovery of Home Assistant announces a station as a device with its entities', () => {
    expect(discoveryPayload(station({ timeMs: NOW }), options)).toMatchSnapshot({
      origin: { sw_version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    });
  });

  it.each(SPEED_UNIT_NAMES)(
    'the MQTT discovery of Home Assistant lists each speed with the unit %s and a template that finds the value in a record',
    (unit) => {
      const style = { unit, writeDate: (date: string) => date, withEvents: false };
      const record = {
        ...{ station: station({ timeMs: NOW, avg: 20, max: 30, min: 10 }), distanceKm: undefined },
        ...{ samples: [], now: NOW, event: undefined, credit },
      };
      const document = JSON.parse(ndjson.record(record, style));
      const { wind_speed, gust, lull, ...others } = componentsOf({ unit });
      // Home Assistant has no abbreviation for Beaufort.
      const name = unit === 'bft' ? 'Beaufort' : SPEED_UNITS[unit].label;
      for (const speed of [wind_speed, gust, lull]) {
        expect(speed).toMatchObject({
          device_class: 'wind_speed',
          unit_of_measurement: name,
        });
        expect(read(speed?.value_template, document)).toBeTypeOf('number');
      }
      for (const [key, value] of [
        ['wind_direction', 270],
        ['signal', 20],
        ['last_measurement', '2024-01-15T12:00:00.000Z'],
      ] as const) {
        expect(read(others[key]?.value_template, document)).toBe(value);
      }
    },
  );

  it('the MQTT discovery of Home Assistant lists every entity with a platform, a name and an id of its own', () => {
    const components = Object.values(componentsOf());
    for (const { platform, name, unique_id } of components) {
      expect(platform).toMatch(/^(binary_)?sensor$/);
      expect(name).toMatch(/^[A-Z]/);
      expect(unique_id).toMatch(/^vane_home_wind_110_[a-z_]+$/);
    }
    expect(new Set(components.map(({ unique_id }) => unique_id)).size).toBe(components.length);
  });

  it('the MQTT discovery of Home Assistant has an entity for the alert only where a condition is watched', () => {
    expect(componentsOf()).toHaveProperty('alarm');
    expect(componentsOf({ hasAlert: false })).not.toHaveProperty('alarm');
  });

  it('the MQTT discovery of Home Assistant lets a measurement expire after 45 minutes, or after two polls if those take longer', () => {
    expect(componentsOf().gust?.expire_after).toBe(45 * 60);
    expect(componentsOf({ intervalMs: 3_600_000 }).gust?.expire_after).toBe(2 * 3600);
  });

  it.each([
    ['https://api.pioupiou.fr', 'https://www.openwindmap.org/PP110'],
    ['https://api.openwindmap.org', 'https://www.openwindmap.org/PP110'],
    ['http://192.0.2.1:8081/wind', 'http://192.0.2.1:8081/wind/v1/live-with-meta/110'],
  ])(
    'the MQTT discovery of Home Assistant links a station of the service %s to the page %s',
    (baseUrl, address) => {
      const { device } = discoveryPayload(station({ timeMs: NOW }), { ...options, baseUrl });
      expect(device.configuration_url).toBe(address);
    },
  );

  it('the MQTT discovery of Home Assistant links a station of the simulated network to no page', () => {
    const { device } = discoveryPayload(station({ timeMs: NOW }), {
      ...options,
      baseUrl: undefined,
    });
    expect(device.configuration_url).toBeUndefined();
  });

  it.each([
    ['control characters, without them', '\u001b[2J\u0000A\r\nB\u202eC\u009b', '[2J A  B C'],
    ['10,000 characters, cut to 100', 'x'.repeat(10_000), 'x'.repeat(100)],
    ['200 emoji, cut to 100 characters', `x${'🪁'.repeat(200)}`, `x${'🪁'.repeat(99)}`],
    ['half of a surrogate pair', '\ud83eA', '\ufffdA'],
    ['nothing visible, as Station 110', ' \u0000 ', 'Station 110'],
    ['a template, unchanged', '{{ 7 * 7 }}', '{{ 7 * 7 }}'],
  ])('the MQTT discovery of Home Assistant announces a station name with %s', (_, name, shown) => {
    const document = discoveryPayload(station({ timeMs: NOW, name }), options);
    expect(JSON.parse(JSON.stringify(document)).device.name).toBe(shown);
  });

  it('the MQTT discovery of Home Assistant makes ids of letters, digits, _ and - from any prefix of the topics', () => {
    expect(homeAssistantId('vent dété/a.b', 7)).toMatch(/^[\w-]+$/);
  });
});
