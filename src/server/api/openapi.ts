import { DAY_MS } from '../../domain/dates.ts';
import { THEME_NAMES } from '../../domain/palette.ts';
import { MAX_PERIOD_MS, RELATIVE_WORDS } from '../../domain/period.ts';
import { COLUMNS, type Column } from '../../domain/reading.ts';
import {
  STATION_FIELDS,
  STATION_PATHS,
  type StationField,
  type StationPath,
} from '../../domain/stationFields.ts';
import { SPEED_UNIT_NAMES } from '../../domain/units.ts';
import { KINDS } from '../../figures/kinds.ts';
import { LEGEND, UNITS } from '../../wire/archive.ts';
import { ERROR_STATUS } from '../../wire/errorBody.ts';
import { ARCHIVE_FORMATS, type Endpoint } from '../../wire/requests.ts';
import { SERVER_ERROR_STATUS } from '../edge/errorAnswers.ts';
import { METHODS } from '../edge/headers.ts';
import {
  DEFAULT_PERIODS,
  MAX_PLOT_DAYS,
  PICTURE_PX,
  PLOT_FORMATS,
  type PlotArgument,
  SECTORS,
} from '../plot/query.ts';

type Schema = Readonly<Record<string, unknown>>;

const MAX_DAYS = MAX_PERIOD_MS / DAY_MS;

/** Matches the callback names that `isCallbackName` accepts; a test compares the two. */
const CALLBACK_PATTERN =
  '^[A-Za-z_$][A-Za-z0-9_$]*(\\[[0-9]+\\])*(\\.[A-Za-z_$][A-Za-z0-9_$]*(\\[[0-9]+\\])*)*$';

/** Matches what `parseDate` accepts, and dates such as 02-31; a test compares the two. */
const DATE_PATTERN =
  '^[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?)?)?)?$';

const ref = (path: string): Schema => ({ $ref: `#/components/${path}` });

const TEXT = { type: 'string' };

/** The schema of an object that has all `properties`, and may have others. */
function record(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The schema of an array that begins with these items; others may follow. */
const beginsWith = (prefixItems: readonly Schema[]): Schema => ({
  type: 'array',
  prefixItems,
  minItems: prefixItems.length,
});

const TYPES: Readonly<Record<StationField['kind'], string>> = {
  integer: 'integer',
  number: 'number',
  speed: 'number',
  date: 'string',
  text: 'string',
  flag: 'boolean',
};

const WIRE_DATE = {
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2024-05-01T12:00:00.000Z'],
};

function fieldSchema(path: StationPath): Schema {
  const { kind, description, isRequired, isDeprecated } = STATION_FIELDS[path];
  return {
    type: isRequired ? TYPES[kind] : [TYPES[kind], 'null'],
    description,
    deprecated: isDeprecated,
    ...(kind === 'date' && WIRE_DATE),
  };
}

/** The schema of an object with those station fields whose paths begin with `prefix`. */
function fieldGroup(paths: readonly StationPath[], prefix: string, description?: string): Schema {
  const properties: Record<string, Schema> = {};
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('.');
    properties[name] ??=
      deeper.length > 0 ? fieldGroup(paths, `${prefix}${name}.`) : fieldSchema(path);
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

function column({ name, unit }: Column): Schema {
  if (unit === 'utc') return { title: name, type: 'string', ...WIRE_DATE };
  return { title: name, type: ['number', 'null'], description: unit };
}

const PROVENANCE = {
  doc: { ...TEXT, format: 'uri', description: 'The reference page of the interface.' },
  license: { ...TEXT, format: 'uri', description: 'The license of the data.' },
  attribution: { ...TEXT, description: 'Credits the contributors; show it with the data.' },
};

const envelope = (data: Schema): Schema => record({ ...PROVENANCE, data }, 'A Live answer.');

const SCHEMAS = {
  Station: station(false, 'A station and its latest measurements.'),
  StationWithMeta: station(true, 'A station, its metadata and latest measurements.'),
  LiveStation: envelope(ref('schemas/Station')),
  LiveStations: envelope(listOf(ref('schemas/Station'))),
  LiveStationWithMeta: envelope(ref('schemas/StationWithMeta')),
  LiveStationsWithMeta: envelope(listOf(ref('schemas/StationWithMeta'))),
  Archive: record(
    {
      ...PROVENANCE,
      legend: { ...beginsWith(LEGEND.map((name) => ({ const: name }))), items: TEXT },
      units: beginsWith([...UNITS.slice(0, -1).map((unit) => ({ const: unit })), TEXT]),
      data: { ...listOf(beginsWith(COLUMNS.map(column))), description: 'Ascending by time.' },
    },
    'The history of one station over a period, `start ≤ time < stop`.',
  ),
  Error: record(
    {
      error_code: {
        ...TEXT,
        description: 'Also others, where a service behind this one has its own.',
      },
      error_message: { ...TEXT, description: 'For people.' },
    },
    'Why there is no data.',
  ),
};

const SECONDS = { type: 'integer', minimum: 0 };

const OPEN = {
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read every answer.',
    schema: { const: '*' },
  },
};
const CACHED = {
  ...OPEN,
  'Cache-Control': {
    description: 'How long the answer may be kept.',
    schema: TEXT,
    example: 'public, max-age=60',
  },
  ETag: {
    description: 'Sent back in `If-None-Match`, spares an unchanged answer.',
    schema: TEXT,
    example: '"5f3c"',
  },
  Age: { description: 'Seconds since the answer was fetched.', schema: SECONDS },
};
const RETRY = {
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: SECONDS },
};
const ERROR_HEADERS: Readonly<Record<number, Schema>> = {
  405: { Allow: { description: 'The methods there are.', schema: { const: METHODS } } },
  429: RETRY,
  503: RETRY,
};

const ERRORS = Object.entries<number>({ ...ERROR_STATUS, ...SERVER_ERROR_STATUS });
const ERROR_STATUSES = [...new Set(ERRORS.map(([, status]) => status))].sort((a, b) => a - b);

/** The response of one error status, with an example for each of its error codes. */
function errorResponse(status: number): Schema {
  const codes = ERRORS.filter((error) => error[1] === status).map(([code]) => code);
  const examples = codes.map((code) => {
    const value = { error_code: code, error_message: `${code.replaceAll('_', ' ')}.` };
    return [code, { value }];
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(' or '),
    headers: { ...OPEN, ...ERROR_HEADERS[status] },
    content: {
      'application/json': { schema: ref('schemas/Error'), examples: Object.fromEntries(examples) },
    },
  };
}

const RESPONSES = {
  NotModified: { description: 'The answer is still the one of `If-None-Match`.', headers: CACHED },
  ...Object.fromEntries(
    ERROR_STATUSES.map((status) => [`Error${status}`, errorResponse(status)] as const),
  ),
};

const ID = { type: 'integer', examples: [110] };

const inPath = (name: string, description: string, schema: Schema, more?: Schema): Schema => {
  return { in: 'path', required: true, name, description, schema, ...more };
};

const EXAMPLE = { example: 110 };
const ONE_STATION = inPath('station_id', 'Id of one station.', ID, EXAMPLE);

const inQuery = (name: string, description: string, schema: Schema, more?: Schema): Schema => {
  return { in: 'query', required: false, name, description, schema, ...more };
};

function inQueryDate(
  name: string,
  words: readonly string[],
  description: string,
  required = false,
): Schema {
  const text = `${description} Parts that are left out take their lowest value; without an offset it is UTC.`;
  const schema = { anyOf: [{ enum: words }, { ...TEXT, pattern: DATE_PATTERN }] };
  const values = [...words, '2024-05-01', '2024-05-01T12:00+0200'];
  const examples = Object.fromEntries(values.map((value) => [value, { value }]));
  return inQuery(name, text, schema, { required, examples });
}

const CALLBACK = inQuery(
  'callback',
  'JSONP: wraps a JSON answer in a call of this function. Errors are not wrapped.',
  { ...TEXT, maxLength: 128, pattern: CALLBACK_PATTERN },
  { example: 'show' },
);

const JSONP = {
  'text/javascript': {
    schema: TEXT,
    example: "/**/ typeof show === 'function' && show({});",
  },
};

/** The content of an archive's answer by format. */
const ARCHIVE_CONTENT: Readonly<Record<(typeof ARCHIVE_FORMATS)[number], Schema>> = {
  json: { 'application/json': { schema: ref('schemas/Archive') }, ...JSONP },
  csv: { 'text/csv': { schema: TEXT } },
  txt: { 'text/plain': { schema: TEXT } },
};

interface Operation {
  readonly summary: string;
  readonly parameters: readonly Schema[];
  readonly content: Schema;
}

const live = (summary: string, one: string, all: string): Operation => ({
  summary,
  parameters: [
    inPath('station_id', 'Id of a station, or `all`.', { anyOf: [ID, { const: 'all' }] }, EXAMPLE),
    CALLBACK,
  ],
  content: {
    'application/json': { schema: { anyOf: [ref(`schemas/${one}`), ref(`schemas/${all}`)] } },
    ...JSONP,
  },
});

const DESCRIBED: Readonly<Record<Endpoint, Operation>> = {
  live: live('Latest measurements of one station or all', 'LiveStation', 'LiveStations'),
  'live-with-meta': live(
    'Latest measurements with complete metadata',
    'LiveStationWithMeta',
    'LiveStationsWithMeta',
  ),
  archive: {
    summary: `History of one station over at most ${MAX_DAYS} days`,
    parameters: [
      ONE_STATION,
      inQueryDate(
        'start',
        RELATIVE_WORDS,
        'Beginning of the period: a date, or a time before now.',
        true,
      ),
      inQueryDate(
        'stop',
        ['now'],
        `End of the period, at most ${MAX_DAYS} days after \`start\`.`,
        true,
      ),
      inQuery('format', 'Form of the answer.', {
        enum: ARCHIVE_FORMATS,
        default: ARCHIVE_FORMATS[0],
      }),
      CALLBACK,
    ],
    content: Object.assign({}, ...Object.values(ARCHIVE_CONTENT)),
  },
};

const PX = { type: 'integer', minimum: PICTURE_PX.least, maximum: PICTURE_PX.most };

const PLOT_PARAMETERS: Readonly<Record<PlotArgument, Schema>> = {
  start: inQueryDate(
    'start',
    RELATIVE_WORDS,
    `Beginning of the period; by default ${Object.entries(DEFAULT_PERIODS)
      .map(([kind, duration]) => `${duration} before its end for ${kind}`)
      .join(', ')}. Dates without an offset are of \`tz\`.`,
  ),
  stop: inQueryDate(
    'stop',
    ['now'],
    `End of the period, at most ${MAX_PLOT_DAYS} days after \`start\`; by default now.`,
  ),
  units: inQuery('units', 'Unit of speeds.', { enum: SPEED_UNIT_NAMES, default: 'kmh' }),
  tz: inQuery(
    'tz',
    'Time zone of the tz database, `UTC+2`, or `utc`.',
    { ...TEXT, default: 'utc' },
    { example: 'Europe/Paris' },
  ),
  sectors: inQuery('sectors', 'Sectors of a rose.', { enum: SECTORS, default: '16' }),
  theme: inQuery(
    'theme',
    'Colours for a light or a dark ground; without it svg follows the system of the reader and png is light.',
    { enum: THEME_NAMES },
  ),
  width: inQuery('width', 'Px.', PX),
  height: inQuery('height', 'Px; a picture that needs more is higher.', PX),
};

const PLOT: Operation = {
  summary: `A picture of one station over at most ${MAX_PLOT_DAYS} days`,
  parameters: [
    ONE_STATION,
    inPath('kind', 'What it shows.', { enum: KINDS }),
    inPath('format', 'Its form.', { enum: PLOT_FORMATS }),
    ...Object.values(PLOT_PARAMETERS),
  ],
  content: { 'image/svg+xml': { schema: TEXT }, 'image/png': {} },
};

function describeEndpoint(operationId: string, endpoint: Operation, isLong: boolean): Schema {
  const { summary, parameters, content } = endpoint;
  const errors = ERROR_STATUSES.filter(
    (status) => isLong || status !== ERROR_STATUS.request_too_large,
  );
  const get = {
    operationId,
    tags: ['stations'],
    summary,
    parameters,
    responses: {
      200: { description: summary, headers: CACHED, content },
      304: ref('responses/NotModified'),
      ...Object.fromEntries(errors.map((status) => [status, ref(`responses/Error${status}`)])),
    },
  };
  return { get };
}

const ENDPOINT_PATHS = Object.fromEntries(
  Object.entries(DESCRIBED).map(([name, endpoint]) => [
    `/v1/${name}/{station_id}`,
    describeEndpoint(name, endpoint, name === 'archive'),
  ]),
);

const STATION_METRICS: Operation = {
  summary: 'Latest measurements of stations as Prometheus reads them',
  parameters: [
    inQuery('id', 'Id of a station; repeated for several, left out for all.', listOf(ID), {
      example: [110, 603],
    }),
    inQuery('near', 'Latitude and longitude of a place; needs `radius`.', TEXT, {
      example: '45.96,6.24',
    }),
    inQuery('radius', 'Longest distance from `near`, in km, nm or mi.', TEXT, {
      example: '25km',
    }),
    inQuery('bbox', 'West, south, east and north of a box, in degrees.', TEXT, {
      example: '5.5,45,7.5,46.5',
    }),
  ],
  content: { 'text/plain': { schema: TEXT } },
};

/** Describes a path outside of the station service's interface, such as /health. */
function ownPath(operationId: string, summary: string, contentType: string): Schema {
  const ok = { description: summary, content: { [contentType]: {} } };
  return { get: { operationId, tags: ['server'], summary, responses: { 200: ok } } };
}

/** The OpenAPI 3.1 description of all that the server answers. */
export function openapiDocument(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wind stations',
      version,
      description:
        'Latest measurements and history of a network of wind stations. Everything is read with GET (or HEAD), from pages of any origin but for /health and /metrics; speeds are in km/h and dates in UTC. The license and the attribution that each answer carries apply to its data.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'stations', description: 'The interface.' },
      { name: 'server', description: 'About this server.' },
    ],
    paths: {
      ...ENDPOINT_PATHS,
      '/plot/{station_id}/{kind}.{format}': describeEndpoint('plot', PLOT, true),
      '/': ownPath('page', 'A page that shows the stations', 'text/html'),
      '/coastline.txt': ownPath('coastline', 'Land and borders as two SVG paths', 'text/plain'),
      '/health': ownPath('health', 'Whether the server answers', 'application/json'),
      '/metrics': ownPath('metrics', 'What Prometheus reads of this server', 'text/plain'),
      '/metrics/stations': describeEndpoint('station-metrics', STATION_METRICS, false),
      '/openapi.json': ownPath('openapi', 'This document', 'application/json'),
    },
    components: { schemas: SCHEMAS, responses: RESPONSES },
  };
}
