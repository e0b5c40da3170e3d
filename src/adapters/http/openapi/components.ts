import type { JsonSchema } from '#adapters/http/read/query-parameters.ts';
import { POSITION_HEADER } from '#adapters/http/read/read-position.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import type { AnswerHeader, Asker, ConditionalHeader } from './operation.ts';

interface ShownHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

const TEXT = { type: 'string' };

const POSITION = { type: 'string', pattern: '^[0-9A-F]{1,8}/[0-9A-F]{1,8}$' };

export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' };

export const HEADERS: Readonly<
  Record<AnswerHeader | 'X-Request-Id' | 'Retry-After' | 'WWW-Authenticate', ShownHeader>
> = {
  'X-Request-Id': {
    description: 'The id that was sent, or a new one. Logs and the audit log contain it too.',
    schema: REQUEST_ID,
  },
  ETag: { description: 'The version, for If-Match.', schema: { type: 'string', pattern: '^"[0-9a-f]+"$' } },
  Location: { description: 'The path of what was created, or where the browser goes.', schema: TEXT },
  'Set-Cookie': {
    description: 'The refresh token, which scripts cannot read.',
    schema: { type: 'string', pattern: '^fleetsift_(?:session|provider)=' },
  },
  'Cache-Control': { description: 'How long the answer can be cached.', schema: TEXT },
  'Content-Disposition': { description: 'A file name.', schema: TEXT },
  [POSITION_HEADER]: {
    description:
      'If the service reads from replicas: the position of this change. A read that sends it back sees the change.',
    schema: POSITION,
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': {
    description: 'The challenge (RFC 9110; for MFA, RFC 9470).',
    schema: { type: 'string', pattern: '^(Bearer|Basic realm=)' },
  },
};

export const REQUEST_HEADERS: Readonly<Record<ConditionalHeader | typeof POSITION_HEADER, object>> = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'An ETag, or `*`; 412 if the resource has changed since.',
    schema: TEXT,
    example: '"3"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'An ETag from an earlier answer; 304 if the resource has not changed since.',
    schema: TEXT,
    example: '"3"',
  },
  [POSITION_HEADER]: {
    name: POSITION_HEADER,
    in: 'header',
    description: 'The value of this header in the answer to a change. The read then shows the change.',
    schema: POSITION,
    example: '0/1A2B3C4D',
  },
};

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token from `POST /api/v1/auth/login`.',
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
    description: "A browser's refresh token, for requests from the service's own pages.",
  },
};

/** Callers need one of the listed credentials. Permissions are not OAuth scopes, so only descriptions name them. */
export function securityOf(asker: Asker): readonly object[] {
  if (asker === 'caller') return [{ bearer: [] }, { apiKey: [] }];
  if (asker === 'machine') return [{ enrolmentKey: [] }];
  return asker === 'browser' ? [{ sessionCookie: [] }] : [];
}

export const CREDENTIALS: Readonly<Record<Asker, string>> = {
  anyone: 'Needs no credential.',
  visitor: 'Needs no credential. Attempts are counted by address.',
  browser: "Needs the session cookie, and comes from the service's own pages.",
  caller: 'Needs an access token or an API key.',
  machine: 'Needs an enrolment key.',
};

export function headerReferences(names: readonly (keyof typeof HEADERS)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
