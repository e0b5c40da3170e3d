import { type ApplicationError, invalidField } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { OwnerRefusal, ScopeKind } from '#domain/access/access-scope.ts';
import {
  DEVICES_WRITE,
  mayAdministerUsers,
  mayChangeDevices,
  USERS_WRITE,
} from '#domain/access/permission.ts';

/** Null if the caller may change devices (Contract: §10). */
export function refuseWithoutDevicesWrite({ caller }: Call): ApplicationError | null {
  return mayChangeDevices(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${DEVICES_WRITE}.` };
}

/** Null if the caller may administer users (Spec: Authentication). */
export function refuseWithoutUsersWrite({ caller }: Call): ApplicationError | null {
  return mayAdministerUsers(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${USERS_WRITE}.` };
}

/** An organization out of reach is `forbidden`, whether it exists or not. */
export function toOwnerError(refusal: OwnerRefusal, scope: ScopeKind): ApplicationError {
  return ERRORS[refusal](scope);
}

const ERRORS: Readonly<Record<OwnerRefusal, (scope: ScopeKind) => ApplicationError>> = {
  // The specification prescribes this message (Spec: Errors).
  'org-required': (scope) => invalidField('orgId', 'value_required', `orgId is required for ${scope} scope`),
  'org-out-of-reach': () => ORGANIZATION_OUT_OF_REACH,
};

/** The message does not tell whether the organization exists. */
export const ORGANIZATION_OUT_OF_REACH: ApplicationError = {
  code: 'forbidden',
  detail: 'You have no access to this organization; use one that you manage.',
};

/** The message does not tell whether the partner exists (Contract: §18). */
export const NOT_THE_WHOLE_PARTNER: ApplicationError = {
  code: 'forbidden',
  detail:
    'This filter is for all organizations of the partner. Only staff who reach all of them can create, change, delete, follow or subscribe to it.',
};

/** Sent only to callers who reach everything: others must not learn which ids exist. */
export const UNKNOWN_PARTNER: ApplicationError = invalidField(
  'partnerId',
  'unknown_partner',
  'partnerId does not match any partner',
);

export const UNKNOWN_ORGANIZATION: ApplicationError = invalidField(
  'orgId',
  'unknown_organization',
  'orgId does not match any organization',
);
