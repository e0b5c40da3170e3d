/** The questions that the suites put to a searcher, and the records that they put them to. */
import type { SearchCandidates, SearchRequest } from '#application/ports/search/searcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AlertRecord, DeviceRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { aDevice, anAlert, aScript, newId } from '#test/support/builders.ts';

/** A name that has nothing in common with the texts of these suites. */
export const ASIDE = '🔑';

/** Ids by category, sorted. */
export type FoundIds = Readonly<Record<(typeof STORED_CATEGORIES)[number], readonly string[]>>;

export interface SearcherQuestions {
  /** The hits, which must come in time; the 50 best of each category unless more is given. */
  search(
    scope: AccessScope,
    text: string,
    given?: Partial<Omit<SearchRequest, 'scope' | 'text'>>,
  ): Promise<SearchCandidates>;
  /** The ids of what is found. */
  findIds(scope: AccessScope, text: string): Promise<FoundIds>;
}

export function makeSearcherQuestions(backend: () => ContractBackend): SearcherQuestions {
  const search: SearcherQuestions['search'] = async (scope, text, given) => {
    const request = { text, scope, limit: 50, categories: STORED_CATEGORIES, onBehalfOf: 'test', ...given };
    const found = await backend().searcher.search(request);
    if (!found.ok) throw new Error(`the search was refused: ${found.error.kind}`);
    return found.value;
  };
  return {
    search,
    findIds: async (scope, text) => {
      const { devices, scripts, alerts } = await search(scope, text);
      return { devices: idsOf(devices), scripts: idsOf(scripts), alerts: idsOf(alerts) };
    },
  };
}

/** Sorted. */
export function idsOf(things: readonly { readonly id: string }[]): readonly string[] {
  return things.map(({ id }) => id).sort();
}

/** A text that occurs nowhere else: `x` and twelve digits of an id. */
export function newWord(): string {
  return `x${newId().slice(-12)}`;
}

/** Records that are found only by what is given. */
export function aBlankDevice(given: Partial<DeviceRecord> & Pick<DeviceRecord, 'orgId'>): DeviceRecord {
  return aDevice({ hostname: ASIDE, ...given });
}
export function aBlankScript(given: Partial<ScriptRecord> & Pick<ScriptRecord, 'owner'>): ScriptRecord {
  return aScript({ name: ASIDE, ...given });
}
export function aBlankAlert(given: Partial<AlertRecord> & Pick<AlertRecord, 'orgId'>): AlertRecord {
  return anAlert({ title: ASIDE, ...given });
}
