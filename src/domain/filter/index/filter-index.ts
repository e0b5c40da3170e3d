/** Finds which of thousands of filters match a device. Look-ups rule out most of them. */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { CustomField } from '#domain/filter/catalog/custom-field.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup, Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type PatternFault,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { FieldKeys } from './field-keys.ts';
import { type RequiredKey, requiredKeys } from './required-key.ts';

export interface Candidate<T> {
  readonly item: T;
  /** Null: always a candidate. */
  readonly keys: readonly RequiredKey[] | null;
}

export class CandidateIndex<T> {
  readonly #always = new Set<Entry<T>>();
  readonly #byField = new Map<FieldIdentity, FieldKeys<Entry<T>>>();
  #lookUp = 0;

  /** `filter` must be simplified. */
  add(item: T, filter: Node<Criterion>): Candidate<T> {
    const entry: Entry<T> = { item, keys: requiredKeys(filter), foundBy: 0 };
    if (entry.keys === null) this.#always.add(entry);
    else for (const key of entry.keys) this.#keysOf(key.field).add(key, entry);
    return entry;
  }

  /** Removes what `add` returned. Do not call it twice. */
  remove(candidate: Candidate<T>): void {
    const entry = candidate as Entry<T>;
    this.#always.delete(entry);
    for (const key of entry.keys ?? []) {
      const identity = identify(key.field);
      const keys = this.#byField.get(identity);
      keys?.remove(key, entry);
      if (keys?.isEmpty) this.#byField.delete(identity);
    }
  }

  /** Every filter that matches, and possibly more; each once, unordered. */
  find(device: DeviceFacts): T[] {
    const lookUp = ++this.#lookUp;
    const found: T[] = [];
    for (const { item } of this.#always) found.push(item);
    const take = (bucket: readonly Entry<T>[]) => {
      for (const entry of bucket) {
        if (entry.foundBy === lookUp) continue;
        entry.foundBy = lookUp;
        found.push(entry.item);
      }
    };
    for (const keys of this.#byField.values()) keys.find(device, take);
    return found;
  }

  #keysOf(field: FilterField): FieldKeys<Entry<T>> {
    const identity = identify(field);
    const known = this.#byField.get(identity);
    if (known !== undefined) return known;
    const keys = new FieldKeys<Entry<T>>(field);
    this.#byField.set(identity, keys);
    return keys;
  }
}

interface Entry<T> extends Candidate<T> {
  /** The last look-up that found this entry, so that each look-up returns it once. */
  foundBy: number;
}

/** Catalogs may define one custom key differently, so the definition identifies the field. */
type FieldIdentity = string | CustomField;

function identify({ key, source }: FilterField): FieldIdentity {
  return source.kind === 'custom' ? source.field : key;
}

/** Finds the filters that match a device. The caller chooses the ids. */
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
   * Adds or replaces a filter. With an `orgId` it matches only that organization's devices. If patterns
   * cannot be evaluated in process, the error lists all of them and nothing changes.
   */
  set(id: Id, filter: ConditionGroup, orgId: OrgId | null = null): Result<void, readonly PatternFault[]> {
    const compiled = compilePredicate(filter, this.#translatePattern);
    if (!compiled.ok) return compiled;
    this.setCompiled(id, filter, compiled.value, orgId);
    return ok(undefined);
  }

  setCompiled(id: Id, filter: ConditionGroup, matches: DevicePredicate, orgId: OrgId | null = null): void {
    this.delete(id);
    const index = this.#byOrg.get(orgId) ?? new CandidateIndex();
    this.#byOrg.set(orgId, index);
    const candidate = index.add({ id, matches }, simplifyConditions(filter));
    this.#filters.set(id, { index, candidate });
  }

  delete(id: Id): boolean {
    const kept = this.#filters.get(id);
    kept?.index.remove(kept.candidate);
    return this.#filters.delete(id);
  }

  /** Unordered. */
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
