/** The failures of use cases. The HTTP adapter maps each code to its status. */
import type { FilterId, SubscriptionId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Comparison } from './ports/fleet/device-reader.ts';

/** A fault in the input (Contract: §1). */
export interface FieldError {
  /** The place in the body or query, such as `conditions.conditions[0].operator`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** A range in UTF-16 code units; `end` is excluded. */
  readonly start?: number;
  readonly end?: number;
  /** Replacements for the faulty text, best first. */
  readonly suggestions?: readonly string[];
}

export interface ValidationError {
  readonly code: 'validation_failed' | 'ambiguous_custom_field' | 'filter_cycle' | 'filter_too_deep';
  readonly detail: string;
  /** Has 1 to 100 faults. */
  readonly errors: readonly FieldError[];
}

/** `detail` is written for the caller. */
export type ApplicationError =
  | ValidationError
  | {
      readonly code:
        | 'admin_note_required'
        | 'conflict'
        | 'cursor_expired'
        | 'deletion_already_approved'
        | 'different_machines'
        | 'domain_taken'
        | 'email_taken'
        | 'exceeds_own_rights'
        | 'filter_timeout'
        | 'forbidden'
        | 'invalid_credentials'
        | 'invalid_cursor'
        | 'invalid_json'
        | 'invalid_mfa_code'
        | 'invalid_password'
        | 'invalid_refresh_token'
        | 'last_administrator'
        | 'link_invalid'
        | 'mfa_enrollment_required'
        | 'mfa_not_possible'
        | 'name_taken'
        | 'not_empty'
        | 'not_found'
        | 'not_invited'
        | 'own_account'
        | 'payload_too_large'
        | 'precondition_failed'
        | 'quota_exceeded'
        | 'search_timeout'
        | 'too_many_devices'
        | 'too_many_nodes'
        | 'unauthenticated';
      readonly detail: string;
    }
  /** `maxAgeSeconds` is how old the verification may be; absent at sign-in. */
  | { readonly code: 'mfa_required'; readonly detail: string; readonly maxAgeSeconds?: number }
  /** `maxAgeSeconds` is how old the sign-in may be. */
  | { readonly code: 'recent_sign_in_required'; readonly detail: string; readonly maxAgeSeconds: number }
  | {
      readonly code: 'rate_limited';
      readonly detail: string;
      /** Whole seconds, at least 1. */
      readonly retryAfterSeconds: number;
      /** True if the audit log already has an earlier refusal; it records only the first (Contract: §8). */
      readonly isRepeated?: boolean;
    }
  | { readonly code: 'count_changed'; readonly detail: string; readonly actualCount: number }
  /** `usedBy` lists subscriptions first, then filters in order of name. */
  | { readonly code: 'filter_in_use'; readonly detail: string; readonly usedBy: readonly FilterUse[] }
  /** Guards of subscriptions refuse the change until the caller confirms its impact. */
  | { readonly code: 'confirmation_needed'; readonly detail: string; readonly impact: FilterImpact }
  /** The client has disconnected. Only the log shows this error. */
  | { readonly code: 'cancelled'; readonly detail: string };

/** A subscription or another filter that uses a filter. */
export type FilterUse =
  | { readonly kind: 'subscription'; readonly id: SubscriptionId; readonly name: string }
  /** A filter that names the filter in question, directly or through others. */
  | { readonly kind: 'filter'; readonly id: FilterId; readonly name: string };

/** What a change of a saved filter would do to the devices in the caller's reach. */
export interface FilterImpact extends Comparison {
  readonly version: number;
  /** Uses in the caller's reach: subscriptions that have not ended, newest first, then filters in order of name. */
  readonly usedBy: readonly FilterUse[];
  readonly evaluatedAt: EpochMs;
}

export type ApplicationErrorCode = ApplicationError['code'];

/** Drops all faults after the first 100. Throws if `faults` is empty. */
export function toValidationError(faults: readonly FieldError[]): ValidationError {
  const errors = faults.slice(0, MAX_FAULTS);
  const [first] = errors;
  if (first === undefined) throw new Error('a validation error needs a fault');
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more; see errors)`;
  return { code: 'validation_failed', detail: `${first.message}${more}`, errors };
}

/** Makes an `invalid_value` fault for each value that failed to parse. A value that was not sent is null. */
export function faultsIn(parsed: Readonly<Record<string, Result<unknown, string> | null>>): FieldError[] {
  return Object.entries(parsed).flatMap(([path, value]) =>
    value === null || value.ok ? [] : [{ path, code: 'invalid_value', message: value.error }],
  );
}

/** The faults of a refused input, else none. */
export function faultsOf(outcome: Result<unknown, ApplicationError>): readonly FieldError[] {
  return !outcome.ok && 'errors' in outcome.error ? outcome.error.errors : [];
}

/** One fault as a validation error. */
export function invalidField(path: string, code: string, message: string): ValidationError {
  return toValidationError([{ path, code, message }]);
}

/** The message is the same for unknown and out-of-reach ids, so ids cannot be probed. */
export function notFound(thing: string, it = 'it'): ApplicationError {
  return { code: 'not_found', detail: `There is no such ${thing}, or you have no access to ${it}.` };
}

export const FILTER_NOT_FOUND = notFound('filter');
export const DEVICE_NOT_FOUND = notFound('device');
export const ALERT_NOT_FOUND = notFound('alert');

/** The cursor was not issued for this user, query and sort (Contract: §10). */
export const INVALID_CURSOR: ApplicationError = {
  code: 'invalid_cursor',
  detail:
    'The cursor is not valid for this request: it works unchanged, for the same user, query and sort, and until the saved filter changes; leave cursor out to start with the first page.',
};

export const ORGANIZATION_NOT_FOUND = notFound('organization');
export const PARTNER_NOT_FOUND = notFound('partner');
export const PERSON_NOT_FOUND = notFound('person', 'them');
export const DELETION_REQUEST_NOT_FOUND = notFound('deletion request');
export const CUSTOM_FIELD_NOT_FOUND = notFound('custom field');
export const SUBSCRIPTION_NOT_FOUND = notFound('subscription');

/** `excess` comes from `quotaExceededBy`. */
export function quotaExceeded(excess: string): ApplicationError {
  return { code: 'quota_exceeded', detail: `Quota exceeded: ${excess}.` };
}

/** Only the log shows this error, because the client is gone. */
export const CANCELLED = {
  code: 'cancelled',
  detail: 'The client closed the request.',
} as const satisfies ApplicationError;

/** The user was erased or disabled after authentication. */
export const ACCOUNT_GONE: ApplicationError = {
  code: 'unauthenticated',
  detail: 'The account is no longer active.',
};
