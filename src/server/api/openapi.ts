import { MAX_PERIOD_MS, RELATIVE_WORDS } from '../../domain/period.ts';
import { COLUMNS, type Column } from '../../domain/reading.ts';
import {
  STATION_FIELDS,
  STATION_PATHS,
  type StationField,
  type StationPath,
} from '../../domain/stationFields.ts';
import { LEGEND, UNITS } from '../../wire/archive.ts';
import { ERROR_STATUS } from '../../wire/errors.ts';
import { ARCHIVE_FORMATS } from '../../wire/requests.ts';
import { SERVER_ERROR_STATUS } from '../edge/errors.ts';
import { METHODS } from '../edge/headers.ts';
import type { ENDPOINTS } from './endpoints.ts';

type Schema = Readonly<Record<string, unknown>>;

const MAX_DAYS = MAX_PERIOD_MS / 86_400_000;

const ERRORS: Readonly<Record<string, number>> = { ...ERROR_STATUS, ...SERVER_ERROR_STATUS };

/** As `isCallbackName` has it; a test compares them. */
const CALLBACK_PATTERN =
  '^[A-Za-z_$][A-Za-z0-9_$]*(\\[[0-9]+\\])*(\\.[A-Za-z_$][A-Za-z0-9_$]*(\\[[0-9]+\\])*)*$';

/** As `parseDate` has it, but for days no calendar has; a test compares them. */
const DATE_PATTERN =
  '^[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?)?)?)?$';

const ref = (group: string, name: string): Schema => ({ $ref: `#/components/${group}/${name}` });
const schema = (name: string): Schema => ref('schemas', name);

const wireDate = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: `${description} ISO 8601, UTC.`,
  examples: ['2024-05-01T12:00:00.000Z'],
});
/** Every property is always there; fields that the interface does not name may be, too. */
function record(properties: Readonly<Record<string, Schema>>, description: string): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const EXAMPLES: Partial<Record<StationPath, Schema>> = {
  id: { examples: [110] },
  'status.state': { examples: ['on', 'off', null] },
};

const TYPES = {
  integer: 'integer',
  number: 'number',
  speed: 'number',
  date: 'string',
  text: 'string',
  flag: 'boolean',
} as const satisfies Record<StationField['kind'], string>;

function fieldSchema(path: StationPath): Schema {
  const { kind, description = '', isRequired, isDeprecated } = STATION_FIELDS[path];
  return {
    ...(kind === 'date' ? wireDate(description) : { description }),
    type: isRequired ? TYPES[kind] : [TYPES[kind], 'null'],
    ...(isDeprecated && { deprecated: true }),
    ...EXAMPLES[path],
  };
}

const GROUPS: Readonly<Record<string, string>> = {
  'meta.': 'What people wrote about the station.',
  'meta.rating.': 'Votes of visitors.',
  'location.': 'Where the station is.',
  'measurements.': 'The latest measurements.',
  'status.': 'Radio and power.',
};

/** The object of the fields whose paths begin with a prefix. */
function fieldGroup(paths: readonly StationPath[], prefix: string, description: string): Schema {
  const properties: Record<string, Schema> = {};
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('.');
    const group = `${prefix}${name}.`;
    properties[name] ??=
      deeper.length > 0 ? fieldGroup(paths, group, GROUPS[group] ?? '') : fieldSchema(path);
  }
  return record(properties, description);
}

function station(withMeta: boolean, description: string): Schema {
  const paths = STATION_PATHS.filter((path) => {
    const { isMeta, description } = STATION_FIELDS[path];
    return description !== undefined && (withMeta || !isMeta);
  });
  return fieldGroup(paths, '', description);
}

const PROVENANCE = {
  doc: { type: 'string', format: 'uri', description: 'The reference page of the interface.' },
  license: { type: 'string', format: 'uri', description: 'The license of the data.' },
  attribution: { type: 'string', description: 'Credits the contributors; show it with the data.' },
} as const;

const envelope = (data: Schema): Schema => record({ ...PROVENANCE, data }, 'A Live answer.');

function column({ name, unit }: Column): Schema {
  if (unit === 'utc') return { title: name, ...wireDate('Time of the reading.') };
  if (name === 'pressure') return { title: name, ...fieldSchema('measurements.pressure') };
  return { title: name, type: ['number', 'null'], description: unit };
}

/** An array that begins with exactly these; what the interface does not name may follow. */
const beginsWith = (prefixItems: readonly Schema[], more: Schema = {}): Schema => ({
  type: 'array',
  prefixItems,
  minItems: prefixItems.length,
  ...more,
});

const names = (values: readonly string[]): Schema =>
  beginsWith(
    values.map((value) => ({ const: value })),
    { items: { type: 'string' } },
  );

const SCHEMAS = {
  Station: station(false, 'A station and its latest measurements.'),
  StationWithMeta: station(true, 'A station, its metadata and latest measurements.'),
  LiveStation: envelope(schema('Station')),
  LiveStations: envelope({ type: 'array', items: schema('Station') }),
  LiveStationWithMeta: envelope(schema('StationWithMeta')),
  LiveStationsWithMeta: envelope({ type: 'array', items: schema('StationWithMeta') }),
  ArchiveRow: beginsWith(COLUMNS.map(column), {
    description: 'One reading; its columns are named by `legend`.',
  }),
  Archive: record(
    {
      ...PROVENANCE,
      legend: names(LEGEND),
      units: names(UNITS),
      data: { type: 'array', items: schema('ArchiveRow'), description: 'Ascending by time.' },
    },
    'The history of one station over a period, `start ≤ time < stop`.',
  ),
  Error: record(
    {
      error_code: {
        type: 'string',
        description: 'Also others, where a service behind this one has its own.',
        examples: Object.keys(ERRORS),
      },
      error_message: { type: 'string', description: 'For people.' },
    },
    'Why there is no data.',
  ),
} as const;

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string', examples: [example] },
});

const HEADERS = {
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read every answer.',
    schema: { const: '*' },
  },
  'Cache-Control': text('How long the answer may be kept.', 'public, max-age=60'),
  ETag: text('Sent back in `If-None-Match`, spares an unchanged answer.', '"5f3c"'),
  Age: {
    description: 'Seconds since the answer was fetched.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 0 },
  },
  Allow: { description: 'The methods there are.', schema: { const: METHODS } },
} as const;

const header = (name: keyof typeof HEADERS): Schema => ({ [name]: ref('headers', name) });
const OPEN = header('Access-Control-Allow-Origin');
const CACHED = { ...OPEN, ...header('Cache-Control'), ...header('ETag'), ...header('Age') };

const EXTRA_HEADERS: Readonly<Record<number, Schema>> = {
  405: header('Allow'),
  429: header('Retry-After'),
  503: header('Retry-After'),
};

/** The answer of one status: its codes as examples. */
function errorResponse(status: number): Schema {
  const codes = Object.keys(ERRORS).filter((code) => ERRORS[code] === status);
  const examples = codes.map((code) => [
    code,
    { value: { error_code: code, error_message: `${code.replaceAll('_', ' ')}.` } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\``).join(' or '),
    headers: { ...OPEN, ...EXTRA_HEADERS[status] },
    content: {
      'application/json': { schema: schema('Error'), examples: Object.fromEntries(examples) },
    },
  };
}

const ERROR_STATUSES = [...new Set(Object.values(ERRORS))].sort((a, b) => a - b);

const RESPONSES = {
  NotModified: { description: 'The answer is still the one of `If-None-Match`.', headers: CACHED },
  ...Object.fromEntries(
    ERROR_STATUSES.map((status) => [`Error${status}`, errorResponse(status)] as const),
  ),
};

const parameter = (where: string, name: string, description: string, more: Schema): Schema => ({
  name,
  in: where,
  required: where === 'path',
  description,
  ...more,
});

const date = (words: readonly string[]): Schema => ({
  anyOf: [{ enum: words }, { type: 'string', pattern: DATE_PATTERN }],
});

const dateExamples = (...values: readonly string[]): Schema =>
  Object.fromEntries(values.map((value) => [value, { value }]));

const ID = { type: 'integer', examples: [110] };

const PARAMETERS = {
  LiveStation: parameter('path', 'station_id', 'Id of a station, or `all`.', {
    schema: { anyOf: [ID, { const: 'all' }] },
    examples: { one: { value: 110 }, all: { value: 'all' } },
  }),
  ArchiveStation: parameter('path', 'station_id', 'Id of one station.', {
    schema: ID,
    example: 110,
  }),
  Start: parameter(
    'query',
    'start',
    'Beginning of the period: a date, or a length of time before now. Parts that are left out take their lowest value; without an offset it is UTC.',
    {
      required: true,
      schema: date(RELATIVE_WORDS),
      examples: dateExamples(...RELATIVE_WORDS, '2024-05-01', '2024-05-01T12:00+0200'),
    },
  ),
  Stop: parameter('query', 'stop', `End of the period, at most ${MAX_DAYS} days after \`start\`.`, {
    required: true,
    schema: date(['now']),
    examples: dateExamples('now', '2024-05-02', '2024-05-01T13:00Z'),
  }),
  Format: parameter('query', 'format', 'Form of the answer.', {
    schema: { enum: ARCHIVE_FORMATS, default: ARCHIVE_FORMATS[0] },
  }),
  Callback: parameter(
    'query',
    'callback',
    'JSONP: wraps a JSON answer in a call of this function. Errors are not wrapped.',
    { schema: { type: 'string', maxLength: 128, pattern: CALLBACK_PATTERN }, example: 'show' },
  ),
} as const;

const JSONP = {
  'text/javascript': {
    schema: { type: 'string' },
    example: "/**/ typeof show === 'function' && show({});",
  },
};

const TEXT = { schema: { type: 'string' } };

/** By format, as the type that names it; a format without one does not compile. */
const ARCHIVE_CONTENT = {
  json: { 'application/json': { schema: schema('Archive') }, ...JSONP },
  csv: { 'text/csv': TEXT },
  txt: { 'text/plain': TEXT },
} as const satisfies Record<(typeof ARCHIVE_FORMATS)[number], Schema>;

interface Endpoint {
  readonly summary: string;
  readonly parameters: readonly (keyof typeof PARAMETERS)[];
  readonly content: Schema;
  /** Codes of the interface that this endpoint never answers. */
  readonly never: readonly (keyof typeof ERROR_STATUS)[];
}

const live = (summary: string, one: string, all: string): Endpoint => ({
  summary,
  parameters: ['LiveStation', 'Callback'],
  content: { 'application/json': { schema: { anyOf: [schema(one), schema(all)] } }, ...JSONP },
  never: ['request_too_large'],
});

const DESCRIBED = {
  live: live('Latest measurements of one station or all', 'LiveStation', 'LiveStations'),
  'live-with-meta': live(
    'Latest measurements with complete metadata',
    'LiveStationWithMeta',
    'LiveStationsWithMeta',
  ),
  archive: {
    summary: `History of one station over at most ${MAX_DAYS} days`,
    parameters: ['ArchiveStation', 'Start', 'Stop', 'Format', 'Callback'],
    content: Object.assign({}, ...ARCHIVE_FORMATS.map((format) => ARCHIVE_CONTENT[format])),
    never: [],
  },
} as const satisfies Record<keyof typeof ENDPOINTS, Endpoint>;

function describeEndpoint([name, endpoint]: [string, Endpoint]): [string, Schema] {
  const never = endpoint.never.map((code) => ERROR_STATUS[code] as number);
  const statuses = ERROR_STATUSES.filter((status) => !never.includes(status));
  const get = {
    operationId: name,
    tags: ['stations'],
    summary: endpoint.summary,
    parameters: endpoint.parameters.map((key) => ref('parameters', key)),
    responses: {
      200: { description: endpoint.summary, headers: CACHED, content: endpoint.content },
      304: ref('responses', 'NotModified'),
      ...Object.fromEntries(
        statuses.map((status) => [status, ref('responses', `Error${status}`)] as const),
      ),
    },
  };
  return [`/v1/${name}/{station_id}`, { get }];
}

function ownPath(
  operationId: string,
  summary: string,
  content: Schema,
  headers: Schema = OPEN,
): Schema {
  const ok = { description: summary, headers, content };
  return { get: { operationId, tags: ['server'], summary, responses: { 200: ok } } };
}

const bodyOf = (contentType: string, type: string): Schema => ({
  [contentType]: { schema: { type } },
});

/** Paths beside the interface. */
const OWN_PATHS = {
  '/': ownPath('page', 'A page that shows the stations', bodyOf('text/html', 'string')),
  '/health': ownPath(
    'health',
    'Whether the server answers, for its operator: not for pages of other origins',
    bodyOf('application/json', 'object'),
    {},
  ),
  '/metrics': ownPath(
    'metrics',
    'What Prometheus reads, for the operator: not for pages of other origins',
    bodyOf('text/plain', 'string'),
    {},
  ),
  '/openapi.json': ownPath('openapi', 'This document', bodyOf('application/json', 'object')),
} as const;

/**
 * The OpenAPI 3.1 description of everything the server answers.
 * @param version of vane
 */
export function openapiDocument(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wind stations',
      version,
      description:
        'Latest measurements and history of a network of wind stations. Everything is read with GET (or HEAD), from pages of any origin; speeds are in km/h and dates in UTC. The license and the attribution that each answer carries apply to its data.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'stations', description: 'The interface.' },
      { name: 'server', description: 'About this server.' },
    ],
    paths: { ...Object.fromEntries(Object.entries(DESCRIBED).map(describeEndpoint)), ...OWN_PATHS },
    components: {
      schemas: SCHEMAS,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: RESPONSES,
    },
  };
}
