/** Which of thousands of filters match one plain device (Contract: §15). */
import { FilterIndex } from '#domain/filter/index/filter-index.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import type { CompiledFilter } from './compile-filter.ts';
import type { PlainDevice, PlainInstant } from './plain-device.ts';
import { readInstant, readPlainDevice } from './read-plain-device.ts';

/** A filter under an id of the caller's choice. */
export interface FilterToIndex<Id> {
  readonly id: Id;
  readonly filter: CompiledFilter;
  /** With one it matches devices of that organization alone. */
  readonly orgId?: string | null | undefined;
}

/** Filters that can be asked together, and changed one by one. */
export interface IndexedFilters<Id> {
  readonly size: number;
  /** Adds a filter, or puts it in the place of the one with this id. */
  set(filter: FilterToIndex<Id>): void;
  /** Whether there was one. */
  delete(id: Id): boolean;
  /**
   * The ids of the filters that match the device, in no particular order; the answer is that of asking each.
   *
   * @param at the instant that relative dates count from, such as `Date.now()`
   * @throws TypeError where a member of the device holds what it cannot hold; the message names it
   */
  matching(device: PlainDevice, at: PlainInstant): readonly Id[];
}

/** Where an id comes twice, the later filter stands. */
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
