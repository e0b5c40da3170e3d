/** The errors of use cases. The HTTP adapter maps each code to its status. */
import { MAX_FAULTS } from '#domain/limits.ts';
import type { Result } from '#domain/result.ts';

/** One fault of a validation error. */
export interface FieldError {
  /** From the root of the body or query, e.g. `conditions.conditions[0].operator`. */
  readonly path: string;
  /** Stable, such as `out_of_range`. */
  readonly code: string;
  readonly message: string;
  /** Where it is in a text, in UTF-16 code units; `end` is excluded. */
  readonly start?: number;
  readonly end?: number;
  /** What could stand there instead, best first. */
  readonly suggestions?: readonly string[];
}

/** The input is not valid. */
export interface ValidationError {
  readonly code: 'validation_failed' | 'ambiguous_custom_field';
  readonly detail: string;
  /** At least one, at most 100. */
  readonly errors: readonly FieldError[];
}

/** An error by its code; `detail` is for the person who sent the request. */
export type ApplicationError =
  | ValidationError
  | {
      readonly code:
        | 'admin_note_required'
        | 'conflict'
        | 'deletion_already_approved'
        | 'filter_timeout'
        | 'forbidden'
        | 'invalid_credentials'
        | 'invalid_cursor'
        | 'invalid_json'
        | 'invalid_mfa_code'
        | 'invalid_password'
        | 'invalid_refresh_token'
        | 'mfa_enrollment_required'
        | 'mfa_not_possible'
        | 'not_found'
        | 'payload_too_large'
        | 'precondition_failed'
        | 'quota_exceeded'
        | 'search_timeout'
        | 'too_many_nodes'
        | 'unauthenticated';
      readonly detail: string;
    }
  /** `maxAgeSeconds`: how recent the verification of MFA must be; absent when signing in. */
  | { readonly code: 'mfa_required'; readonly detail: string; readonly maxAgeSeconds?: number }
  | {
      readonly code: 'rate_limited';
      readonly detail: string;
      /** Whole seconds, at least 1. */
      readonly retryAfterSeconds: number;
      /** True if a refusal like it is on record already: only the first is recorded (Contract: §8). */
      readonly isRepeated?: boolean;
    }
  /** The client has disconnected; nobody reads the answer. */
  | { readonly code: 'cancelled'; readonly detail: string };

/** Every code, for total mappings. */
export type ApplicationErrorCode = ApplicationError['code'];

/** The faults as one error, cut after 100. Throws if there are none. */
export function toValidationError(faults: readonly FieldError[]): ValidationError {
  const errors = faults.slice(0, MAX_FAULTS);
  const [first] = errors;
  if (first === undefined) throw new Error('a validation error needs a fault');
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more; see errors)`;
  return { code: 'validation_failed', detail: `${first.message}${more}`, errors };
}

/** The faults among values that were parsed one by one, each `invalid_value` at its name. Null: was not sent. */
export function faultsIn(parsed: Readonly<Record<string, Result<unknown, string> | null>>): FieldError[] {
  return Object.entries(parsed).flatMap(([path, value]) =>
    value === null || value.ok ? [] : [{ path, code: 'invalid_value', message: value.error }],
  );
}

/** A validation error with one fault. */
export function invalidField(path: string, code: string, message: string): ValidationError {
  return toValidationError([{ path, code, message }]);
}

/** The same whether the filter does not exist or is out of reach, so that ids cannot be probed. */
export const FILTER_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such filter, or you have no access to it.',
};

/** The same for an unknown device and for one that is out of reach, like {@link FILTER_NOT_FOUND}. */
export const DEVICE_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such device, or you have no access to it.',
};

/** The cursor was not issued for this request. */
export const INVALID_CURSOR: ApplicationError = {
  code: 'invalid_cursor',
  detail:
    'The cursor is not valid for this request: it works unchanged, for the same user, query and sort, and until the saved filter changes; leave cursor out to start with the first page.',
};

/** The same for an unknown organization and for one that is out of reach, like {@link FILTER_NOT_FOUND}. */
export const ORGANIZATION_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such organization, or you have no access to it.',
};

/** The same for an unknown request and for one that is out of reach, like {@link FILTER_NOT_FOUND}. */
export const DELETION_REQUEST_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such deletion request, or you have no access to it.',
};

/** The same for an unknown custom field and for one that is out of reach, like {@link FILTER_NOT_FOUND}. */
export const CUSTOM_FIELD_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such custom field, or you have no access to it.',
};

/** `excess` is what `quotaExceededBy` says. */
export function quotaExceeded(excess: string): ApplicationError {
  return { code: 'quota_exceeded', detail: `Quota exceeded: ${excess}.` };
}

/** The client has closed the connection; the error only goes to the log. */
export const CANCELLED = {
  code: 'cancelled',
  detail: 'The client closed the request.',
} as const satisfies ApplicationError;

/** The user was erased or disabled after the request was authenticated. */
export const ACCOUNT_GONE: ApplicationError = {
  code: 'unauthenticated',
  detail: 'The account is no longer active.',
};
