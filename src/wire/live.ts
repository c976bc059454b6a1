import type { LiveStation, LiveStations } from '../domain/envelope.ts';
import type { Station } from '../domain/station.ts';
import {
  array,
  boolean,
  type Check,
  dateOrNull,
  decodeEnvelope,
  type Field,
  integer,
  member,
  mismatch,
  numberOrNull,
  object,
  string,
  stringOrNull,
} from './check.ts';

const LIVE_FIELDS: Record<string, Check> = {
  meta: object,
  'meta.name': string,
  location: object,
  'location.latitude': numberOrNull,
  'location.longitude': numberOrNull,
  'location.date': dateOrNull,
  'location.success': boolean,
  measurements: object,
  'measurements.date': dateOrNull,
  'measurements.pressure': numberOrNull,
  'measurements.wind_heading': numberOrNull,
  'measurements.wind_speed_avg': numberOrNull,
  'measurements.wind_speed_max': numberOrNull,
  'measurements.wind_speed_min': numberOrNull,
  status: object,
  'status.date': dateOrNull,
  'status.snr': numberOrNull,
  'status.state': stringOrNull,
};

const FIELDS_WITH_META: Record<string, Check> = {
  ...LIVE_FIELDS,
  'meta.description': stringOrNull,
  'meta.picture': stringOrNull,
  'meta.date': dateOrNull,
  'meta.rating': object,
  'meta.rating.upvotes': integer,
  'meta.rating.downvotes': integer,
};

/** Checks a station object in place; unknown fields stay as they are. */
function decodeStation(field: Field, withMeta: boolean): Station {
  object(field);
  const root = { ...field, path: field.path === 'data' ? '' : field.path };
  integer(member(root, 'id'));
  const id = (field.value as { id: number }).id;
  const station: Field = { subject: `station ${id}`, path: '', value: field.value };
  for (const [path, check] of Object.entries(withMeta ? FIELDS_WITH_META : LIVE_FIELDS)) {
    check(path.split('.').reduce(member, station));
  }
  return field.value as Station;
}

/**
 * Reads the answer of `/live/{id}` or `/live-with-meta/{id}`.
 * @throws NotInterfaceError that names the field
 */
export function decodeLiveStation(text: string, id: number, withMeta: boolean): LiveStation {
  const answer = decodeEnvelope(`station ${id}`, text);
  const station = decodeStation(member(answer, 'data'), withMeta);
  if (station.id !== id) {
    const field = { subject: `station ${id}`, path: 'id', value: station.id };
    throw mismatch(field, `the ${id} asked for`);
  }
  return answer.value as LiveStation;
}

/**
 * Reads the answer of `/live/all` or `/live-with-meta/all`, and sorts the stations to ascend by id.
 * @throws NotInterfaceError that names the field and the station
 */
export function decodeLiveStations(text: string, withMeta: boolean): LiveStations {
  const answer = decodeEnvelope('all stations', text);
  const data = member(answer, 'data');
  const stations = array(data).map((value, index) =>
    decodeStation({ subject: data.subject, path: `data[${index}]`, value }, withMeta),
  );
  stations.sort((a, b) => a.id - b.id);
  return { ...(answer.value as LiveStations), data: stations };
}
