/** Which version of a filter a writer expects to change (If-Match). */
import type { ApplicationError } from '#application/application-error.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';

/** No condition, any existing version, or one of these versions; an empty set never matches. */
export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'version'; readonly versions: ReadonlySet<number> };

/** Null if the filter is as expected, else `precondition_failed`. */
export function checkPrecondition(precondition: Precondition, filter: SavedFilter): ApplicationError | null {
  if (precondition.kind !== 'version' || precondition.versions.has(filter.version)) return null;
  return {
    code: 'precondition_failed',
    detail: 'The filter has changed since you read it; read it again and repeat your change.',
  };
}
