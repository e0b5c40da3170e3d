/** Finds which of thousands of filters match one plain device (Contract: §15). */
import { FilterIndex } from '#domain/filter/index/filter-index.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import type { CompiledFilter } from './compile-filter.ts';
import type { PlainDevice, PlainInstant } from './plain-device.ts';
import { readInstant, readPlainDevice } from './read-plain-device.ts';

/** A compiled filter under the caller's id. */
export interface FilterToIndex<Id> {
  readonly id: Id;
  readonly filter: CompiledFilter;
  /** Restricts the filter to devices of this organization. */
  readonly orgId?: string | null | undefined;
}

/** A changeable set of indexed filters. */
export interface IndexedFilters<Id> {
  readonly size: number;
  /** Adds or replaces the filter with this id. */
  set(filter: FilterToIndex<Id>): void;
  /** Returns whether the filter existed. */
  delete(id: Id): boolean;
  /**
   * Ids of the matching filters, unordered; the same answer as asking each.
   * @param at the instant for relative dates, such as `Date.now()`
   * @throws TypeError naming the member of the device that has a wrong type
   */
  matching(device: PlainDevice, at: PlainInstant): readonly Id[];
}

/** A later filter replaces an earlier one with the same id. */
export function indexFilters<Id>(filters: Iterable<FilterToIndex<Id>>): IndexedFilters<Id> {
  const index = new FilterIndex<Id>(() => {
    throw new Error('filters come compiled here, with their regular expressions');
  });
  const indexed: IndexedFilters<Id> = {
    get size() {
      return index.size;
    },
    set: ({ id, filter, orgId }) => index.setCompiled(id, filter.conditions, filter.matches, toOrgId(orgId)),
    delete: (id) => index.delete(id),
    matching: (device, at) => index.matching(readPlainDevice(device), readInstant(at, 'at')),
  };
  for (const filter of filters) indexed.set(filter);
  return indexed;
}

function toOrgId(orgId: string | null | undefined): OrgId | null {
  return orgId === null || orgId === undefined ? null : (parseId<'organization'>(orgId) ?? (orgId as OrgId));
}
