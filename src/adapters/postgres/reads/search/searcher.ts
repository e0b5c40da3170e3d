/**
 * One statement searches everything in reach on one snapshot. If it finds nothing and similar titles are
 * wanted, another statement finds them.
 */
import { lookUp } from '#adapters/postgres/reads/running/look-up.ts';
import { ReadRefused, unlessGivenUp } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import type { ComparedTitles } from '#adapters/postgres/reads/sql/search/search-part.ts';
import { searchTerms } from '#adapters/postgres/reads/sql/search/search-terms.ts';
import type { FoundThing, SearchContext, Searcher } from '#application/ports/search/searcher.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { AlertId, DeviceId, OrgId, ScriptId } from '#domain/ids.ts';
import {
  type SearchHit,
  type StoredCategory,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/search-hit.ts';
import { makeRankSimilar } from '#domain/search/similar-hit.ts';

/** The share of the time limit for comparing all similar titles. After it, only a sample is compared. */
const COMPARING = 0.4;

/** `timeoutMs` limits a search (Contract: §6). */
export function makeSearcher(
  reader: ScopedReader,
  timeoutMs: number,
  bounds: SearchBounds = SEARCH_BOUNDS,
): Pick<Searcher, 'search'> {
  return {
    search: async ({ text, scope, limit, categories, orSimilar, onBehalfOf, signal }) => {
      const found: Record<StoredCategory, SearchHit[]> = { devices: [], scripts: [], alerts: [] };
      const terms = searchTerms(text);
      const options = { onBehalfOf, startedAt: performance.now(), asTexts: true };

      const take = async (statement: ScopedStatement, ended = signal) => {
        const isNamed = statement.text.length <= MAX_NAMED_LENGTH;
        const rows = await reader.read<FoundRow>(statement, { ...options, signal: ended, isNamed });
        for (const row of rows) found[row[0]].push(TO_HIT[row[0]](row));
      };
      const similar = (compared: ComparedTitles) => {
        const candidates = candidatesOf(terms.folded, limit);
        return ScopedStatement.similar(scope, categories, terms.folded, candidates, compared);
      };

      return unlessGivenUp(async () => {
        if (categories.length === 0) return { ...found, areSimilar: false };
        await take(ScopedStatement.search(scope, categories, terms, limit, bounds));
        const isNone = Object.values(found).every((hits) => hits.length === 0);
        if (!isNone || !orSimilar) return { ...found, areSimilar: false };
        const late = AbortSignal.timeout(COMPARING * timeoutMs);
        try {
          await take(similar('all'), signal === undefined ? late : AbortSignal.any([late, signal]));
        } catch (error) {
          const isLate = error instanceof ReadRefused && late.aborted && signal?.aborted !== true;
          if (!isLate) throw error;
          await take(similar('sampled'));
        }
        const rank = makeRankSimilar(text);
        const isSimilar = (hit: SearchHit) => rank(hit) !== null;
        return {
          devices: found.devices.filter(isSimilar),
          scripts: found.scripts.filter(isSimilar),
          alerts: found.alerts.filter(isSimilar),
          areSimilar: true,
        };
      });
    },
  };
}

export function makeContextsOf(reader: ScopedReader): Searcher['contextsOf'] {
  return async (scope, things) => {
    const rows = await lookUp<ContextRow>(reader, scope, ScopedStatement.searchContexts(scope, things));
    return rows.map(toContext);
  };
}

interface ContextRow extends FoundThing {
  /** Null for a script of a partner. */
  readonly org_id: OrgId | null;
  readonly name: string | null;
  readonly device_id: DeviceId | null;
  readonly hostname: string | null;
}

function toContext({ type, id, org_id, name, device_id, hostname }: ContextRow): SearchContext {
  return {
    ...{ type, id },
    organization: org_id === null ? null : { id: org_id, name: name ?? '' },
    device: device_id === null ? null : { id: device_id, hostname: hostname ?? '' },
  };
}

/**
 * How many similar titles the database returns, to be ranked here. For characters beyond ASCII, it compares
 * stand-ins, which may rank worse titles higher, so it returns more.
 */
function candidatesOf(folded: string, limit: number): number {
  return IS_ASCII.test(folded) ? 2 * limit : 400;
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** In characters. Preparing pays even for long statements, because one plan serves all searches in a scope. */
const MAX_NAMED_LENGTH = 1_000_000;

type FoundRow = readonly [
  category: StoredCategory,
  id: string,
  first: string,
  second: string | null,
  third: string | null,
  fourth: string | null,
];

const TO_HIT: Readonly<Record<StoredCategory, (row: FoundRow) => SearchHit>> = {
  devices: ([, id, hostname, displayName, lastUser, status]) =>
    toDeviceHit({ id: id as DeviceId, hostname, displayName, lastUser, status: status as DeviceStatus }),
  scripts: ([, id, name, description]) => toScriptHit({ id: id as ScriptId, name, description }),
  alerts: ([, id, title, message]) => toAlertHit({ id: id as AlertId, title, message }),
};
