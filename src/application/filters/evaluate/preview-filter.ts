/**
 * Previews a saved filter over the devices of its organization (POST /filters/:id/preview; Contract: §5). If one of
 * its fields no longer exists, the preview is refused, naming the field; the filter stays.
 */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { checkSavedFilter } from '#application/filters/saved/check-saved-filter.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { FilterId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { Preview, RunPreview } from './run-preview.ts';

/** `limit` is 1-100. */
export type PreviewFilter = (
  call: Call,
  id: FilterId,
  limit: number,
) => Promise<Result<Preview, ApplicationError>>;

export interface PreviewFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly runPreview: RunPreview;
  readonly deny: Deny;
}

export function makePreviewFilter(deps: PreviewFilterDeps): PreviewFilter {
  return async (call, id, limit) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      return deps.deny(call, { action: 'filter.saved.preview', resourceId: id }, FILTER_NOT_FOUND);
    }
    const checked = await checkSavedFilter(deps.checkConditions, call, saved);
    if (!checked.ok) return checked;
    return deps.runPreview(call, {
      ...checked.value,
      limit,
      action: 'filter.saved.preview',
      filterId: id,
      orgId: saved.orgId,
    });
  };
}
