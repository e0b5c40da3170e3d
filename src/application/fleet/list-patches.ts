/** Lists the patches of the devices in reach by title (GET /patches; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { FleetCounter, PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import { workFor } from '#application/work-for.ts';
import type { ListedPatch } from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { toCountError } from './count-error.ts';

/** A page of patch titles. */
export interface PatchListQuery extends PatchQuery {
  /** Null: every organization in reach. */
  readonly orgId: OrgId | null;
}

/** By title, from title to title. `filter_timeout` if counting takes too long. */
export type ListPatches = (
  call: Call,
  query: PatchListQuery,
) => Promise<Result<Page<ListedPatch, string>, ApplicationError>>;

export interface ListPatchesDeps {
  readonly fleetCounter: FleetCounter;
  readonly narrowReach: NarrowReach;
}

export function makeListPatches({ fleetCounter, narrowReach }: ListPatchesDeps): ListPatches {
  return async (call, { orgId, ...query }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const request = { scope: scope.value, ...workFor(call) };
    const found = await fleetCounter.patches(request, { ...query, limit: query.limit + 1 });
    if (!found.ok) return err(toCountError(found.error));
    return ok(toPage(found.value, query.limit, ({ title }) => title));
  };
}
