/** Why the requested organization cannot own something new. */
import { type ApplicationError, invalidField } from '#application/application-error.ts';
import type { OwnerRefusal, ScopeKind } from '#domain/access/access-scope.ts';

/** `forbidden` if the organization is out of reach, whether it exists or not. */
export function toOwnerError(refusal: OwnerRefusal, scope: ScopeKind): ApplicationError {
  return ERRORS[refusal](scope);
}

const ERRORS: Readonly<Record<OwnerRefusal, (scope: ScopeKind) => ApplicationError>> = {
  // Spec: Errors, the exact message.
  'org-required': (scope) => invalidField('orgId', 'value_required', `orgId is required for ${scope} scope`),
  'org-out-of-reach': () => ({
    code: 'forbidden',
    detail: 'You have no access to this organization; use one that you manage.',
  }),
};

/** Only for callers who reach every organization. */
export const UNKNOWN_ORGANIZATION: ApplicationError = invalidField(
  'orgId',
  'unknown_organization',
  'orgId does not match any organization',
);
