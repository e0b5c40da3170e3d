/** Lists the scripts in reach (GET /scripts; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { FleetLists, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { ListedScript, ScriptPosition } from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import { trimText } from '#domain/text/storable-text.ts';

/** A page of scripts. */
export interface ScriptListQuery extends Omit<ScriptQuery, 'foldedText'> {
  /** Name or description contains it, in any case, spaces around it aside; if blank, all do. */
  readonly search: string;
  /** Null: every organization in reach. */
  readonly orgId: OrgId | null;
}

/** By name; those of an organization's partner are among its own. */
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
