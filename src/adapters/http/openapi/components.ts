/** What operations share in the OpenAPI document: headers, credentials, and problems with their examples. */
import {
  PROBLEM_CODES,
  type ProblemCode,
  presentProblem,
  statusOf,
} from '#adapters/http/answer/problem-status.ts';
import { POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import type { JsonSchema } from '#adapters/http/schemas/parameters.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import type { AnswerHeader, Asker, ConditionalHeader } from './operation.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';

interface ShownHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

const TEXT = { type: 'string' };

const POSITION = { type: 'string', pattern: '^[0-9A-F]{1,8}/[0-9A-F]{1,8}$' };

const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' };

/** The headers of answers. */
export const HEADERS: Readonly<
  Record<AnswerHeader | 'X-Request-Id' | 'Retry-After' | 'WWW-Authenticate', ShownHeader>
> = {
  'X-Request-Id': {
    description: 'The one that was sent, or a new one; it is in logs and the audit log, too.',
    schema: REQUEST_ID,
  },
  ETag: { description: 'The version, for If-Match.', schema: { type: 'string', pattern: '^"[0-9a-f]+"$' } },
  Location: { description: 'The path of what was created.', schema: TEXT },
  'Set-Cookie': {
    description: 'The refresh token, where no script reads it.',
    schema: { type: 'string', pattern: '^fleetsift_session=' },
  },
  'Cache-Control': { description: 'How long the answer can be kept.', schema: TEXT },
  'Content-Disposition': { description: 'A name for the file.', schema: TEXT },
  [POSITION_HEADER]: {
    description:
      'Where the service reads from replicas: how far this change has come. Reads that send it back see the change.',
    schema: POSITION,
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'The challenge (RFC 9110; for MFA, RFC 9470).',
    schema: { type: 'string', pattern: '^(Bearer|Basic realm=)' },
  },
};

/** The headers of requests. */
export const REQUEST_HEADERS: Readonly<Record<ConditionalHeader | typeof POSITION_HEADER, object>> = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that was read, or `*`: 412 if it has changed since.',
    schema: TEXT,
    example: '"3"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag that was read: 304 if it has not changed since.',
    schema: TEXT,
    example: '"3"',
  },
  [POSITION_HEADER]: {
    name: POSITION_HEADER,
    in: 'header',
    description: 'What the answer to a change had in this header: the change is seen, wherever is read from.',
    schema: POSITION,
    example: '0/1A2B3C4D',
  },
};

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of `POST /api/v1/auth/login`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: `An API key, which acts for the user who created it: \`${API_KEY_FORMAT.source}\`.`,
  },
  enrolmentKey: {
    type: 'http',
    scheme: 'basic',
    description: 'An enrolment key as the password; the user name is ignored.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'fleetsift_session',
    description: "The refresh token of a browser, for requests of the service's own pages.",
  },
};

/** The credentials of which one is needed, with the permission. */
export function securityOf(asker: Asker, permission?: string): readonly object[] {
  const roles = permission === undefined ? [] : [permission];
  if (asker === 'caller') return [{ bearer: roles }, { apiKey: roles }];
  if (asker === 'machine') return [{ enrolmentKey: [] }];
  return asker === 'browser' ? [{ sessionCookie: [] }] : [];
}

export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457.',
  properties: {
    type: { type: 'string', pattern: '^urn:fleetsift:problem:' },
    title: TEXT,
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, and what to send instead.' },
    message: { type: 'string', description: '`detail` again.' },
    code: { type: 'string', enum: PROBLEM_CODES },
    requestId: REQUEST_ID,
    errors: {
      type: 'array',
      description: 'On validation failures: every fault, at most 100.',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Such as `conditions.conditions[0].operator`.' },
          code: { type: 'string', description: 'Stable, such as `out_of_range`.' },
          message: TEXT,
          start: { type: 'integer', description: 'Where it begins in a text, in UTF-16 code units.' },
          end: { type: 'integer', description: 'Where it ends.' },
          suggestions: { type: 'array', items: TEXT, description: 'What could stand there instead.' },
        },
        required: ['path', 'code', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'message', 'code', 'requestId'],
};

/** What agents get instead of a problem document: they write the message into their logs. */
export const AGENT_FAULT_SCHEMA = {
  type: 'object',
  properties: { status: { const: 'error' }, message: TEXT },
  required: ['status', 'message'],
};

/** One for each problem, by its code. */
export function problemExamples(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => {
      const { meaning, detail } = PROBLEM_EXAMPLES[code];
      const errors = code === 'validation_failed' ? { errors: [FAULT] } : {};
      const text = presentProblem({ code, detail, ...errors }, '01a20146-3761-70a3-8118-b63b5b8966e9');
      return [code, { summary: meaning, value: JSON.parse(text) }];
    }),
  );
}

const FAULT = { path: 'limit', code: 'out_of_range', message: PROBLEM_EXAMPLES.validation_failed.detail };

/** The answer with these problems, all of one status, to this asker. */
export function problemAnswer(codes: readonly ProblemCode[], asker: Asker): object {
  const [first = 'internal'] = codes;
  const status = statusOf(first);
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEM_EXAMPLES[code].meaning}.`).join('\n\n'),
    headers: headerReferences(names),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: codes } } },
        examples: Object.fromEntries(examples),
      },
      ...(asker === 'machine' && {
        'application/json': {
          schema: { $ref: '#/components/schemas/AgentFault' },
          example: { status: 'error', message: PROBLEM_EXAMPLES[first].detail },
        },
      }),
    },
  };
}

export function headerReferences(names: readonly (keyof typeof HEADERS)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
