/** Finds the entries whose required key the device has, for the keys of one field. */
import type { DeviceFacts } from '#domain/device/device.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { type Value, valuesReader } from '#domain/filter/evaluate/read-field.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { EDGE_LENGTHS, PART_LENGTH, type RequiredKey } from './required-key.ts';

type Bucket<E> = E[];

export type TakeBucket<E> = (bucket: readonly E[]) => void;

export class FieldKeys<E> {
  readonly #read: (device: DeviceFacts) => readonly Value[];
  /** Names of software and patches are compared case-folded. */
  readonly #isOfNames: boolean;
  readonly #missing: Bucket<E> = [];
  readonly #values = new Map<Value, Bucket<E>>();
  readonly #starts = new Map<string, Bucket<E>>();
  readonly #ends = new Map<string, Bucket<E>>();
  readonly #parts = new Map<string, Bucket<E>>();
  #size = 0;

  constructor(field: FilterField) {
    this.#read = valuesReader(field);
    this.#isOfNames = field.reads === 'software' || field.reads === 'patches';
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(key: RequiredKey, entry: E): void {
    this.#size++;
    if (key.kind === 'missing') this.#missing.push(entry);
    else if (key.kind === 'value') addTo(this.#values, key.value, entry);
    else addTo(this.#texts(key.kind), key.text, entry);
  }

  remove(key: RequiredKey, entry: E): void {
    this.#size--;
    if (key.kind === 'missing') removeFrom(this.#missing, entry);
    else if (key.kind === 'value') removeFromMap(this.#values, key.value, entry);
    else removeFromMap(this.#texts(key.kind), key.text, entry);
  }

  /** Calls `take` with every bucket whose key the device has. It may also pass other buckets, or one twice. */
  find(device: DeviceFacts, take: TakeBucket<E>): void {
    const values = this.#read(device);
    if (this.#missing.length > 0 && values.every((value) => value === null)) take(this.#missing);
    const hasTexts = this.#starts.size + this.#ends.size + this.#parts.size > 0;
    if (!hasTexts && this.#isOfNames && this.#values.size < values.length / FOLDED_PER_BUCKET) {
      // Folding hundreds of names costs more than evaluating a few filters in vain.
      for (const bucket of this.#values.values()) take(bucket);
      return;
    }
    for (const value of values) {
      if (value === null) continue;
      const folded = hasTexts || this.#isOfNames ? foldCase(String(value)) : '';
      if (this.#values.size > 0) takeFrom(this.#values, this.#isOfNames ? folded : value, take);
      if (hasTexts) this.#findTexts(folded, take);
    }
  }

  #findTexts(folded: string, take: TakeBucket<E>): void {
    if (this.#starts.size + this.#ends.size > 0) {
      for (const length of EDGE_LENGTHS) {
        if (length > folded.length) break;
        takeFrom(this.#starts, folded.slice(0, length), take);
        takeFrom(this.#ends, folded.slice(-length), take);
      }
    }
    // Walks the smaller set: the required parts, or those of the text.
    if (this.#parts.size < folded.length) {
      for (const [part, bucket] of this.#parts) if (folded.includes(part)) take(bucket);
    } else if (this.#parts.size > 0) {
      for (let end = PART_LENGTH; end <= folded.length; end++) {
        takeFrom(this.#parts, folded.slice(end - PART_LENGTH, end), take);
      }
    }
  }

  #texts(kind: 'start' | 'end' | 'part'): Map<string, Bucket<E>> {
    switch (kind) {
      case 'start':
        return this.#starts;
      case 'end':
        return this.#ends;
      case 'part':
        return this.#parts;
    }
  }
}

/** Folding this many names takes as long as evaluating one bucket's filters. */
const FOLDED_PER_BUCKET = 4;

function addTo<K, E>(buckets: Map<K, Bucket<E>>, key: K, entry: E): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, [entry]);
  else bucket.push(entry);
}

function removeFromMap<K, E>(buckets: Map<K, Bucket<E>>, key: K, entry: E): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) return;
  removeFrom(bucket, entry);
  if (bucket.length === 0) buckets.delete(key);
}

function removeFrom<E>(bucket: Bucket<E>, entry: E): void {
  const place = bucket.indexOf(entry);
  const last = bucket.pop();
  if (last !== undefined && place < bucket.length) bucket[place] = last;
}

function takeFrom<K, E>(buckets: ReadonlyMap<K, Bucket<E>>, key: K, take: TakeBucket<E>): void {
  const bucket = buckets.get(key);
  if (bucket !== undefined) take(bucket);
}
