/**
 * Finds filters that may match a device by what they require. Filters without a usable requirement are always
 * candidates.
 */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { CustomField } from '#domain/filter/catalog/custom-field.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { FieldKeys } from './field-keys.ts';
import { type RequiredKey, requiredKeys } from './required-key.ts';

/** A handle for `remove`. */
export interface Candidate<T> {
  readonly item: T;
  /** Null means always a candidate. */
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

  /** Takes what `add` returned, once. */
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

  /** All items whose filter matches at any instant, and possibly more; each once, unordered. */
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
  /** The last look-up that found it; a device can have several of its keys. */
  foundBy: number;
}

/** Catalogues may define a custom key differently, so each definition is a field. */
type FieldIdentity = string | CustomField;

function identify({ key, source }: FilterField): FieldIdentity {
  return source.kind === 'custom' ? source.field : key;
}
