/** Contract: §15. */
import { EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import { shownParameter } from '#adapters/http/read/query-parameters.ts';
import { mayLag, POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import { namedSchemas, OPERATIONS, toShownSchema } from './all-operations.ts';
import {
  CREDENTIALS,
  HEADERS,
  headerReferences,
  REQUEST_HEADERS,
  SECURITY_SCHEMES,
  securityOf,
} from './components.ts';
import { type DescribedAnswer, type DescribedBody, type Operation, TAGS } from './operation.ts';
import {
  AGENT_FAULT_SCHEMA,
  PROBLEM_SCHEMA,
  problemAnswer,
  problemExamples,
  problemsOf,
} from './problems.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>> & {
    readonly contact: { readonly name: string };
  };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly headers: object;
    readonly examples: object;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

const INTRODUCTION = [
  'Bodies are JSON in UTF-8. Ids are UUIDs, and instants are ISO 8601 in UTC with milliseconds. Unknown members of a body are ignored, except in conditions and groups.',
  'Every address with GET answers HEAD, and every address answers OPTIONS with `Allow`. Other methods get 405 `method_not_allowed`, and unknown addresses 404 `not_found`. A resource out of reach is answered like one that does not exist.',
].join('\n\n');

export function makeOpenApiDocument(version: string, basePath: string): OpenApiDocument {
  const entries = Object.entries(OPERATIONS).map(([route, operation]) => {
    const [method = '', path = ''] = route.split(' ');
    const isReplicaRead = mayLag(method, path);
    return { method, path: path.replace(/:(\w+)/g, '{$1}'), operation, isReplicaRead };
  });
  const byPath = Map.groupBy(entries, ({ path }) => path);
  const paths = Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((each) => [each.method.toLowerCase(), toShown(each)])),
    ]),
  );
  const shown = JSON.stringify(paths);
  const isReferred = (name: string) => shown.includes(`"#/components/examples/${name}"`);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Fleetsift',
      version,
      description: INTRODUCTION,
      contact: { name: 'The operators of this service' },
    },
    servers: [{ url: basePath || '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      examples: Object.fromEntries(Object.entries(problemExamples()).filter(([name]) => isReferred(name))),
      schemas: { ...namedSchemas(), Problem: PROBLEM_SCHEMA, AgentFault: AGENT_FAULT_SCHEMA },
    },
  };
}

interface Route {
  readonly method: string;
  /** Parameters are in braces, as in `/devices/{id}`. */
  readonly path: string;
  readonly operation: Operation;
  readonly isReplicaRead: boolean;
}

function toShown(route: Route): object {
  const { operation } = route;
  const { id, tag, summary, description, body } = operation;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation, description),
    security: securityOf(operation.asker),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: shownBody(body) }),
    responses: responsesOf(route),
  };
}

function descriptionOf({ asker, permission, needsFreshMfa }: Operation, description = ''): string {
  const parts = [
    description,
    CREDENTIALS[asker],
    permission === undefined ? '' : `Needs the permission \`${permission}\`.`,
    needsFreshMfa ? 'Needs MFA that was verified recently.' : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function parametersOf({ path, operation, isReplicaRead }: Route): readonly object[] {
  const { query, conditional } = operation;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_ID.other,
  }));
  const parameters = Object.entries(query?.entries ?? {}).map(([name, schema]) => {
    const { jsonSchema, isRequired, description, example } = shownParameter(schema);
    return {
      name,
      in: 'query',
      description,
      ...(isRequired && { required: true }),
      schema: jsonSchema,
      ...(example !== undefined && { example }),
    };
  });
  const headers = [
    ...(conditional === undefined ? [] : [REQUEST_HEADERS[conditional]]),
    ...(isReplicaRead ? [REQUEST_HEADERS[POSITION_HEADER]] : []),
  ];
  return [...ids, ...parameters, ...headers];
}

function shownBody({ schema, example, isOptional, codings = [] }: DescribedBody): object {
  return {
    required: isOptional !== true,
    content: {
      'application/json': { schema: toShownSchema(schema), example },
      ...Object.fromEntries(codings.map((mediaType) => [mediaType, {}])),
    },
  };
}

function responsesOf({ method, path, operation, isReplicaRead }: Route): object {
  const isChange = method !== 'GET' && operation.asker === 'caller' && !isReplicaRead;
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    shownAnswer(isChange ? withPosition(answer) : answer),
  ]);
  const unchanged = operation.conditional === 'If-None-Match' ? [['304', shownAnswer(NOT_MODIFIED)]] : [];
  const facts = { hasId: path.includes('{'), isReplicaRead, mayChange: method !== 'GET' };
  const problems = [...problemsOf(operation, facts)]
    // If the status already has an answer, the problem becomes its second media type.
    .map(([status, codes]) => [
      String(status),
      withProblem(operation.answers[status], problemAnswer(codes, operation.asker)),
    ]);
  return Object.fromEntries([...answers, ...unchanged, ...problems]);
}

function withPosition({ headers = [], ...answer }: DescribedAnswer): DescribedAnswer {
  return { ...answer, headers: [...headers, POSITION_HEADER] };
}

const NOT_MODIFIED: DescribedAnswer = { description: 'The resource has not changed.', headers: ['ETag'] };

function withProblem(answer: DescribedAnswer | undefined, problem: object): object {
  if (answer === undefined) return problem;
  const shown = shownAnswer(answer);
  return {
    ...problem,
    ...shown,
    content: {
      ...('content' in shown ? (shown.content as object) : {}),
      ...('content' in problem ? (problem.content as object) : {}),
    },
  };
}

function shownAnswer({ description, content, headers = [] }: DescribedAnswer): object {
  const types = Object.entries(content ?? {}).map(([mediaType, { schema, example }]) => [
    mediaType,
    { schema: schema === undefined ? { type: 'string' } : toShownSchema(schema), example },
  ]);
  return {
    description,
    headers: headerReferences(['X-Request-Id', ...headers]),
    ...(types.length > 0 && { content: Object.fromEntries(types) }),
  };
}
