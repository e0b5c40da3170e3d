/** A table as one transaction sees it. Changes are staged and applied when the transaction succeeds. */
export class StagedMap<K, V> {
  readonly #base: Map<K, V>;
  readonly #changes = new Map<K, V | null>();

  readonly #assertUsable: () => void;

  /** `assertUsable` throws if the transaction may not use the table or has ended. */
  constructor(base: Map<K, V>, assertUsable: () => void = () => undefined) {
    this.#base = base;
    this.#assertUsable = assertUsable;
  }

  get(key: K): V | null {
    this.#assertUsable();
    const change = this.#changes.get(key);
    return change === undefined ? (this.#base.get(key) ?? null) : change;
  }

  set(key: K, value: V): void {
    this.#assertUsable();
    this.#changes.set(key, value);
  }

  delete(key: K): void {
    this.#assertUsable();
    this.#changes.set(key, null);
  }

  *entries(): IterableIterator<readonly [K, V]> {
    this.#assertUsable();
    for (const entry of this.#base) if (!this.#changes.has(entry[0])) yield entry;
    for (const [key, value] of this.#changes) if (value !== null) yield [key, value];
  }

  commit(): void {
    for (const [key, value] of this.#changes) {
      if (value === null) this.#base.delete(key);
      else this.#base.set(key, value);
    }
  }
}
