/** Keeps the first few of many items without sorting all. */
export class TopItems<Item> {
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;
  readonly #first: Item[] = [];
  #count = 0;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** Also counts items that were not kept. */
  get count(): number {
    return this.#count;
  }

  get first(): readonly Item[] {
    return this.#first;
  }

  add(item: Item): void {
    this.#count++;
    const last = this.#first.at(-1);
    const isFull = this.#first.length >= this.#limit;
    if (isFull && (last === undefined || this.#compare(item, last) > 0)) return;
    this.#first.splice(this.#placeOf(item), 0, item);
    if (isFull) this.#first.pop();
  }

  #placeOf(item: Item): number {
    let low = 0;
    let high = this.#first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#first[middle];
      if (other !== undefined && this.#compare(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
