/** Which problems an operation answers with: those that follow from what it is, and its own (Contract: §1). */
import { type ProblemCode, statusOf } from '#adapters/http/answer/problem-status.ts';
import type { Asker, Operation } from './operation.ts';

/** What an operation does not say of itself. */
export interface RouteFacts {
  /** Whether there is an id in its path. */
  readonly hasId: boolean;
  /** Whether it takes the position that its client has seen. */
  readonly isReplicaRead: boolean;
  /** Whether it is no GET. */
  readonly mayChange: boolean;
}

/** By status, ascending. */
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
