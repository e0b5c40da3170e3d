/** What each problem is called in the OpenAPI document: when it comes, with an example of its `detail`. */
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';

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
    meaning: 'two credentials were sent',
    detail: 'Send either an access token or an API key, not both.',
  },
  ambiguous_custom_field: {
    meaning: 'a custom field has different types in the organizations in reach',
    detail: 'custom.owner has different types in the organizations that you can access.',
  },
  bad_request: {
    meaning: 'this is not HTTP as it should be',
    detail: 'This is not a well-formed HTTP request.',
  },
  cancelled: { meaning: 'the client hung up, and reads no answer', detail: 'The client closed the request.' },
  conflict: {
    meaning: 'it is no longer, or already, so',
    detail: 'The request is no longer pending: it has been cancelled or decided.',
  },
  deletion_already_approved: {
    meaning: 'it cannot be taken back any more',
    detail: 'The deletion of your account has already been approved and will be carried out.',
  },
  filter_timeout: {
    meaning: 'evaluating took longer than `FILTER_TIMEOUT_MS`',
    detail: 'The filter took longer than 2000 ms; narrow it.',
  },
  forbidden: {
    meaning: 'you may not',
    detail: 'This needs the permission users:write.',
  },
  header_fields_too_large: {
    meaning: 'request line and headers exceed 16 KiB',
    detail: 'The request line and headers are too large.',
  },
  internal: {
    meaning: 'a failure of the service',
    detail: 'Something went wrong on our side; quote the requestId when you report it.',
  },
  invalid_credentials: {
    meaning: 'wrong email or password, the same for both',
    detail: 'The email or password is wrong.',
  },
  invalid_cursor: {
    meaning: 'the cursor was issued for something else',
    detail: 'The cursor is not valid for this request; leave cursor out to start with the first page.',
  },
  invalid_json: { meaning: 'the body is no JSON', detail: 'The body is not valid JSON (at character 17).' },
  invalid_mfa_code: {
    meaning: 'a wrong code, or one that was used',
    detail: 'The code is wrong, has expired or has already been used.',
  },
  invalid_password: { meaning: 'the password is wrong', detail: 'The password is wrong.' },
  invalid_refresh_token: {
    meaning: 'the refresh token is of no use',
    detail: 'The refresh token is invalid, has expired or has already been used; sign in again.',
  },
  method_not_allowed: {
    meaning: 'the address takes other methods, which `Allow` names',
    detail: 'This address accepts GET, HEAD, OPTIONS.',
  },
  mfa_enrollment_required: {
    meaning: 'this needs MFA, and none is set up',
    detail: 'This needs MFA, which you have not set up; start with POST /auth/mfa/enroll.',
  },
  mfa_not_possible: {
    meaning: 'this needs MFA, which an API key cannot pass',
    detail: 'An API key cannot pass MFA; sign in and send an access token.',
  },
  mfa_required: {
    meaning: 'MFA is to be passed, or to be passed again',
    detail: 'This needs a recent MFA verification: send a code to POST /auth/mfa/challenge, then try again.',
  },
  not_found: {
    meaning: 'there is none, or it is out of reach',
    detail: 'There is no such filter, or you have no access to it.',
  },
  partner_in_maintenance: {
    meaning: 'what belongs to the partner is being moved elsewhere, and can only be read meanwhile',
    detail:
      'What belongs to this partner is being moved and can only be read for now; try again in a few minutes.',
  },
  payload_too_large: {
    meaning: 'the body is too large',
    detail: 'The body is larger than 1048576 bytes (1 MiB).',
  },
  precondition_failed: {
    meaning: 'it has changed since the version in `If-Match`',
    detail: 'It has changed since you read it; read it again.',
  },
  quota_exceeded: {
    meaning: 'the owner has as many as it may',
    detail: 'Quota exceeded: an organization holds at most 1000 filters.',
  },
  rate_limited: {
    meaning: 'too much at once, or too many attempts; `Retry-After` says when to try again',
    detail:
      'You, or others of your organization, are using their whole share of the service; try again shortly.',
  },
  request_timeout: {
    meaning: 'the request took too long to arrive',
    detail: 'The request took too long to arrive.',
  },
  search_timeout: {
    meaning: 'searching took longer than `SEARCH_TIMEOUT_MS`',
    detail: 'The search took longer than 1000 ms; send a longer text.',
  },
  too_many_nodes: {
    meaning: 'more conditions and groups than can be explained at once',
    detail: 'At most 500 conditions and groups can be explained; this filter has 812.',
  },
  unauthenticated: {
    meaning: 'no credential that is good',
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
    meaning: 'what was sent is not valid; `errors` names every fault',
    detail: 'limit must be a whole number from 1 to 100',
  },
};
