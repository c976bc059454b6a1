import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDate } from '../../src/domain/dates.ts';
import { THEME_NAMES } from '../../src/domain/palette.ts';
import { RELATIVE_START_WORDS, TYPED_START_WORDS } from '../../src/domain/period.ts';
import { STATION_FIELDS, STATION_PATHS } from '../../src/domain/stationFields.ts';
import { SPEED_UNIT_NAMES } from '../../src/domain/units.ts';
import { CELL_VALUES } from '../../src/figures/figureOptions.ts';
import { FIGURE_KINDS, minimumSizePx } from '../../src/figures/kinds.ts';
import { SERVER_ERROR_STATUS } from '../../src/server/edge/errorResponses.ts';
import { createMetrics, createOperatorDocuments } from '../../src/server/ops/metrics.ts';
import { createPublicDocuments } from '../../src/server/page/page.ts';
import {
  PICTURE_SIZE_LIMITS_PX,
  PLOT_ARGUMENTS,
  PLOT_FORMATS,
  SECTOR_ARGUMENTS,
} from '../../src/server/plot/query.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS } from '../../src/wire/archive.ts';
import { ERROR_STATUS } from '../../src/wire/errorBody.ts';
import { isCallbackName } from '../../src/wire/jsonp.ts';
import { ARCHIVE_RESPONSE_FORMATS, ENDPOINTS } from '../../src/wire/requests.ts';
import { fixtureService, NOW, UNKNOWN_STATION } from '../support/fixture-service.ts';
import { type Reply, sendRequest } from '../support/http.ts';

interface Ref {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Ref>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Ref[];
  readonly responses: Readonly<Record<string, Ref | Response>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

const reports = createOperatorDocuments(createMetrics({ now: () => NOW }), async () => ({
  ...{ ageMs: 0, isFresh: true },
}));
const documents = createPublicDocuments('1.2.3');
const document: Document = JSON.parse(documents['/openapi.json']().body.toString());

function resolve<T>(pointer: string): T {
  const names = pointer.slice(2).split('/');
  // biome-ignore lint/suspicious/noExplicitAny: a path into JSON
  return names.reduce((node: any, name) => node?.[name.replaceAll('~1', '/')], document) as T;
}

const follow = <T extends object>(node: T | Ref): T =>
  '$ref' in node ? resolve<T>((node as Ref).$ref) : (node as T);

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, uri: true } });
ajv.addSchema({ $id: 'document', ...document });

const checks = new WeakMap<object, ValidateFunction>();

function compile(schema: object): ValidateFunction {
  const known = checks.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const check = ajv.compile(JSON.parse(text));
  checks.set(schema, check);
  return check;
}

/** The violations of a schema by a value; undefined where it fits. */
function problems(schema: object, value: unknown): string | undefined {
  const check = compile(schema);
  return check(value) ? undefined : ajv.errorsText(check.errors);
}

const operationOf = (name: string): Operation =>
  document.paths[`/v1/${name}/{station_id}`]?.get as Operation;

const parametersAt = (path: string): Parameter[] =>
  (document.paths[path]?.get.parameters ?? []).map((parameter) =>
    follow<Parameter>(parameter as never),
  );

const parametersOf = (name: string): Parameter[] => parametersAt(`/v1/${name}/{station_id}`);

const PLOT_PATH = '/plot/{station_id}/{kind}.{format}';

interface Schema {
  readonly examples?: readonly unknown[];
}

/** The schema of an array with known first items. */
interface Columns {
  readonly prefixItems: readonly { readonly title?: string }[];
  readonly items: Columns;
}

interface Fields {
  readonly properties?: Readonly<Record<string, Fields>>;
  readonly required?: readonly string[];
}

/** The paths to all values that an object of a schema must have, such as `status.snr`. */
function requiredPaths(schema: Fields | Ref): string[] {
  const { properties = {}, required = [] } = follow<Fields>(schema);
  return required.flatMap((name) => {
    const below = requiredPaths(properties[name] ?? {});
    return below.length === 0 ? name : below.map((path) => `${name}.${path}`);
  });
}

describe('/openapi.json', () => {
  it('/openapi.json is OpenAPI 3.1 and names the version of vane', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.2.3']);
    const ids = Object.values(document.paths).map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const text = JSON.stringify(document);
    expect(text).not.toContain('undefined');
  });

  it('/openapi.json has each component that a $ref names, and no other component', () => {
    const referred = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer]) => pointer),
    );
    for (const pointer of referred) expect(resolve(pointer as string), pointer).toBeDefined();
    const there = Object.entries(resolve<Record<string, object>>('#/components')).flatMap(
      ([group, members]) => Object.keys(members).map((name) => `#/components/${group}/${name}`),
    );
    expect(there.filter((pointer) => !referred.has(pointer))).toEqual([]);
  });

  it('/openapi.json has every path of the server, and no other', () => {
    expect(Object.keys(document.paths).sort()).toEqual(
      [
        ...ENDPOINTS.map((name) => `/v1/${name}/{station_id}`),
        ...[PLOT_PATH, '/metrics/stations', ...Object.keys({ ...documents, ...reports })],
      ].sort(),
    );
  });

  it.each(Object.keys(document.paths))(
    '/openapi.json describes every parameter of GET %s',
    (path) => {
      const inPath = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
      const described = parametersAt(path).filter((parameter) => parameter.in === 'path');
      expect(described.map(({ name }) => name)).toEqual(inPath);
      expect(described.every(({ required }) => required)).toBe(true);
    },
  );

  it('/openapi.json has every error code under its status', () => {
    for (const [code, status] of Object.entries({ ...ERROR_STATUS, ...SERVER_ERROR_STATUS })) {
      const own = resolve<Response | undefined>(`#/components/responses/Error${status}`);
      const { description } = own ?? resolve<Response>('#/components/responses/ErrorOther');
      expect(own ? `${status} ${description}` : description).toMatch(
        new RegExp(`\\b${status} ([^\\d]*)?\`${code}\``),
      );
    }
  });

  it('/openapi.json has the words, formats and sizes that the server accepts', () => {
    const schemaOf = (path: string, name: string) =>
      parametersAt(path).find((parameter) => parameter.name === name)?.schema;
    const plot = (name: string) => schemaOf(PLOT_PATH, name);
    expect(plot('kind')).toEqual({ enum: FIGURE_KINDS });
    expect(plot('format')).toEqual({ enum: PLOT_FORMATS });
    expect(plot('units')).toMatchObject({ enum: SPEED_UNIT_NAMES });
    expect(plot('sectors')).toMatchObject({ enum: SECTOR_ARGUMENTS });
    expect(plot('theme')).toEqual({ enum: THEME_NAMES });
    for (const name of ['width', 'height'] as const) {
      const { min, max } = PICTURE_SIZE_LIMITS_PX[name];
      expect(plot(name)).toMatchObject({ minimum: minimumSizePx('now', min), maximum: max });
    }
    expect(plot('value')).toEqual({ enum: CELL_VALUES });
    const described = parametersAt(PLOT_PATH).flatMap(({ in: place, name }) =>
      place === 'query' ? [name] : [],
    );
    expect(described.sort()).toEqual([...PLOT_ARGUMENTS].sort());
    const archive = '/v1/archive/{station_id}';
    expect(schemaOf(archive, 'format')).toMatchObject({ enum: ARCHIVE_RESPONSE_FORMATS });
    for (const [path, words, ...typed] of [
      [archive, RELATIVE_START_WORDS],
      [PLOT_PATH, TYPED_START_WORDS, { type: 'string' }],
    ] as const) {
      expect(schemaOf(path, 'start')).toMatchObject({ anyOf: [{ enum: words }, {}, ...typed] });
      expect(schemaOf(path, 'stop')).toMatchObject({ anyOf: [{ enum: ['now'] }, {}] });
    }
  });

  it('/openapi.json has the columns of an archive and the fields of a station', () => {
    const { legend, units, data } = resolve<Record<string, Columns>>(
      '#/components/schemas/Archive/properties',
    );
    expect(legend?.prefixItems).toEqual(ARCHIVE_LEGEND.map((name) => ({ const: name })));
    expect(data?.items.prefixItems.map(({ title }) => title)).toEqual(ARCHIVE_LEGEND);
    expect(units?.prefixItems.slice(0, -1)).toEqual(
      ARCHIVE_UNITS.slice(0, -1).map((unit) => ({ const: unit })),
    );
    for (const [name, withMeta] of [
      ['Station', false],
      ['StationWithMeta', true],
    ] as const) {
      const documented = STATION_PATHS.filter((path) => {
        const { isExtra, isMeta } = STATION_FIELDS[path];
        return !isExtra && (withMeta || !isMeta);
      });
      expect(requiredPaths(resolve(`#/components/schemas/${name}`)).sort()).toEqual(
        [...documented].sort(),
      );
    }
  });

  it('/openapi.json has examples that its own schemas allow', () => {
    for (const name of ENDPOINTS) {
      for (const { schema, example, examples = {} } of parametersOf(name)) {
        const values = Object.values(examples).map(({ value }) => value);
        for (const value of example === undefined ? values : [...values, example]) {
          expect(problems(schema, value)).toBeUndefined();
        }
      }
    }
    for (const schema of Object.values(resolve<Record<string, Schema>>('#/components/schemas'))) {
      for (const value of schema.examples ?? []) {
        expect(problems(schema, value)).toBeUndefined();
      }
    }
  });
});

describe('the patterns of /openapi.json', () => {
  const schemaOf = (endpoint: string, name: string): object =>
    parametersOf(endpoint).find((parameter) => parameter.name === name)?.schema as object;

  it('the pattern for callbacks in /openapi.json allows exactly the callbacks that the server allows', () => {
    const schema = schemaOf('live', 'callback');
    const near = fc.string({ unit: fc.constantFrom(...'aZ_$0.[]-é\n<'), maxLength: 12 });
    fc.assert(
      fc.property(near, (name) => {
        expect(problems(schema, name) === undefined).toBe(isCallbackName(name));
      }),
    );
    for (const length of [128, 129]) {
      const name = 'a'.repeat(length);
      expect(problems(schema, name) === undefined).toBe(isCallbackName(name));
    }
  });

  it('the pattern for dates in /openapi.json allows exactly the dates that the server allows', () => {
    const schema = schemaOf('archive', 'start');
    const near = fc.stringMatching(
      /^20\d\d(-0[1-9](-1[0-9](T[01][0-9](:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?)?)?)?)?(Z|[+-]0[0-9]:?[0-5][0-9]|[0-9]|-| )?$/,
    );
    fc.assert(
      fc.property(near, (text) => {
        expect(problems(schema, text) === undefined).toBe(parseDate(text) !== undefined);
      }),
    );
  });
});

describe('the server, compared with /openapi.json,', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      service: fixtureService,
      host: '127.0.0.1',
      port: 0,
      now: () => NOW,
      documents,
      privateDocuments: reports,
    });
  });
  afterAll(() => server.close());

  it('the error of the server for an unknown path lists every page of /openapi.json', async () => {
    const { status, body } = await sendRequest(server.baseUrl, '/nothing');
    const [, list = ''] = /pages are (.*)\.$/.exec(JSON.parse(body).error_message) ?? [];
    expect(status).toBe(404);
    expect(list.split(', ').sort()).toEqual(Object.keys(document.paths).sort());
  });

  it.each(Object.keys(document.paths))(
    'the server responds to GET %s with a type that /openapi.json describes',
    async (path) => {
      const { content = {} } = follow(document.paths[path]?.get.responses[200] as Response | Ref);
      const example = { station_id: '110', kind: 'rose', format: 'svg' } as Record<string, string>;
      const target = path.replace(/{(\w+)}/g, (_, name) => example[name] ?? '');
      const { status, headers } = await sendRequest(
        server.baseUrl,
        `${target}?start=last-hour&stop=now`,
      );
      expect(status).toBe(200);
      expect(Object.keys(content)).toContain(headers['content-type']?.split(';')[0]);
    },
  );

  /** Complains of anything in a response that the document does not say. */
  function expectDescribed(endpoint: string, reply: Reply): void {
    const { responses } = operationOf(endpoint);
    const described = responses[reply.status] ?? responses.default;
    expect(described, `${reply.status} of ${endpoint}`).toBeDefined();
    const { content = {}, headers = {} } = follow(described as Response | Ref);
    const type = reply.headers['content-type']?.split(';')[0] as string;
    expect(Object.keys(content)).toContain(type);
    const isJson = type === 'application/json';
    const body = isJson ? JSON.parse(reply.body) : reply.body;
    expect(problems(content[type]?.schema as object, body)).toBeUndefined();
    for (const [name, header] of Object.entries(headers)) {
      const value = reply.headers[name.toLowerCase()];
      if (value === undefined) continue;
      const { schema } = follow<{ readonly schema: object }>(header as never);
      const asTyped = 'type' in schema && schema.type === 'integer' ? Number(value) : value;
      expect(problems(schema, asTyped), name).toBeUndefined();
    }
    expect(headers).toHaveProperty('Access-Control-Allow-Origin');
  }

  const PERIOD = 'start=last-hour&stop=now';

  it.each([
    ['live', 'all', 200],
    ['live', '110', 200],
    ['live', '1333', 200],
    ['live', '110?callback=show', 200],
    ['live', `${UNKNOWN_STATION}`, 404],
    ['live', 'north', 400],
    ['live', '110?callback=1', 400],
    ['live-with-meta', 'all', 200],
    ['live-with-meta', '7', 200],
    ['archive', `110?${PERIOD}`, 200],
    ['archive', `603?start=last-day&stop=now`, 200],
    ['archive', `110?${PERIOD}&format=csv`, 200],
    ['archive', `110?${PERIOD}&format=txt`, 200],
    ['archive', `110?${PERIOD}&callback=show`, 200],
    ['archive', `110?stop=now`, 400],
    ['archive', `110?start=never&stop=now`, 400],
    ['archive', `110?start=2023&stop=2024`, 413],
    ['archive', `${UNKNOWN_STATION}?${PERIOD}`, 404],
  ])(
    'the server responds to /v1/%s/%s with %i and the body that /openapi.json describes',
    async (endpoint, rest, status) => {
      const reply = await sendRequest(server.baseUrl, `/v1/${endpoint}/${rest}`);
      expect(reply.status).toBe(status);
      expectDescribed(endpoint, reply);
    },
  );

  it('the server responds to POST with 405 and the body that /openapi.json describes', async () => {
    const reply = await sendRequest(server.baseUrl, '/v1/live/110', { method: 'POST' });
    expect(reply.status).toBe(405);
    expectDescribed('live', reply);
  });

  it('a response that lacks a field does not match /openapi.json', async () => {
    const { body } = await sendRequest(server.baseUrl, '/v1/live-with-meta/110');
    const response = JSON.parse(body);
    const schema = { $ref: '#/components/schemas/LiveWithMeta' };
    expect(problems(schema, response)).toBeUndefined();
    delete response.data.meta.rating;
    expect(problems(schema, response)).toContain('rating');
  });

  it('the server requires exactly the archive parameters that /openapi.json marks as required', async () => {
    for (const { name, required } of parametersOf('archive').filter(
      ({ in: at }) => at === 'query',
    )) {
      const query = Object.entries({ start: 'last-hour', stop: 'now' }).filter(
        ([key]) => key !== name,
      );
      const reply = await sendRequest(
        server.baseUrl,
        `/v1/archive/110?${new URLSearchParams(query)}`,
      );
      expect([name, reply.status]).toEqual([name, required ? 400 : 200]);
    }
  });
});
