import { OLD_MEASUREMENT_MS, type Station } from '../../../domain/station.ts';
import { replaceControlCharacters } from '../../../domain/text.ts';
import { SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import { speedFieldName } from '../../../formats/convert.ts';
import type { Credit } from '../../../formats/format.ts';
import { PUBLIC_BASE_URLS } from '../../../service/service.ts';
import { VERSION } from '../../../version.ts';

export interface DiscoveryOptions {
  readonly prefix: string;
  readonly unit: SpeedUnit;
  /** Address of the station service; undefined for the simulated network. */
  readonly baseUrl: string | undefined;
  readonly intervalMs: number;
  readonly hasAlert: boolean;
  readonly credit: Credit | undefined;
}

/** The name of a unit in Home Assistant: “Beaufort” in full, other units as vane labels them. */
const unitName = (unit: SpeedUnit): string =>
  unit === 'bft' ? 'Beaufort' : SPEED_UNITS[unit].label;

/** An id for Home Assistant, which allows letters, digits, _ and -. */
export const homeAssistantId = (prefix: string, id: number): string =>
  `vane_${prefix.replace(/[^\w-]/g, '_')}_${id}`;

/**
 * The discovery message for a station as a device, for Home Assistant 2025.4 and later:
 * https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
 */
export function discoveryPayload({ id, meta }: Station, options: DiscoveryOptions) {
  const { prefix, unit, baseUrl, intervalMs, hasAlert, credit } = options;
  const device = homeAssistantId(prefix, id);
  const online = { topic: `${prefix}/availability` };
  // A value must not expire before the next poll can replace it.
  const expire_after = Math.ceil(Math.max(OLD_MEASUREMENT_MS, 2 * intervalMs) / 1000);
  const entity = (platform: string, key: string, name: string, rest: object) => ({
    [key]: {
      ...{ platform, name, unique_id: `${device}_${key}` },
      // Home Assistant shows the attribute `attribution` with the entity.
      json_attributes_topic: `${prefix}/attribution`,
      ...rest,
    },
  });
  const read = (path: string) => ({ value_template: `{{ value_json.${path} }}` });
  const sensor = (key: string, name: string, path: string, rest: object) =>
    entity('sensor', key, name, { ...read(path), expire_after, ...rest });
  const speed = (key: string, name: string, field: string) =>
    sensor(key, name, `measurements.${speedFieldName(field, unit)}`, {
      device_class: 'wind_speed',
      state_class: 'measurement',
      unit_of_measurement: unitName(unit),
    });
  return {
    device: {
      identifiers: [device],
      name: shortText(meta.name, 100) || `Station ${id}`,
      ...(credit && { manufacturer: makerOf(credit) }),
      model: 'Wind station',
      serial_number: String(id),
      ...(baseUrl !== undefined && { configuration_url: pageOf(id, baseUrl) }),
    },
    origin: { name: 'vane', sw_version: VERSION },
    availability: [online, { topic: `${prefix}/${id}/availability` }],
    availability_mode: 'all',
    state_topic: `${prefix}/${id}/state`,
    qos: 1,
    components: {
      ...speed('wind_speed', 'Wind speed', 'wind_speed_avg'),
      ...speed('gust', 'Gust', 'wind_speed_max'),
      ...speed('lull', 'Lull', 'wind_speed_min'),
      ...sensor('wind_direction', 'Wind direction', 'measurements.wind_heading', {
        device_class: 'wind_direction',
        state_class: 'measurement_angle',
        unit_of_measurement: '°',
      }),
      ...sensor('signal', 'Signal', 'status.snr', {
        device_class: 'signal_strength',
        state_class: 'measurement',
        unit_of_measurement: 'dB',
        entity_category: 'diagnostic',
      }),
      // Keep the sensor `last_measurement` available when a station stops measuring: its age
      // matters most then.
      ...entity('sensor', 'last_measurement', 'Last measurement', {
        ...read('measurements.date'),
        device_class: 'timestamp',
        availability: [online],
      }),
      ...(hasAlert &&
        entity('binary_sensor', 'alarm', 'Alarm', { state_topic: `${prefix}/${id}/alarm` })),
    },
  };
}

/**
 * The attribution and license of the data. Home Assistant shows this text as the device's
 * manufacturer.
 */
const makerOf = ({ attribution, license }: Credit): string =>
  [attribution, license].map((text) => shortText(text, 200)).join(', ');

/** Cuts a text to `most` characters of valid UTF-8, since Home Assistant builds ids from names. */
const shortText = (text: string, most: number): string =>
  [
    ...replaceControlCharacters(text)
      .trim()
      .replace(/\p{Surrogate}/gu, '\ufffd'),
  ]
    .slice(0, most)
    .join('');

/**
 * The web page of a station in the public network. For another service, the address of its metadata
 * in JSON.
 */
const pageOf = (id: number, baseUrl: string): string =>
  PUBLIC_BASE_URLS.includes(baseUrl)
    ? `https://www.openwindmap.org/PP${id}`
    : `${baseUrl}/v1/live-with-meta/${id}`;
