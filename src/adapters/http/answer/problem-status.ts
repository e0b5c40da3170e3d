/** RFC 9457; Contract: §1. */
import { toImpact } from '#adapters/http/filters/present-impact.ts';
import type {
  ApplicationErrorCode,
  FieldError,
  FilterImpact,
  FilterUse,
} from '#application/application-error.ts';

export type HttpErrorCode =
  | 'ambiguous_credentials'
  | 'bad_request'
  | 'header_fields_too_large'
  | 'internal'
  | 'method_not_allowed'
  | 'partner_in_maintenance'
  | 'request_timeout'
  | 'unauthenticated'
  | 'unavailable'
  | 'unsupported_media_type';

export type ProblemCode = ApplicationErrorCode | HttpErrorCode;

export interface Problem {
  readonly code: ProblemCode;
  /** What is wrong and what is allowed, without internal names. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Only on `recent_sign_in_required`, and on `mfa_required` if the session needs a step-up. */
  readonly maxAgeSeconds?: number;
  /** Only on `rate_limited`. */
  readonly retryAfterSeconds?: number;
  /** Only on `count_changed`: how many devices match. */
  readonly actualCount?: number;
  readonly usedBy?: readonly FilterUse[];
  readonly impact?: FilterImpact;
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export function statusOf(code: ProblemCode): number {
  return KINDS[code].status;
}

export function presentProblem(problem: Problem, requestId: string): string {
  const { code, detail, errors, actualCount, usedBy, impact } = problem;
  const { status, title } = KINDS[code];
  return JSON.stringify({
    type: `urn:fleetsift:problem:${code}`,
    title,
    status,
    detail,
    // Repeats `detail`, because some clients read `message`.
    message: detail,
    code,
    requestId,
    ...(actualCount !== undefined && { actualCount }),
    ...(usedBy !== undefined && { usedBy: usedBy.map(({ kind, id, name }) => ({ kind, id, name })) }),
    ...(impact !== undefined && { impact: toImpact(impact) }),
    ...(errors !== undefined && {
      errors: errors.map(({ path, start, end, code, message, suggestions }) => ({
        path,
        start,
        end,
        code,
        message,
        suggestions,
      })),
    }),
  });
}

/** Returns the headers of the problem's answer. Every 401 has a challenge (RFC 9110; RFC 9470). */
export function headersOf(problem: Problem): Readonly<Record<string, string>> {
  const { code, maxAgeSeconds, retryAfterSeconds } = problem;
  if (retryAfterSeconds !== undefined) return { 'Retry-After': String(retryAfterSeconds) };
  if (maxAgeSeconds !== undefined) {
    return {
      'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`,
    };
  }
  return statusOf(code) === 401 ? BEARER_CHALLENGE : NO_HEADERS;
}

const BEARER_CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const NO_HEADERS = {};

interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

const KINDS: Readonly<Record<ProblemCode, ProblemKind>> = {
  admin_note_required: { status: 400, title: 'Note required' },
  ambiguous_credentials: { status: 400, title: 'More than one credential' },
  ambiguous_custom_field: { status: 400, title: 'Ambiguous custom field' },
  bad_request: { status: 400, title: 'Malformed request' },
  // 499 is nginx's code for a disconnected client. The answer is only logged.
  cancelled: { status: 499, title: 'Client closed the request' },
  confirmation_needed: { status: 409, title: 'Confirmation needed' },
  conflict: { status: 409, title: 'Conflict' },
  cursor_expired: { status: 410, title: 'Cursor expired' },
  count_changed: { status: 409, title: 'Another number of devices' },
  deletion_already_approved: { status: 409, title: 'Deletion already approved' },
  different_machines: { status: 409, title: 'Different machines' },
  email_taken: { status: 409, title: 'Email taken' },
  exceeds_own_rights: { status: 403, title: 'Beyond your own rights' },
  filter_cycle: { status: 400, title: 'Filter names itself' },
  filter_in_use: { status: 409, title: 'Filter in use' },
  filter_too_deep: { status: 400, title: 'Filters nested too deep' },
  filter_timeout: { status: 422, title: 'Filter timed out' },
  forbidden: { status: 403, title: 'Forbidden' },
  header_fields_too_large: { status: 431, title: 'Header fields too large' },
  internal: { status: 500, title: 'Internal error' },
  invalid_credentials: { status: 401, title: 'Wrong email or password' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  invalid_mfa_code: { status: 401, title: 'Wrong MFA code' },
  invalid_password: { status: 403, title: 'Wrong password' },
  invalid_refresh_token: { status: 401, title: 'Invalid refresh token' },
  last_administrator: { status: 409, title: 'Last administrator' },
  link_invalid: { status: 404, title: 'Invalid link' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  mfa_enrollment_required: { status: 403, title: 'MFA not set up' },
  mfa_not_possible: { status: 403, title: 'MFA not possible' },
  mfa_required: { status: 401, title: 'MFA required' },
  domain_taken: { status: 409, title: 'Domain taken' },
  name_taken: { status: 409, title: 'Name taken' },
  not_empty: { status: 409, title: 'Not empty' },
  not_found: { status: 404, title: 'Not found' },
  not_invited: { status: 409, title: 'Invitation' },
  own_account: { status: 409, title: 'Your own account' },
  partner_in_maintenance: { status: 503, title: 'Read-only for now' },
  payload_too_large: { status: 413, title: 'Body too large' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  quota_exceeded: { status: 409, title: 'Quota exceeded' },
  rate_limited: { status: 429, title: 'Too many attempts' },
  recent_sign_in_required: { status: 401, title: 'Recent sign-in required' },
  request_timeout: { status: 408, title: 'Request timed out' },
  search_timeout: { status: 422, title: 'Search timed out' },
  too_many_devices: { status: 400, title: 'Too many devices' },
  too_many_nodes: { status: 400, title: 'Too many conditions and groups' },
  unauthenticated: { status: 401, title: 'Not authenticated' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 400, title: 'Validation failed' },
};

export const PROBLEM_CODES = Object.keys(KINDS) as readonly ProblemCode[];
