/** The answer of a search (Spec: Search result item; Contract: §6). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankSearch, type SearchHits } from '#domain/search/rank-search.ts';
import { SEARCH_CATEGORIES, type SearchHit } from '#domain/search/search-hit.ts';
import type { SettingsHit } from '#domain/search/settings-entries.ts';
import { foldCase } from '#domain/text/fold-case.ts';

const NOTHING: SearchHits = { devices: [], scripts: [], alerts: [], settings: [] };

const hit = (title: string, id = title): SearchHit => ({ id, title, description: null, beside: [] });
const setting = (title: string): SettingsHit => ({
  id: title,
  title,
  description: 'd',
  href: `/${title}`,
  beside: [],
});
const titlesOf = (hits: SearchHits, text: string, limit = 50) =>
  rankSearch(hits, text, limit).map(({ title }) => title);

describe('within a category', () => {
  test('exact titles come first, then prefixes, then word starts, then the rest', () => {
    const titles = [
      'a in other fields',
      'asrv',
      'my-srv',
      'srv 2',
      'SRV',
      'zsrv srv',
      'Srv-1',
      'b srv',
      'srv',
    ];
    expect(titlesOf({ ...NOTHING, devices: titles.map((title) => hit(title)) }, 'SrV')).toStrictEqual([
      'SRV',
      'srv',
      'srv 2',
      'Srv-1',
      'b srv',
      'my-srv',
      'zsrv srv',
      'a in other fields',
      'asrv',
    ]);
  });

  test('equal matches come by folded title in code point order', () => {
    const titles = ['srv😀', 'srv\uffff', 'srvé', 'SRVz', 'srv_', 'srvA', 'srv', 'srv '];
    expect(titlesOf({ ...NOTHING, scripts: titles.map((title) => hit(title)) }, 'srv')).toStrictEqual([
      'srv',
      'srv ',
      'srv_',
      'srvA',
      'SRVz',
      'srvé',
      'srv\uffff',
      'srv😀',
    ]);
  });

  test('matches with the same title come by id', () => {
    const alerts = ['3', '1', '2', '10'].map((id) => hit(id === '2' ? 'SRV' : 'srv', id));
    expect(rankSearch({ ...NOTHING, alerts }, 'srv', 50).map(({ id }) => id)).toStrictEqual([
      '1',
      '10',
      '2',
      '3',
    ]);
  });

  test.each([
    ['İstanbul', 'istanbul', 'i'],
    ['\u212Aelvin', 'kelvin', 'K'],
    ['STRAẞE', 'straße', 'Straße'],
  ])('the case of %j and %j does not count', (one, two, text) => {
    const devices = [hit(two, '2'), hit(one, '1'), hit(`0 ${text}`, '3'), hit('0', '4')];
    expect(rankSearch({ ...NOTHING, devices }, text, 50).map(({ id }) => id)).toStrictEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
  });
});

describe('the categories', () => {
  const many = (name: string) => Array.from({ length: 60 }, (_, i) => hit(`${name} ${i + 10}`));
  const settings = ['x 1', 'x 2', 'x 3'].map(setting);
  const countsOf = (hits: SearchHits, limit: number) => {
    const results = rankSearch(hits, 'x', limit);
    expect(results.map(({ type }) => type)).toStrictEqual(
      SEARCH_CATEGORIES.flatMap((category) =>
        results.filter(({ type }) => type === category).map(({ type }) => type),
      ),
    );
    return SEARCH_CATEGORIES.map((category) => results.filter(({ type }) => type === category).length);
  };

  test.each([
    [20, [6, 6, 5, 3]],
    [4, [1, 1, 1, 1]],
    [5, [2, 1, 1, 1]],
    [3, [1, 1, 1, 0]],
    [1, [1, 0, 0, 0]],
    [50, [16, 16, 15, 3]],
  ])('share %d places fairly, in their order', (limit, counts) => {
    const hits = { devices: many('x'), scripts: many('x'), alerts: many('x'), settings };
    expect(countsOf(hits, limit)).toStrictEqual(counts);
  });

  test('leave unused places to the others', () => {
    expect(countsOf({ ...NOTHING, scripts: many('x'), settings }, 20)).toStrictEqual([0, 17, 0, 3]);
    expect(countsOf({ ...NOTHING, alerts: many('x') }, 20)).toStrictEqual([0, 0, 20, 0]);
    expect(countsOf(NOTHING, 20)).toStrictEqual([0, 0, 0, 0]);
  });
});

test('a result has its category and the shown members, and nothing else', () => {
  const stored = { ...hit('x', '1'), description: 'online', orgId: 'not for show' };
  const results = rankSearch(
    { devices: [stored], scripts: [stored], alerts: [stored], settings: [{ ...setting('x'), id: '2' }] },
    'x',
    20,
  );
  expect(results).toStrictEqual([
    { type: 'devices', id: '1', title: 'x', description: 'online' },
    { type: 'scripts', id: '1', title: 'x', description: 'online' },
    { type: 'alerts', id: '1', title: 'x', description: 'online' },
    { type: 'settings', id: '2', title: 'x', description: 'd', href: '/x' },
  ]);
});

describe('any hits', () => {
  const title = fc.string({
    unit: fc.constantFrom('s', 'S', 'r', '-', ' ', 'é', '😀', '\uffff'),
    maxLength: 6,
  });
  const hits = fc.uniqueArray(fc.tuple(fc.nat(200), title), { maxLength: 12, selector: ([id]) => id });
  const storedHits = hits.map((pairs) => pairs.map(([id, title]) => hit(title, `${id}`.padStart(3, '0'))));
  const settingsHits = hits.map((pairs) =>
    pairs.map(([id, title]) => ({ ...setting(title), id: `${id}`.padStart(3, '0') })),
  );
  const found = fc.record({
    devices: storedHits,
    scripts: storedHits,
    alerts: storedHits,
    settings: settingsHits,
  });
  const text = title.filter((text) => text.trim() !== '');
  const limit = fc.integer({ min: 1, max: 50 });

  test('are ranked as the contract says', () => {
    fc.assert(
      fc.property(found, text, limit, (found, text, limit) => {
        expect(rankSearch(found, text, limit).map(({ type, id }) => [type, id])).toStrictEqual(
          rankByTheBook(found, text, limit),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('are ranked the same in any order, and if only the best of each category are given', () => {
    fc.assert(
      fc.property(found, text, limit, (found, text, limit) => {
        const results = rankSearch(found, text, limit);
        const turned = mapHits(found, (hits) => hits.toReversed());
        expect(rankSearch(turned, text, limit)).toStrictEqual(results);
        const best = mapHits(found, (hits) => sortByTheBook(hits, text).slice(0, limit));
        expect(rankSearch(best, text, limit)).toStrictEqual(results);
      }),
    );
  });
});

function mapHits(
  found: SearchHits,
  change: <Hit extends SearchHit>(hits: readonly Hit[]) => readonly Hit[],
): SearchHits {
  return {
    devices: change(found.devices),
    scripts: change(found.scripts),
    alerts: change(found.alerts),
    settings: change(found.settings),
  };
}

/** Everything in order, then one to each category in turn until the places are taken. */
function rankByTheBook(
  found: SearchHits,
  text: string,
  limit: number,
): readonly (readonly [string, string])[] {
  const queues = SEARCH_CATEGORIES.map((category) => sortByTheBook<SearchHit>(found[category], text));
  const taken: [category: number, id: string][] = [];
  for (let round = 0; round < limit; round++) {
    for (const [category, queue] of queues.entries()) {
      const next = queue[round];
      if (next !== undefined && taken.length < limit) taken.push([category, next.id]);
    }
  }
  return taken.sort(([a], [b]) => a - b).map(([category, id]) => [SEARCH_CATEGORIES[category] ?? '', id]);
}

function sortByTheBook<Hit extends SearchHit>(hits: readonly Hit[], text: string): readonly Hit[] {
  return hits.toSorted((a, b) => (keyOf(a, text) < keyOf(b, text) ? -1 : 1));
}

/** A text that sorts like the hit: tier, the code points of the folded title in six digits each, id. */
function keyOf({ id, title }: SearchHit, text: string): string {
  const characters = Array.from(foldCase(title));
  const sought = Array.from(foldCase(text));
  const places = characters
    .keys()
    .filter((at) => sought.every((character, i) => characters[at + i] === character));
  const before = places.map((at) => (at === 0 ? null : characters[at - 1])).toArray();
  const isAtWordStart = before.some((character) => character != null && !/[\p{L}\p{N}]/u.test(character));
  const tier = before.includes(null) ? (characters.length === sought.length ? 0 : 1) : isAtWordStart ? 2 : 3;
  return `${tier}${characters.map((c) => c.codePointAt(0)?.toString(16).padStart(6, '0')).join('')}-${id}`;
}
