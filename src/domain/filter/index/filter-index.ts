/**
 * Which of thousands of filters match one device. Gives the same answer as evaluating each; look-ups rule most of
 * them out.
 */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compilePredicate, type PatternFault } from '#domain/filter/evaluate/compile-predicate.ts';
import type { DevicePredicate } from '#domain/filter/evaluate/device-predicate.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/translate-pattern.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { type Candidate, CandidateIndex } from './candidate-index.ts';

/** Ids are the caller's. */
export class FilterIndex<Id> {
  readonly #translatePattern: TranslatePattern;
  readonly #filters = new Map<Id, Kept<Id>>();
  readonly #byOrg = new Map<OrgId | null, CandidateIndex<IndexedFilter<Id>>>();

  constructor(translatePattern: TranslatePattern) {
    this.#translatePattern = translatePattern;
  }

  get size(): number {
    return this.#filters.size;
  }

  /**
   * Adds or replaces a filter. With an `orgId` it matches that organization's devices only. If patterns cannot be
   * evaluated in process, all of them are named and nothing changes.
   */
  set(id: Id, filter: ConditionGroup, orgId: OrgId | null = null): Result<void, readonly PatternFault[]> {
    const compiled = compilePredicate(filter, this.#translatePattern);
    if (!compiled.ok) return compiled;
    this.setCompiled(id, filter, compiled.value, orgId);
    return ok(undefined);
  }

  /** Like `set` for a filter already compiled to `matches`. */
  setCompiled(id: Id, filter: ConditionGroup, matches: DevicePredicate, orgId: OrgId | null = null): void {
    this.delete(id);
    const index = this.#byOrg.get(orgId) ?? new CandidateIndex();
    this.#byOrg.set(orgId, index);
    const candidate = index.add({ id, matches }, simplifyConditions(filter));
    this.#filters.set(id, { index, candidate });
  }

  /** Returns whether the filter existed. */
  delete(id: Id): boolean {
    const kept = this.#filters.get(id);
    kept?.index.remove(kept.candidate);
    return this.#filters.delete(id);
  }

  /** Ids of the filters that match at `at`, unordered. */
  matching(device: DeviceFacts, at: EpochMs): readonly Id[] {
    const found: Id[] = [];
    for (const orgId of device.orgId === null ? [null] : [device.orgId, null]) {
      for (const { id, matches } of this.#byOrg.get(orgId)?.find(device) ?? []) {
        if (matches(device, at)) found.push(id);
      }
    }
    return found;
  }
}

interface IndexedFilter<Id> {
  readonly id: Id;
  readonly matches: DevicePredicate;
}

interface Kept<Id> {
  readonly index: CandidateIndex<IndexedFilter<Id>>;
  readonly candidate: Candidate<IndexedFilter<Id>>;
}
