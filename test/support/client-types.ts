/**
 * Generates the types of `fleetsift/client` from the OpenAPI document, in the form that openapi-fetch reads. Its own
 * generator needs an older TypeScript.
 */
import { join } from 'node:path';
import { makeOpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';

export const CLIENT_TYPES = join(import.meta.dirname, '../../src/adapters/api-client/api-paths.ts');

const HEAD = `// Generated: node test/scripts/write-client-types.ts
// biome-ignore-all format: generated
`;

/** The keywords of our schemas that types can express. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Shown {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export function clientTypes(): string {
  const { paths, components } = makeOpenApiDocument('', '');
  const operations = Object.entries(paths).map(([path, methods]) => {
    const members = Object.entries(methods).map(([method, shown]) => operationOf(method, shown as Shown));
    return `  ${JSON.stringify(path)}: {\n${members.join('')}  };\n`;
  });
  const schemas = Object.entries(components.schemas as Readonly<Record<string, Schema>>).map(
    ([name, schema]) => `${noteOf(schema, '  ')}  ${name}: ${typeOf(schema, '  ')};\n`,
  );
  const text = `${HEAD}
/** Every path of the API, with the parameters, bodies and answers of its methods. */
export interface Paths {
${operations.join('')}}

interface Json<T> {
  content: { 'application/json': T };
}

interface Refusal {
  content: { 'application/problem+json': Schemas['Problem'] };
}

interface Nothing {
  content?: never;
}

/** The bodies and answers that have a name. */
export interface Schemas {
${schemas.join('')}}
`;
  return text.replace(/^(?: {2})+/gm, (indent) => '\t'.repeat(indent.length / 2));
}

function operationOf(method: string, { summary, parameters = [], requestBody, responses }: Shown): string {
  const places = (['path', 'query', 'header'] as const).flatMap((place) => {
    // The client adds positions itself.
    const there = parameters.filter(({ in: at, name }) => at === place && name !== 'X-Fleetsift-Position');
    if (there.length === 0) return [];
    const members = there.map(({ name, required, description, schema }) =>
      memberOf(
        name,
        { ...schema, ...(description !== undefined && { description }) },
        required === true,
        '        ',
      ),
    );
    return `${place}${there.some(({ required }) => required) ? '' : '?'}: {\n${members.join('')}      }; `;
  });
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => `      ${status}: ${contentOf(content)};\n`);
  return `    /** ${summary} */
    ${method}: {
${places.length === 0 ? '' : `      parameters: { ${places.join('')}};\n`}${requestBody === undefined ? '' : `      requestBody${requestBody.required ? '' : '?'}: ${contentOf(requestBody.content)};\n`}      responses: {
${answers.join('').replaceAll(/^/gm, '  ').trimEnd()}
        default: Refusal;
      };
    };
`;
}

/** Leaves out problems that share a status with an answer, because `default` has them. */
function contentOf(content: Content = {}): string {
  const types = Object.entries(content).filter(([mediaType]) => mediaType !== 'application/problem+json');
  if (types.length === 0) return 'Nothing';
  const bodies = types.map(
    ([mediaType, { schema }]) =>
      [mediaType, schema === undefined ? 'Blob | Uint8Array | string' : typeOf(schema, '        ')] as const,
  );
  const [[mediaType, type] = []] = bodies;
  if (bodies.length === 1 && mediaType === 'application/json') return `Json<${type}>`;
  return `{ content: { ${bodies.map(([name, body]) => `${JSON.stringify(name)}: ${body}`).join('; ')} } }`;
}

function memberOf(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${noteOf(schema, indent)}${indent}${key}${isRequired ? '' : '?'}: ${typeOf(schema, indent)};\n`;
}

function noteOf({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.type === undefined) return 'unknown';
  // Mutable: openapi-fetch maps over the members of a readonly one.
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, indent);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return objectOf(schema, indent);
  const plain = PLAIN[schema.type];
  if (plain === undefined) throw new Error(`no type is known for ${JSON.stringify(schema)}`);
  return plain;
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `{ readonly [key: string]: ${value} }`;
  }
  const members = Object.entries(properties).map(([name, schema]) =>
    memberOf(name, schema, required.includes(name), `${indent}  `),
  );
  return `{\n${members.join('')}${indent}}`;
}
