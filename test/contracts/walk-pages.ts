/** Reads a list from page to page, as a client does. */

/** Everything in order, read in pages of at most `limit`; throws if a page is too long, or the pages have no end. */
export async function walkPages<Item, Place>(
  limit: number,
  read: (after: Place | null, limit: number) => Promise<readonly Item[]>,
  placeOf: (item: Item) => Place,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: Place | null = null;
  for (let pages = 0; pages < 1_000; pages++) {
    const page: readonly Item[] = await read(after, limit);
    if (page.length > limit) throw new Error(`a page of ${limit} has ${page.length}`);
    items.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return items;
    after = placeOf(last);
  }
  throw new Error('the list has no end');
}
