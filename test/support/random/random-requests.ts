/**
 * Random requests by the OpenAPI document. Most values are valid, so that requests reach the code behind the checks.
 * The others are hostile: of another type, at the limit of a type, or with the syntax of SQL, JSON, regular expressions
 * or addresses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { makeOpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { FAULTY_DATES, randomDateText } from './random-scalars.ts';
import { randomText } from './random-texts.ts';

export interface DrawnRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Values that lead to something that exists. */
export interface KnownValues {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  readonly customFields: readonly string[];
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface ShownOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

export function randomRequests(known: KnownValues): fc.Arbitrary<DrawnRequest> {
  const document = makeOpenApiDocument('0.0.0', '');
  const randomOf = makeRandomOf(document.components.schemas as Readonly<Record<string, Schema>>, known);
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      randomRequest(method.toUpperCase(), path, operation as ShownOperation, randomOf),
    ),
  );
  return fc.oneof(...requests);
}

type RandomOf = (schema: Schema, name: string, depth?: number) => fc.Arbitrary<unknown>;

const HOSTILE_TEXTS = [
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff',
    "'; drop table devices; --",
    '../../etc/passwd',
    '%00',
    '{{7*7}}',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '(a+)+$',
    '(?=',
    '[[:alpha:]]',
    '\\',
    '*'.repeat(300),
    '\u202e',
  ],
  ...['NaN', 'Infinity', '-0', '1e999', '0x10', '٣', '9'.repeat(400), 'x'.repeat(20_000), '("'.repeat(2_000)],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '9999-12-31T23:59:59.999Z',
  ],
  ...[
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    ...FAULTY_DATES,
  ],
];

const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], { a: { b: {} } }, '', ' '],
  ...[0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, -1e308, 5e-324],
  ...[JSON.parse('{"__proto__":{"isAdmin":true}}'), nested(60), nested(3_000)],
];

const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), randomText, fc.string({ unit: 'binary' }));
const hostile = fc.oneof(fc.constantFrom(...HOSTILE_VALUES), hostileText, fc.double());

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++)
    value = level % 2 === 0 ? { operator: 'AND', conditions: [value] } : [value];
  return value;
}

const FILTER_TEXTS = [
  'os:windows disk:>90',
  '(tags:a OR -tags:b)',
  'seen:<7d',
  'host:"a b"',
  'a:b:c',
  '(((',
  'ip:10.0.0.0/8',
];

/** Deeper schemas get hostile values, which end the recursion. */
const MAX_DEPTH = 6;

function makeRandomOf(schemas: Readonly<Record<string, Schema>>, known: KnownValues): RandomOf {
  const id = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...known.ids) },
    { weight: 1, arbitrary: fc.uuid() },
  );
  const fields = [...CORE_CATALOG.keys(), ...known.customFields.map((key) => `custom.${key}`)];
  /** Texts by the name of a member or parameter whose schema is a plain string. */
  const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
    field: fc.constantFrom(...fields),
    operator: fc.constantFrom('AND', 'OR', ...OPERATORS),
    q: fc.oneof(fc.constantFrom(...FILTER_TEXTS), randomText),
    email: fc.constantFrom(...known.emails),
    key: fc.constantFrom(...known.customFields, 'rack', 'a'.repeat(64)),
  };
  const text = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
    if (schema.format === 'uuid' || /id$/i.test(name)) return id;
    if (schema.format === 'date-time') return randomDateText;
    return texts[name] ?? randomText;
  };
  const asAsked: RandomOf = (schema, name, depth = 0) => {
    if (depth > MAX_DEPTH) return hostile;
    if (schema.$ref !== undefined)
      return asAsked(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, depth + 1);
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.anyOf !== undefined)
      return fc.oneof(...schema.anyOf.map((one) => randomOf(one, name, depth + 1)));
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    const arbitraries = types.map((type): fc.Arbitrary<unknown> => {
      if (type === 'object') return objectOf(schema, depth);
      if (type === 'array') return fc.array(randomOf(schema.items ?? {}, name, depth + 1), { maxLength: 4 });
      if (type === 'integer') return fc.integer({ min: schema.minimum ?? -5, max: 200 });
      if (type === 'number') return fc.double({ noNaN: true });
      if (type === 'boolean') return fc.boolean();
      return type === 'null' ? fc.constant(null) : text(schema, name);
    });
    return arbitraries.length === 0 ? hostile : fc.oneof(...arbitraries);
  };
  const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema, depth: number) => {
    const members = Object.entries(properties).map(
      ([name, one]) => [name, randomOf(one, name, depth + 1)] as const,
    );
    const own = fc.record(Object.fromEntries(members), { requiredKeys: required as string[] });
    const open = typeof additionalProperties === 'object' ? additionalProperties : {};
    const others = fc.dictionary(
      fc.oneof(texts.key ?? randomText, hostileText),
      randomOf(open, '', depth + 1),
      {
        maxKeys: 3,
      },
    );
    const isOpen = typeof additionalProperties === 'object';
    return fc.oneof(
      { weight: isOpen ? 1 : 12, arbitrary: own },
      {
        weight: isOpen ? 3 : 1,
        arbitrary: fc.tuple(own, others).map(([some, more]) => ({ ...some, ...more })),
      },
      {
        weight: members.length > 0 ? 1 : 0,
        arbitrary: fc
          .subarray(members.map(([name]) => name))
          .chain((kept) => own.map((whole) => without(whole, kept))),
      },
    );
  };
  const randomOf: RandomOf = (schema, name, depth = 0) =>
    fc.oneof({ weight: 20, arbitrary: asAsked(schema, name, depth) }, { weight: 1, arbitrary: hostile });
  return randomOf;
}

function without(whole: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}

function randomRequest(
  method: string,
  path: string,
  { parameters = [], requestBody }: ShownOperation,
  randomOf: RandomOf,
): fc.Arbitrary<DrawnRequest> {
  const named = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, schema, required = false }) => {
        const value = randomOf(schema, name);
        return fc.tuple(fc.constant(name), required ? value : fc.option(value, { freq: 3, nil: undefined }));
      });
  const headers = fc.tuple(...named('header'), ...EXTRA_HEADERS);
  const query = fc.tuple(
    ...named('query'),
    fc.tuple(fc.constantFrom('x', '', '__proto__', 'limit'), rarely(hostileText)),
  );
  return fc
    .record({
      places: fc.tuple(...named('path')),
      query,
      headers,
      body: randomBody(path, requestBody, randomOf),
    })
    .map((drawn) => ({
      method,
      path: `${fillPath(path, drawn.places)}${printQuery(drawn.query)}`,
      headers: {
        ...Object.fromEntries(
          drawn.headers
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => [
              name,
              String(value)
                .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
                .slice(0, 4_000),
            ]),
        ),
        ...drawn.body.headers,
      },
      body: drawn.body.content,
    }));
}

const header = (name: string, ...values: readonly string[]) =>
  fc.tuple(fc.constant(name), rarely(fc.constantFrom(...values)));

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const EXTRA_HEADERS = [
  header('Accept', 'text/csv', 'application/x-ndjson', '*/*;q=0', ',', 'text/html'),
  header('X-Request-Id', '../..', 'a'.repeat(129), 'ok-1'),
  header('X-Forwarded-For', '::1, x', '999.1.1.1', 'x'.repeat(500)),
  header('Origin', 'null', 'https://evil.example', 'x'),
  header('Sec-Fetch-Site', 'cross-site', 'none', 'x'),
  header('Cookie', 'fleetsift_session=x', 'fleetsift_session=a; fleetsift_session=b', '=;=;'),
  header('Content-Encoding', 'gzip', 'deflate', 'br', 'x'),
];

type Pairs = readonly (readonly [string, unknown])[];

function fillPath(path: string, places: Pairs): string {
  return places.reduce((filled, [name, value]) => {
    const text = plain(value);
    return filled.replace(
      `{${name}}`,
      () => (text.startsWith('%') ? text : encodeURIComponent(text)) || '%20',
    );
  }, path);
}

function printQuery(pairs: Pairs): string {
  const sent = pairs.filter(([, value]) => value !== undefined);
  return sent.length === 0
    ? ''
    : `?${sent.map(([name, value]) => `${name}=${encodeURIComponent(plain(value))}`).join('&')}`;
}

/** Addresses cannot contain lone surrogates, not even encoded. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, 3_000).toWellFormed();
}

interface DrawnBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Uint8Array<ArrayBuffer> | null;
}

const NO_BODY: DrawnBody = { headers: {}, content: null };

function randomBody(
  path: string,
  requestBody: ShownOperation['requestBody'],
  randomOf: RandomOf,
): fc.Arbitrary<DrawnBody> {
  if (requestBody === undefined) return fc.constant(NO_BODY);
  const { content } = requestBody;
  const schema = content['application/json']?.schema ?? {};
  const value = path.endsWith('/inventory')
    ? fc.oneof(changedInventory, randomOf(schema, ''))
    : randomOf(schema, '');
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(NO_BODY) },
    {
      weight: 20,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.keys(content)), value)
        .map(([type, sent]) => encode(type, JSON.stringify(sent))),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...Object.keys(content), 'text/plain', 'application/json; charset=utf-16', ''),
          value,
          fc.constantFrom(...BREAKS),
        )
        .map(([type, sent, change]) => encode(type, change(JSON.stringify(sent) ?? ''))),
    },
  );
}

const BREAKS: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.padEnd(1_200_000, ' '),
  (text) =>
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "${text.slice(0, 20)}">]><REQUEST><QUERY>PROLOG</QUERY>&b;</REQUEST>`,
  () => '['.repeat(50_000),
  () => '{"a":1e999}',
  () => '',
];

function encode(type: string, text: string): DrawnBody {
  const sent = text ?? 'undefined';
  const content = type.includes('zlib')
    ? new Uint8Array(deflateSync(sent))
    : type.includes('gzip')
      ? new Uint8Array(gzipSync(sent))
      : sent;
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  return { headers: { 'Content-Type': type, 'Content-Length': String(length) }, content };
}

const INVENTORIES = [
  'computer_1',
  'computer_1_partial_softs',
  'networkequipment_1',
  'phone_1',
  'printer_1',
].map((name) => readFileSync(join(import.meta.dirname, `../../fixtures/glpi/${name}.json`), 'utf8'));

/** A real inventory with some members replaced. */
const changedInventory = fc
  .tuple(fc.constantFrom(...INVENTORIES), fc.array(fc.tuple(fc.nat(), hostile), { maxLength: 6 }))
  .map(([text, changes]) => {
    const places: { readonly within: Record<string, unknown>; readonly key: string }[] = [];
    const inventory = JSON.parse(text, function (this: Record<string, unknown>, key, value) {
      if (key !== '') places.push({ within: this, key });
      return value;
    });
    for (const [at, value] of changes) {
      const place = places[at % places.length];
      if (place !== undefined) place.within[place.key] = value;
    }
    return inventory;
  });
