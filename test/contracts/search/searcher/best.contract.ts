/** What every searcher promises of many matches: the best `limit` of each category are among those it gives. */
import fc from 'fast-check';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  compareRankedHits,
  rankHit,
  type SearchHit,
  STORED_CATEGORIES,
  toAlertHit,
  toDeviceHit,
  toScriptHit,
} from '#domain/search/search-hit.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, orgScope } from '#test/support/builders.ts';
import { randomText, stretchOf } from '#test/support/random/random-texts.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import {
  ASIDE,
  aBlankAlert,
  aBlankDevice,
  aBlankScript,
  makeSearcherQuestions,
  newWord,
} from './ask-searcher.ts';

const LIMITS = [1, 2, 3, 7, 20, 50];

/** Characters before a word, of each kind that a server could misread. */
const BEFORE: readonly string[] = [
  ...['a', 'Z', '9', ' ', '-', '_', '.', '\\', '%', '/', '(', '\t', '\n', '\u00a0', '\u0001'],
  ...['\u001d', '\u001e', '\u001f', '\u007f'],
  ...['é', 'ß', 'Ж', 'ς', '中', 'ي', '٣', '²', 'Ⅷ', 'Ⓐ', 'ª', 'e\u0301', 'का', 'ǅ', 'ʰ'],
  ...['😀', '🖨️', '\u200d', '’', '–', '。', '€', '𝒳', '𐐀', '\u{10ffff}', '\uffff', '\u0345'],
];

export function testSearcherBest(backend: () => ContractBackend): void {
  const { search } = makeSearcherQuestions(backend);

  /** Searches with each limit, and checks that the hits are correct and include the best. */
  const expectBest = async (orgId: OrgId, records: readonly FleetRecord[], text: string) => {
    const expected = matchesOf(records, text);
    for (const limit of LIMITS) {
      const found = await search(orgScope(orgId), text, { limit });
      for (const category of STORED_CATEGORIES) {
        const hits = found[category];
        const given = new Set(hits.map(({ id }) => id));
        expect(given.size).toBe(hits.length);
        const byId = new Map(expected[category].map((hit) => [hit.id, hit]));
        expect(hits.map(({ id }) => byId.get(id))).toStrictEqual([...hits]);
        const best = sortBest(expected[category], text).slice(0, limit);
        expect(best.filter(({ id }) => !given.has(id))).toStrictEqual([]);
      }
    }
  };

  /** Three things of an organization, each with these texts as title and beside it. */
  const titled = (orgId: OrgId, title: string, beside: string | null = null): readonly FleetRecord[] => [
    beside === null
      ? aBlankDevice({ orgId, hostname: title })
      : aBlankDevice({ orgId, hostname: beside, displayName: title }),
    aBlankScript({ owner: { kind: 'organization', orgId }, name: title, description: beside }),
    aBlankAlert({ orgId, title, message: beside }),
  ];

  describe('Searcher and the best', () => {
    test('gives the title and description that are shown, and the other searched fields', async () => {
      const { orgId } = await createTenant(backend());
      const owner = { kind: 'organization', orgId } as const;
      const devices = [
        aBlankDevice({ orgId, hostname: 'Sought-1', displayName: 'Büro 🖨', status: 'maintenance' }),
        aBlankDevice({ orgId, hostname: 'Sought-2', displayName: null, status: 'pending' }),
        aBlankDevice({ orgId, hostname: 'Sought-3', displayName: '', lastUser: 'sam' }),
        aBlankDevice({ orgId, hostname: 'Sought-4', displayName: ' ' }),
      ];
      const scripts = [
        aBlankScript({ owner, name: 'Sought', description: 'How to "seek"\n100%' }),
        aBlankScript({ owner, name: 'Sought', description: null }),
        aBlankScript({ owner, name: 'Sought', description: '' }),
      ];
      const alerts = [
        aBlankAlert({ orgId, title: 'Sought', message: 'It is gone', status: 'resolved', severity: 'low' }),
        aBlankAlert({ orgId, title: 'Sought', message: null }),
        aBlankAlert({ orgId, title: 'Sought', message: '' }),
      ];
      await loadFleet(backend(), [...devices, ...scripts, ...alerts]);
      const found = await search(orgScope(orgId), 'sought');
      const byId = (hits: readonly SearchHit[]) => hits.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const hostname = (value: string) => ({ field: 'hostname', value });
      const described = (field: string, value: string) => ({
        description: value,
        beside: [{ field, value }],
      });
      // The ids ascend as they are made.
      expect(byId(found.devices)).toStrictEqual([
        { id: devices[0]?.id, title: 'Büro 🖨', description: 'maintenance', beside: [hostname('Sought-1')] },
        { id: devices[1]?.id, title: 'Sought-2', description: 'pending', beside: [] },
        {
          id: devices[2]?.id,
          title: 'Sought-3',
          description: 'online',
          beside: [{ field: 'lastUser', value: 'sam' }],
        },
        { id: devices[3]?.id, title: ' ', description: 'online', beside: [hostname('Sought-4')] },
      ]);
      expect(byId(found.scripts)).toStrictEqual([
        { id: scripts[0]?.id, title: 'Sought', ...described('description', 'How to "seek"\n100%') },
        { id: scripts[1]?.id, title: 'Sought', description: null, beside: [] },
        { id: scripts[2]?.id, title: 'Sought', description: null, beside: [] },
      ]);
      expect(byId(found.alerts)).toStrictEqual([
        { id: alerts[0]?.id, title: 'Sought', ...described('message', 'It is gone') },
        { id: alerts[1]?.id, title: 'Sought', description: null, beside: [] },
        { id: alerts[2]?.id, title: 'Sought', description: null, beside: [] },
      ]);
    });

    test('ranks titles by how near to their beginning the text is', async () => {
      const { orgId } = await createTenant(backend());
      const word = newWord();
      const many = (count: number, title: (i: number) => string, beside: string | null = null) =>
        Array.from({ length: count }, (_, i) => titled(orgId, title(i), beside)).flat();
      const records = [
        // First by title, and last by tier.
        ...many(60, (i) => `a${i}${word}`),
        ...many(60, (i) => `a${i}`, word),
        ...many(20, (i) => `b${i} ${word}`),
        ...many(10, (i) => `${word}${i}`),
        ...many(5, () => word.toUpperCase()),
      ];
      await loadFleet(backend(), records);
      await expectBest(orgId, records, word);
    });

    test.each([
      ['titles that differ by case', (word: string, i: number) => (i % 2 === 0 ? word : word.toUpperCase())],
      ['equal titles', (word: string) => word],
      ['titles of different length', (word: string, i: number) => `${word}${'z'.repeat(i)}`],
      [
        'titles in code point order',
        (word: string, i: number) => `${word}${['\uffff', '😀', 'é', 'Z', '_'][i % 5]}`,
      ],
    ])('ranks equal matches by title, then by id: %s', async (_, titleOf) => {
      const { orgId } = await createTenant(backend());
      const word = newWord();
      const records = Array.from({ length: 70 }, (_, i) => titled(orgId, titleOf(word, i))).flat();
      // The ids ascend as they are made, so that the best are not the first to be written.
      await loadFleet(backend(), records.toReversed());
      await expectBest(orgId, records, word);
    });

    test('takes a match for the beginning of a word if no letter or digit precedes it', async () => {
      const { orgId } = await createTenant(backend());
      const word = newWord();
      const records = BEFORE.flatMap((before) => [
        ...titled(orgId, `${before}${word}`),
        ...titled(orgId, `a${word}${before}${word}`),
        ...titled(orgId, `${word}${before}`),
      ]);
      await loadFleet(backend(), records);
      await expectBest(orgId, records, word);
      for (const mark of ['-', ' ', '\u001e', '\u001f', 'é']) await expectBest(orgId, records, mark + word);
    });

    test('ranks a device by its title, whatever its hostname', async () => {
      const { orgId } = await createTenant(backend());
      const word = newWord();
      const devices = Array.from({ length: 60 }, (_, i) =>
        aBlankDevice({ orgId, hostname: word, displayName: `m${i} ${i % 3 === 0 ? word : ASIDE}` }),
      );
      const records = [...devices, aBlankDevice({ orgId, hostname: `z${word}`, displayName: '' })];
      await loadFleet(backend(), records);
      await expectBest(orgId, records, word);
    });

    test('gives the best of random records for random texts', async () => {
      const { orgId } = await createTenant(backend());
      const texts = fc
        .sample(randomText, { numRuns: 400, seed: 20261121 })
        .filter((text) => unstorableReason(text) === null);
      const records = texts.flatMap((text, i) => titled(orgId, text, texts[(i * 7 + 3) % texts.length]));
      await loadFleet(backend(), records);
      const needles = fc
        .sample(fc.oneof(stretchOf(texts), randomText), { numRuns: 60, seed: 20261121 })
        .map((text) => Array.from(text.trim()).slice(0, 100).join('').trim())
        .filter((text) => text !== '' && unstorableReason(text) === null);
      for (const needle of new Set(needles)) await expectBest(orgId, records, needle);
    });

    test('sees changed records, and is not affected by changes to hits that it gave', async () => {
      const { orgId } = await createTenant(backend());
      const [before, after] = [newWord(), newWord()];
      const id = newId<'device'>();
      await loadFleet(backend(), [aBlankDevice({ id, orgId, hostname: before })]);
      const [hit] = (await search(orgScope(orgId), before)).devices;
      Reflect.set(hit ?? {}, 'title', 'changed');
      expect((await search(orgScope(orgId), before)).devices).toStrictEqual([
        { id, title: before, description: 'online', beside: [] },
      ]);
      await loadFleet(backend(), [aBlankDevice({ id, orgId, displayName: after, status: 'offline' })]);
      expect((await search(orgScope(orgId), before)).devices).toStrictEqual([]);
      expect((await search(orgScope(orgId), after)).devices).toStrictEqual([
        { id, title: after, description: 'offline', beside: [{ field: 'hostname', value: ASIDE }] },
      ]);
    });
  });
}

type Matches = Readonly<Record<(typeof STORED_CATEGORIES)[number], readonly SearchHit[]>>;

/** All records that contain the text, found by checking each. */
function matchesOf(records: readonly FleetRecord[], text: string): Matches {
  const folded = foldCase(text);
  const isIn = (...texts: readonly (string | null)[]) =>
    texts.some((kept) => foldCase(kept ?? '').includes(folded));
  const matches = { devices: [] as SearchHit[], scripts: [] as SearchHit[], alerts: [] as SearchHit[] };
  for (const record of records) {
    if (record.kind === 'device' && isIn(record.hostname, record.displayName, record.lastUser)) {
      matches.devices.push(toDeviceHit(record));
    } else if (record.kind === 'script' && isIn(record.name, record.description)) {
      matches.scripts.push(toScriptHit(record));
    } else if (record.kind === 'alert' && isIn(record.title, record.message)) {
      matches.alerts.push(toAlertHit(record));
    }
  }
  return matches;
}

function sortBest(hits: readonly SearchHit[], text: string): readonly SearchHit[] {
  return hits
    .map((hit) => rankHit(hit, foldCase(text)))
    .sort(compareRankedHits)
    .map(({ hit }) => hit);
}
