/** Problems in the OpenAPI document (Contract: §1). */
import {
  PROBLEM_CODES,
  type ProblemCode,
  presentProblem,
  statusOf,
} from '#adapters/http/answer/problem-status.ts';
import { EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import { NO_DOCUMENT } from '#adapters/http/inventory/inventory-routes.ts';
import { tooLarge } from '#adapters/http/read/read-body.ts';
import type { FieldError, FilterUse } from '#application/application-error.ts';
import { UNKNOWN_ENROLMENT_KEY } from '#application/inventory/answer-agent.ts';
import { MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import { type HEADERS, headerReferences, REQUEST_ID } from './components.ts';
import type { Asker, Operation } from './operation.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';

export interface RouteFacts {
  readonly hasId: boolean;
  readonly isReplicaRead: boolean;
  readonly mayChange: boolean;
}

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
    detail: { type: 'string', description: 'What is wrong, and what to send instead.' },
    message: { type: 'string', description: 'The same as `detail`.' },
    code: { type: 'string', enum: PROBLEM_CODES },
    requestId: REQUEST_ID,
    actualCount: { type: 'integer', description: 'On `count_changed`: how many devices match.' },
    usedBy: {
      type: 'array',
      description: 'On `filter_in_use`: what relies on the filter.',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['subscription', 'filter'] },
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string' },
        },
        required: ['kind', 'id', 'name'],
      },
    },
    impact: { $ref: '#/components/schemas/Impact' },
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
          start: { type: 'integer', description: 'The start in the text, in UTF-16 code units.' },
          end: { type: 'integer', description: 'The end in the text.' },
          suggestions: {
            type: 'array',
            items: { type: 'string' },
            description: 'Possible replacements.',
          },
        },
        required: ['path', 'code', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'message', 'code', 'requestId'],
};

export const AGENT_FAULT_SCHEMA = {
  type: 'object',
  properties: { status: { const: 'error' }, message: { type: 'string' } },
  required: ['status', 'message'],
};

export function problemExamples(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => {
      const { meaning, detail } = PROBLEM_EXAMPLES[code];
      const fault = FAULTS[code];
      const errors = fault === undefined ? {} : { errors: [{ ...fault, message: detail }] };
      const actual = code === 'count_changed' ? { actualCount: 1205 } : {};
      const used = code === 'filter_in_use' ? { usedBy: [EXAMPLE_USE] } : {};
      const text = presentProblem(
        { code, detail, ...errors, ...actual, ...used },
        '01a20146-3761-70a3-8118-b63b5b8966e9',
      );
      return [code, { summary: meaning, value: JSON.parse(text) }];
    }),
  );
}

const EXAMPLE_USE: FilterUse = {
  kind: 'subscription',
  id: EXAMPLE_ID.subscription as SubscriptionId,
  name: 'Patch group of the engine',
};

const FAULTS: Partial<Readonly<Record<ProblemCode, Pick<FieldError, 'path' | 'code'>>>> = {
  ambiguous_custom_field: { path: 'conditions.conditions[0].field', code: 'ambiguous_custom_field' },
  filter_cycle: { path: 'conditions', code: 'filter_cycle' },
  filter_too_deep: { path: 'conditions', code: 'filter_too_deep' },
  validation_failed: { path: 'limit', code: 'out_of_range' },
};

const MACHINE_PROBLEMS: Partial<Readonly<Record<ProblemCode, { readonly detail: string }>>> = {
  payload_too_large: tooLarge(MAX_DOCUMENT_BYTES),
  unauthenticated: UNKNOWN_ENROLMENT_KEY,
  unsupported_media_type: NO_DOCUMENT,
};

/** All `codes` must have the same status. */
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
          example: { status: 'error', message: (MACHINE_PROBLEMS[first] ?? PROBLEM_EXAMPLES[first]).detail },
        },
      }),
    },
  };
}
