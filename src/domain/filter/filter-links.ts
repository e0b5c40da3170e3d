/** Ensures that no filter names itself through others, and that chains stay short (Contract: §18). */
import type { FilterId } from '#domain/ids.ts';
import type { SavedFilter } from './saved-filter.ts';

/** A filter with the filters that its conditions name. */
export interface FilterLink extends Pick<SavedFilter, 'id' | 'name' | 'orgId' | 'partnerId' | 'version'> {
  readonly named: readonly FilterId[];
}

/** In filters, the first and the last included (Contract: §18). */
export const MAX_FILTER_CHAIN = 20;

export interface LinkFault {
  readonly code: 'filter_cycle' | 'filter_too_deep';
  readonly message: string;
}

/**
 * Null if the links of `filter` are allowed. `inner` are the filters that it names, `outer` those that name
 * it; both include indirect links.
 */
export function findLinkFault(
  filter: Pick<FilterLink, 'id' | 'name' | 'named'>,
  inner: readonly FilterLink[],
  outer: readonly FilterLink[],
): LinkFault | null {
  const links = new Map<FilterId, Pick<FilterLink, 'id' | 'name' | 'named'>>();
  for (const link of [...inner, ...outer, filter]) links.set(link.id, link);
  const namedBy = (id: FilterId) => links.get(id)?.named ?? [];
  const way = shortestWay(filter.id, namedBy);
  if (way !== null) {
    const names = way.map((id) => `"${links.get(id)?.name}" (${id})`).join(' → ');
    return { code: 'filter_cycle', message: `The filter would name itself: ${names}` };
  }
  const namers = new Map<FilterId, FilterId[]>();
  for (const { id, named } of links.values()) {
    for (const each of named) namers.set(each, [...(namers.get(each) ?? []), id]);
  }
  const length = longestChain(filter.id, namedBy) + longestChain(filter.id, (id) => namers.get(id) ?? []) - 1;
  if (length <= MAX_FILTER_CHAIN) return null;
  const message = `A chain of filters that name each other has at most ${MAX_FILTER_CHAIN} filters, the first and the last included; this one would have ${length}`;
  return { code: 'filter_too_deep', message };
}

/** The shortest way from the filter back to itself; null if there is none. */
function shortestWay(
  start: FilterId,
  next: (id: FilterId) => readonly FilterId[],
): readonly FilterId[] | null {
  const cameFrom = new Map<FilterId, FilterId>();
  const open = [start];
  for (const id of open) {
    for (const each of next(id)) {
      if (each === start) {
        const way = [start];
        for (let at: FilterId | undefined = id; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
        return way;
      }
      if (cameFrom.has(each)) continue;
      cameFrom.set(each, id);
      open.push(each);
    }
  }
  return null;
}

/** The length of the longest chain, `start` included. Ignores links that close a cycle. */
function longestChain(start: FilterId, next: (id: FilterId) => readonly FilterId[]): number {
  const lengths = new Map<FilterId, number>();
  const open: { readonly id: FilterId; readonly rest: FilterId[]; longest: number }[] = [];
  const enter = (id: FilterId) => {
    lengths.set(id, 0);
    open.push({ id, rest: [...next(id)], longest: 0 });
  };
  enter(start);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const each = top.rest.at(-1);
    const known = each === undefined ? undefined : lengths.get(each);
    if (each === undefined) {
      lengths.set(top.id, top.longest + 1);
      open.pop();
    } else if (known === undefined) {
      enter(each);
    } else {
      top.rest.pop();
      top.longest = Math.max(top.longest, known);
    }
  }
  return lengths.get(start) ?? 1;
}
