/** The summary of each problem code in the OpenAPI document, and a `detail` that the service sends with it. */
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';
import { CANCELLED, FILTER_NOT_FOUND, INVALID_CURSOR } from '#application/application-error.ts';
import {
  INVALID_CODE,
  INVALID_CREDENTIALS,
  INVALID_REFRESH_TOKEN,
  WRONG_PASSWORD,
} from '#application/auth/auth-refusals.ts';
import { MFA_ENROLLMENT_REQUIRED, MFA_NOT_POSSIBLE } from '#application/auth/mfa/require-fresh-mfa.ts';

export interface ProblemExample {
  /** When it is answered. */
  readonly meaning: string;
  readonly detail: string;
}

export const PROBLEM_EXAMPLES: Readonly<Record<ProblemCode, ProblemExample>> = {
  admin_note_required: {
    meaning: 'a rejection needs a note',
    detail: 'adminNote is required to reject a request; the user receives it.',
  },
  ambiguous_credentials: {
    meaning: 'the request has two credentials',
    detail: 'Send either an access token or an API key, not both.',
  },
  ambiguous_custom_field: {
    meaning: 'a custom field has different types in the organizations in reach',
    detail:
      'custom.owner has different types in the organizations that you can access; save the filter in one organization to use the field there',
  },
  bad_request: {
    meaning: 'the request is not well-formed HTTP',
    detail: 'This is not a well-formed HTTP request.',
  },
  cancelled: { meaning: 'the client closed the connection and reads no answer', detail: CANCELLED.detail },
  conflict: {
    meaning: 'the state or a name conflicts with the change',
    detail: 'The request is no longer pending: it has been cancelled or decided.',
  },
  deletion_already_approved: {
    meaning: 'an approved request can no longer be cancelled',
    detail: 'The deletion of your account has already been approved and will be carried out.',
  },
  filter_timeout: {
    meaning: 'evaluation took longer than `FILTER_TIMEOUT_MS`',
    detail: 'The filter took too long to evaluate; make it simpler, or narrow it with a cheaper condition.',
  },
  forbidden: {
    meaning: 'the caller lacks a permission',
    detail: 'This needs the permission users:write.',
  },
  header_fields_too_large: {
    meaning: 'request line and headers exceed 16 KiB',
    detail: 'The request line and headers are too large.',
  },
  internal: {
    meaning: 'the service failed',
    detail: 'Something went wrong on our side; quote the requestId when you report it.',
  },
  invalid_credentials: {
    meaning: 'wrong email or password, with one answer for both',
    detail: INVALID_CREDENTIALS.detail,
  },
  invalid_cursor: {
    meaning: 'the cursor belongs to another request',
    detail: INVALID_CURSOR.detail,
  },
  invalid_json: {
    meaning: 'the body is not JSON',
    detail: 'The body is not valid JSON (at character 17).',
  },
  invalid_mfa_code: {
    meaning: 'the code is wrong or was used before',
    detail: INVALID_CODE.detail,
  },
  invalid_password: { meaning: 'the password is wrong', detail: WRONG_PASSWORD.detail },
  invalid_refresh_token: {
    meaning: 'the refresh token is not valid',
    detail: INVALID_REFRESH_TOKEN.detail,
  },
  method_not_allowed: {
    meaning: 'the address takes other methods, which `Allow` names',
    detail: 'This address accepts GET, HEAD, OPTIONS.',
  },
  mfa_enrollment_required: {
    meaning: 'this needs MFA, and the user has no second factor',
    detail: MFA_ENROLLMENT_REQUIRED.detail,
  },
  mfa_not_possible: {
    meaning: 'this needs MFA, which an API key cannot pass',
    detail: MFA_NOT_POSSIBLE.detail,
  },
  mfa_required: {
    meaning: 'MFA is missing or too old',
    detail: 'This needs a recent MFA verification: send a code to POST /auth/mfa/challenge, then try again.',
  },
  not_found: {
    meaning: 'the resource does not exist or is out of reach',
    detail: FILTER_NOT_FOUND.detail,
  },
  partner_in_maintenance: {
    meaning: "the partner's data is being moved and is read-only meanwhile",
    detail:
      'What belongs to this partner is being moved and can only be read for now; try again in a few minutes.',
  },
  payload_too_large: {
    meaning: 'the body is too large',
    detail: 'The body is larger than 1048576 bytes (1 MiB).',
  },
  precondition_failed: {
    meaning: 'the resource has changed since the version in `If-Match`',
    detail: 'The filter has changed since you read it; read it again and repeat your change.',
  },
  quota_exceeded: {
    meaning: 'the owner has reached its quota',
    detail:
      'Quota exceeded: an organization holds at most 1,000 saved filters; this one has 1,000, and this would add 1.',
  },
  rate_limited: {
    meaning: 'too many requests or attempts; `Retry-After` says when to try again',
    detail:
      'You, or others of your organization, are using their whole share of the service; try again shortly.',
  },
  request_timeout: {
    meaning: 'the request took too long to arrive',
    detail: 'The request took too long to arrive.',
  },
  search_timeout: {
    meaning: 'the search took longer than `SEARCH_TIMEOUT_MS`',
    detail: 'The search took too long; try a longer or less common text.',
  },
  too_many_nodes: {
    meaning: 'the filter has too many conditions and groups to be explained at once',
    detail:
      'The filter has 812 conditions and groups; at most 500 can be explained at once. Send a part of it.',
  },
  unauthenticated: {
    meaning: 'the request has no valid credential',
    detail: 'The access token is invalid, has expired or has been revoked.',
  },
  unavailable: {
    meaning: 'the database cannot be reached, or the service is too busy',
    detail: 'The service is too busy, or cannot reach its database; try again shortly.',
  },
  unsupported_media_type: {
    meaning: 'the body is not declared as JSON in UTF-8',
    detail: 'Content-Type must be application/json, in UTF-8; it is text/plain.',
  },
  validation_failed: {
    meaning: 'the input is not valid; `errors` names every fault',
    detail: 'limit must be a whole number from 1 to 100',
  },
};
