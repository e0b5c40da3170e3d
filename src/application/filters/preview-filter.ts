/**
 * Previews a saved filter over the devices of its organization (Spec: POST /filters/:id/preview; Contract: §5).
 * A filter whose field has since gone is refused by the field's name and stays as it is.
 */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, type Result } from '#domain/result.ts';
import type { CheckConditions } from './check-conditions.ts';
import { toFilterError } from './filter-input.ts';
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
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
}

export function makePreviewFilter(deps: PreviewFilterDeps): PreviewFilter {
  return async (call, id, limit) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      await deps.auditLog(
        deps.makeEntry(call, {
          action: 'filter.saved.preview',
          result: 'denied',
          resourceId: id,
          orgId: null,
          details: { reason: 'not_found' },
        }),
      );
      return err(FILTER_NOT_FOUND);
    }
    const scope = narrowTo(call.caller.scope, saved.orgId);
    const filter = await deps.checkConditions(scope, JSON.parse(saved.conditionsJson), call.caller.userId);
    if (!filter.ok) return err(toFilterError([], filter.error));
    return deps.runPreview(call, {
      filter: filter.value,
      scope,
      limit,
      action: 'filter.saved.preview',
      filterId: id,
      orgId: saved.orgId,
    });
  };
}
