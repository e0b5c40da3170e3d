/** What a writer believes it is changing (If-Match): the versions it has seen, or any. */
import type { ApplicationError } from '#application/application-error.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';

export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'version'; readonly versions: ReadonlySet<number> };

/** Null where the writer may go on. */
export function checkPrecondition(precondition: Precondition, filter: SavedFilter): ApplicationError | null {
  if (precondition.kind !== 'version' || precondition.versions.has(filter.version)) return null;
  return {
    code: 'precondition_failed',
    detail: 'The filter has changed since you read it; read it again and repeat your change.',
  };
}
