import type { LiveStation, LiveStations } from '../domain/envelope.ts';
import type { Station } from '../domain/station.ts';
import { STATION_FIELDS, STATION_PATHS, type StationField } from '../domain/stationFields.ts';
import {
  checkArray,
  checkBoolean,
  checkDateOrNull,
  checkInteger,
  checkNumberOrNull,
  checkObject,
  checkString,
  checkStringOrNull,
  decodeEnvelope,
  type FieldCheck,
  memberField,
  mismatchError,
  type ResponseField,
} from './check.ts';

const CHECKS: Readonly<Record<StationField['kind'], FieldCheck>> = {
  integer: checkInteger,
  number: checkNumberOrNull,
  speed: checkNumberOrNull,
  date: checkDateOrNull,
  text: checkStringOrNull,
  flag: checkBoolean,
};

/** The fields of a station that the service documents. */
const DOCUMENTED = STATION_PATHS.filter((path) => !STATION_FIELDS[path].isExtra);

/** Checks a station in place. Unknown fields are kept. */
function decodeStation(field: ResponseField, withMeta: boolean): Station {
  checkObject(field);
  const root = { ...field, path: field.path === 'data' ? '' : field.path };
  checkInteger(memberField(root, 'id'));
  const id = (field.value as { id: number }).id;
  const station: ResponseField = { subject: `station ${id}`, path: '', value: field.value };
  for (const path of DOCUMENTED) {
    const { kind, isMeta, isRequired } = STATION_FIELDS[path];
    if (isMeta && !withMeta) continue;
    const check = kind === 'text' && isRequired ? checkString : CHECKS[kind];
    check(path.split('.').reduce(memberOfObject, station));
  }
  return field.value as Station;
}

function memberOfObject(parent: ResponseField, name: string): ResponseField {
  checkObject(parent);
  return memberField(parent, name);
}

/**
 * Decodes the response of `/live/{id}` or `/live-with-meta/{id}`.
 * @throws UnexpectedResponseError that names the field
 */
export function decodeLiveStation(text: string, id: number, withMeta: boolean): LiveStation {
  const response = decodeEnvelope(`station ${id}`, text);
  const station = decodeStation(memberField(response, 'data'), withMeta);
  if (station.id !== id) {
    const field = { subject: `station ${id}`, path: 'id', value: station.id };
    throw mismatchError(field, `the requested ${id}`);
  }
  return response.value as LiveStation;
}

/**
 * Decodes the response of `/live/all` or `/live-with-meta/all`, and sorts the stations by id.
 * @throws UnexpectedResponseError that names the field and the station
 */
export function decodeLiveStations(text: string, withMeta: boolean): LiveStations {
  const response = decodeEnvelope('all stations', text);
  const data = memberField(response, 'data');
  const stations = checkArray(data).map((value, index) =>
    decodeStation({ subject: data.subject, path: `data[${index}]`, value }, withMeta),
  );
  stations.sort((a, b) => a.id - b.id);
  return { ...(response.value as LiveStations), data: stations };
}
