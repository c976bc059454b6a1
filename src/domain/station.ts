import { MINUTE_MS } from './dates.ts';
import { firstCharacters } from './text.ts';

/**
 * A station as in a live response, with the service's field names. Unknown fields (such as
 * `location.hdop`) may occur at any level and are passed through.
 */
export interface Station {
  readonly id: number;
  readonly meta: StationMeta;
  readonly location: Location;
  readonly measurements: Measurements;
  readonly status: Status;
}

export interface StationMeta {
  readonly name: string;
  /** This field and those below only exist in responses with full metadata. */
  readonly description?: string | null;
  readonly picture?: string | null;
  /** Last update of the metadata, ISO 8601 UTC. */
  readonly date?: string | null;
  readonly rating?: { readonly upvotes: number; readonly downvotes: number };
}

export interface Location {
  /** Latitude and longitude in degrees, WGS84. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** When the station last tried to find its position, successfully or not, ISO 8601 UTC. */
  readonly date: string | null;
  /** Whether the last known position is still valid. */
  readonly success: boolean;
}

export interface Measurements {
  /** End of the 4 minutes that were measured, ISO 8601 UTC. */
  readonly date: string | null;
  readonly pressure: number | null;
  /** Direction the wind comes from, degrees; 0 is north. */
  readonly wind_heading: number | null;
  /** Mean, highest and lowest wind speed, km/h. */
  readonly wind_speed_avg: number | null;
  readonly wind_speed_max: number | null;
  readonly wind_speed_min: number | null;
}

export interface Status {
  /** When the station last contacted the service, ISO 8601 UTC. */
  readonly date: string | null;
  /** Radio signal-to-noise ratio, dB: below 10 is bad, above 20 very good. */
  readonly snr: number | null;
  /** Power state: `on`, `off` (switched off by hand) or null (unknown). */
  readonly state: string | null;
}

const MAX_NAME_LENGTH = 200;

/**
 * The name of a station for people: one line without control characters, at most 200 characters.
 */
export const displayName = ({ meta }: Pick<Station, 'meta'>): string =>
  firstCharacters(meta.name, MAX_NAME_LENGTH);

/** Power states as users type them. `unknown` is any state other than `on` and `off`. */
export const POWER_STATES = ['on', 'off', 'unknown'] as const;
export type PowerState = (typeof POWER_STATES)[number];

export function powerStateOf({ status }: Station): PowerState {
  return status.state === 'on' || status.state === 'off' ? status.state : 'unknown';
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The position of a station; undefined if it was never located. The service reports such a station
 * at latitude 0, longitude 0, without a date and without success.
 */
export function positionOf(station: Station): Position | undefined {
  const { latitude, longitude, date, success } = station.location;
  if (latitude === null || longitude === null) return undefined;
  if (latitude === 0 && longitude === 0 && date === null && !success) return undefined;
  return { latitude, longitude };
}

/**
 * Milliseconds from the latest measurement of a station to `now`; undefined without a measurement.
 */
export function measurementAgeMs(station: Station, now: number): number | undefined {
  const { date } = station.measurements;
  return date === null ? undefined : now - Date.parse(date);
}

/** A measurement older than this no longer describes the current wind. */
export const OLD_MEASUREMENT_MS = 45 * MINUTE_MS;

const PRINTED_ID = /^(?:[a-z]{1,3}|(?:piou(?:piou)?|windbird)[-_])?(\d{1,15})$/i;
const KNOWN_ID = /^(?:PP|WB|MW|(?:piou(?:piou)?|windbird)[-_])?(\d{1,15})$/i;
/**
 * Matches the address of a station's page up to the id. The address of a service, which ends in
 * `/v1`, must not match.
 */
const PAGE_ADDRESS =
  /^https?:\/\/[^\s?#]*(?:[/_-](?:PP|WB|MW)?|\/(?:[a-uw-z]|[a-z]{2,3}))(\d{1,15})\/?(?:[?#]\S*)?$/i;

/**
 * Parses an id (`110`), an id as printed by the network (one to three letters and the id: `PP603`,
 * `MW800`, `A900`; or `pioupiou-385`), or the address of a station's page, which ends in an id
 * (`…/PIOU_37`). Returns undefined for other text.
 */
export function parseStationId(text: string): number | undefined {
  return idIn(PRINTED_ID, text) ?? idIn(PAGE_ADDRESS, text);
}

/**
 * Parses an id as {@link parseStationId} does, but accepts only the letters `PP`, `WB` and `MW`.
 * For text that may also be a code of another network, such as `A1`.
 */
export function parseUnambiguousStationId(text: string): number | undefined {
  return idIn(KNOWN_ID, text) ?? idIn(PAGE_ADDRESS, text);
}

function idIn(form: RegExp, text: string): number | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
