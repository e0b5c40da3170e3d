/** Sites and scripts in reach (Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { FleetLists, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import {
  compareNamed,
  type ListedScript,
  type ListedSite,
  type ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import { trimText } from '#domain/text/storable-text.ts';

/** GET /sites; sorted by name. Null means every organization in reach. */
export type ListSites = (
  call: Call,
  orgId: OrgId | null,
) => Promise<Result<readonly ListedSite[], ApplicationError>>;

export interface ListSitesDeps {
  readonly fleetLists: FleetLists;
  readonly narrowReach: NarrowReach;
}

export function makeListSites({ fleetLists, narrowReach }: ListSitesDeps): ListSites {
  return async (call, orgId) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const found = await fleetLists.sites(scope.value);
    return ok(found.toSorted(compareNamed));
  };
}

export interface ScriptListQuery extends Omit<ScriptQuery, 'foldedText'> {
  /** Part of name or description, ignoring case and surrounding spaces; blank matches all. */
  readonly search: string;
  readonly orgId: OrgId | null;
}

/** GET /scripts; sorted by name. Includes scripts of the organization's partner. */
export type ListScripts = (
  call: Call,
  query: ScriptListQuery,
) => Promise<Result<Page<ListedScript, ScriptPosition>, ApplicationError>>;

export interface ListScriptsDeps {
  readonly fleetLists: FleetLists;
  readonly narrowReach: NarrowReach;
}

export function makeListScripts({ fleetLists, narrowReach }: ListScriptsDeps): ListScripts {
  return async (call, { orgId, search, after, limit }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const foldedText = foldCase(trimText(search));
    const found = await fleetLists.scripts(scope.value, { foldedText, after, limit: limit + 1 });
    return ok(toPage(found, limit, ({ name, id }) => ({ name: sortedName(name), id })));
  };
}
