/** Problems in the OpenAPI document: which operation answers with which, and how they look (Contract: §1). */
import {
  PROBLEM_CODES,
  type ProblemCode,
  presentProblem,
  statusOf,
} from '#adapters/http/answer/problem-status.ts';
import { type HEADERS, headerReferences, REQUEST_ID } from './components.ts';
import type { Asker, Operation } from './operation.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';

/** What an operation does not say, but its route. */
export interface RouteFacts {
  /** Whether there is an id in its path. */
  readonly hasId: boolean;
  /** Whether it takes the position that its client has seen. */
  readonly isReplicaRead: boolean;
  /** Whether it is no GET. */
  readonly mayChange: boolean;
}

/** Those that follow from the kind of operation, and those that it names: by status, ascending. */
export function problemsOf(
  operation: Operation,
  { hasId, isReplicaRead, mayChange }: RouteFacts,
): ReadonlyMap<number, readonly ProblemCode[]> {
  const codes = new Set<ProblemCode>([
    ...OF_EVERYTHING,
    ...OF_ASKERS[operation.asker],
    ...(operation.permission === undefined ? [] : (['forbidden'] as const)),
    ...(operation.needsFreshMfa ? OF_MFA : []),
    ...(operation.query === undefined && !isReplicaRead ? [] : (['validation_failed'] as const)),
    ...(operation.body === undefined ? [] : OF_BODIES),
    ...(mayChange ? (['partner_in_maintenance'] as const) : []),
    ...(operation.conditional === 'If-Match' ? (['precondition_failed'] as const) : []),
    ...(hasId ? (['not_found'] as const) : []),
    ...(operation.problems ?? []),
  ]);
  const sorted = [...codes].sort((a, b) => statusOf(a) - statusOf(b) || a.localeCompare(b));
  return Map.groupBy(sorted, statusOf);
}

const OF_EVERYTHING = [
  'bad_request',
  'header_fields_too_large',
  'internal',
  'request_timeout',
  'unavailable',
] as const;

const OF_ASKERS: Readonly<Record<Asker, readonly ProblemCode[]>> = {
  anyone: [],
  visitor: ['rate_limited'],
  browser: ['forbidden', 'rate_limited'],
  machine: ['rate_limited', 'unauthenticated'],
  caller: ['ambiguous_credentials', 'rate_limited', 'unauthenticated'],
};

const OF_MFA = ['mfa_enrollment_required', 'mfa_not_possible', 'mfa_required'] as const;

const OF_BODIES = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const;

export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457.',
  properties: {
    type: { type: 'string', pattern: '^urn:fleetsift:problem:' },
    title: { type: 'string' },
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
          message: { type: 'string' },
          start: { type: 'integer', description: 'Where it begins in a text, in UTF-16 code units.' },
          end: { type: 'integer', description: 'Where it ends.' },
          suggestions: {
            type: 'array',
            items: { type: 'string' },
            description: 'What could stand there instead.',
          },
        },
        required: ['path', 'code', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'message', 'code', 'requestId'],
};

/** Agents get this instead of a problem document, and log the message. */
export const AGENT_FAULT_SCHEMA = {
  type: 'object',
  properties: { status: { const: 'error' }, message: { type: 'string' } },
  required: ['status', 'message'],
};

/** By code. */
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

/** The answer with one of these problems, all of one status. */
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
