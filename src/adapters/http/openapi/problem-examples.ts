/** For each problem code, its meaning and a `detail` that the service really sends. */
import { BAD_REQUEST } from '#adapters/http/answer/answer-malformed.ts';
import { IN_MAINTENANCE, INTERNAL, UNAVAILABLE } from '#adapters/http/answer/answer-thrown.ts';
import type { ProblemCode } from '#adapters/http/answer/problem-status.ts';
import { INVALID_TOKEN, TWO_CREDENTIALS } from '#adapters/http/read/authenticate.ts';
import { MAX_BODY_BYTES, tooLarge } from '#adapters/http/read/read-body.ts';
import { CANCELLED, FILTER_NOT_FOUND, INVALID_CURSOR } from '#application/application-error.ts';
import {
  INVALID_CODE,
  INVALID_CREDENTIALS,
  INVALID_REFRESH_TOKEN,
  WRONG_PASSWORD,
} from '#application/auth/auth-refusals.ts';
import { LINK_INVALID } from '#application/auth/links/link-input.ts';
import { MFA_ENROLLMENT_REQUIRED, MFA_NOT_POSSIBLE } from '#application/auth/mfa/fresh-mfa.ts';
import { REFUSALS as DELETION_REFUSALS } from '#application/deletion/process-deletion.ts';
import { TOO_MANY_DEVICES } from '#application/devices/bulk-change.ts';
import { DIFFERENT_MACHINES } from '#application/devices/end-devices.ts';
import { NAME_TAKEN, NOT_EMPTY } from '#application/fleet/manage-tenants.ts';
import { DOMAIN_TAKEN } from '#application/identity-providers/hold-provider.ts';
import { CURSOR_EXPIRED } from '#application/live/follow-filter.ts';
import { EMAIL_TAKEN, NOT_INVITED } from '#application/people/change-person.ts';
import { RIGHTS_REFUSALS } from '#application/people/rights-refusals.ts';

export interface ProblemExample {
  readonly meaning: string;
  readonly detail: string;
}

export const PROBLEM_EXAMPLES: Readonly<Record<ProblemCode, ProblemExample>> = {
  admin_note_required: {
    meaning: 'a rejection needs a note',
    detail: DELETION_REFUSALS['note-required'].detail,
  },
  ambiguous_credentials: {
    meaning: 'the request has two credentials',
    detail: TWO_CREDENTIALS.problem.detail,
  },
  ambiguous_custom_field: {
    meaning: 'a custom field has different types in the organizations in reach',
    detail:
      'custom.owner has different types in the organizations that you can access; save the filter in one organization to use the field there',
  },
  bad_request: {
    meaning: 'the request is not well-formed HTTP',
    detail: BAD_REQUEST.detail,
  },
  cancelled: {
    meaning: 'the client closed the connection; the answer is only logged',
    detail: CANCELLED.detail,
  },
  confirmation_needed: {
    meaning: 'a guard of a subscription stops the change; `impact` says what it would do',
    detail:
      '12 devices would enter and 3 leave, which the subscription "Rollout" guards against; send confirm with the version, entering and leaving of the impact.',
  },
  conflict: {
    meaning: 'the state or a name conflicts with the change',
    detail: DELETION_REFUSALS['not-pending'].detail,
  },
  count_changed: {
    meaning: 'another number of devices matches than `expectedCount`; `actualCount` says how many',
    detail:
      '1,205 devices match now, not 1,204; nothing was changed. Look at them, then send the new number as expectedCount.',
  },
  cursor_expired: {
    meaning: 'changes after the cursor are no longer all kept; read the members again',
    detail: CURSOR_EXPIRED.detail,
  },
  deletion_already_approved: {
    meaning: 'an approved request can no longer be cancelled',
    detail: DELETION_REFUSALS['already-approved'].detail,
  },
  different_machines: {
    meaning: 'serial numbers or UUIDs say that the devices are two machines',
    detail: DIFFERENT_MACHINES.detail,
  },
  email_taken: {
    meaning: 'an active or invited person has the email',
    detail: EMAIL_TAKEN.detail,
  },
  exceeds_own_rights: {
    meaning: 'the caller lacks a right that they give, or that the person has',
    detail: RIGHTS_REFUSALS['exceeds-own-rights'].detail,
  },
  filter_cycle: {
    meaning: 'the filter would name itself through others',
    detail:
      'The filter would name itself: "Servers" (01a20146-3761-70a3-8118-b63b5b8966e9) → "Servers" (01a20146-3761-70a3-8118-b63b5b8966e9)',
  },
  filter_in_use: {
    meaning: 'subscriptions or other filters rely on the filter; `usedBy` names them',
    detail: '1 subscription to the filter would end; delete it first, or send force=true to end it.',
  },
  filter_too_deep: {
    meaning: 'more than 20 filters would name each other in a chain',
    detail:
      'A chain of filters that name each other has at most 20 filters, the first and the last included; this one would have 21',
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
    detail: INTERNAL.detail,
  },
  invalid_credentials: {
    meaning: 'wrong email or password, with one answer for both',
    detail: INVALID_CREDENTIALS.detail,
  },
  invalid_cursor: {
    meaning: 'the cursor belongs to another query',
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
  last_administrator: {
    meaning: 'nobody else administers the whole service',
    detail: RIGHTS_REFUSALS['last-administrator'].detail,
  },
  link_invalid: {
    meaning: 'the link is unknown, used, void or expired',
    detail: LINK_INVALID.detail,
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
    meaning: 'this needs MFA, which an API key cannot verify',
    detail: MFA_NOT_POSSIBLE.detail,
  },
  mfa_required: {
    meaning: 'MFA is missing or too old',
    detail: 'This needs a recent MFA verification: send a code to POST /auth/mfa/challenge, then try again.',
  },
  domain_taken: {
    meaning: 'a domain is verified for another identity provider',
    detail: DOMAIN_TAKEN.detail,
  },
  name_taken: {
    meaning: 'another one beside it has the name',
    detail: NAME_TAKEN.detail,
  },
  not_empty: {
    meaning: 'the organization still has devices, people or filters',
    detail: NOT_EMPTY.detail,
  },
  not_found: {
    meaning: 'the resource does not exist or is out of reach',
    detail: FILTER_NOT_FOUND.detail,
  },
  not_invited: {
    meaning: 'the person has accepted the invitation, or has not yet',
    detail: NOT_INVITED.detail,
  },
  own_account: {
    meaning: 'nobody administers their own account',
    detail: RIGHTS_REFUSALS['own-account'].detail,
  },
  partner_in_maintenance: {
    meaning: "the partner's data is being moved and is read-only for now",
    detail: IN_MAINTENANCE.detail,
  },
  payload_too_large: {
    meaning: 'the body is too large',
    detail: tooLarge(MAX_BODY_BYTES).detail,
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
  recent_sign_in_required: {
    meaning: 'the person has no password and has not signed in recently',
    detail:
      'You have no password, so this needs a sign-in of the last five minutes by a passkey or your provider.',
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
  too_many_devices: {
    meaning: 'one change covers at most 10,000 devices',
    detail: TOO_MANY_DEVICES.detail,
  },
  too_many_nodes: {
    meaning: 'the filter has too many conditions and groups to be explained at once',
    detail:
      'The filter has 812 conditions and groups; at most 500 can be explained at once. Send a part of it.',
  },
  unauthenticated: {
    meaning: 'the request has no valid credential',
    detail: INVALID_TOKEN.problem.detail,
  },
  unavailable: {
    meaning: 'the database cannot be reached, or the service is too busy',
    detail: UNAVAILABLE.detail,
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
