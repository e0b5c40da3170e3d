/** The versions that a writer accepts as the current one (If-Match). */
import type { ApplicationError } from '#application/application-error.ts';

/**
 * Versions of filters are numbers; those of devices and people are revisions (strings).
 * - `any` accepts every existing version.
 * - `version` accepts the versions in its set; an empty set accepts none.
 */
export type Precondition<V extends number | string = number> =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'version'; readonly versions: ReadonlySet<V> };

export function checkPrecondition<V extends number | string>(
  precondition: Precondition<V>,
  current: V,
  what: 'filter' | 'device' | 'person',
): ApplicationError | null {
  if (precondition.kind !== 'version' || precondition.versions.has(current)) return null;
  return {
    code: 'precondition_failed',
    detail: `The ${what} has changed since you read it; read it again and repeat your change.`,
  };
}
