/**
 * The search on PostgreSQL finds what the one in memory does, whichever way it goes: random texts of random fleets,
 * with titles in few blocks and many. Every run draws anew; DIFFERENTIAL_SEED draws again what a failure
 * names, DIFFERENTIAL_RUNS sets the number of searches.
 */
import fc from 'fast-check';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend, type MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { openScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { makeSearcher } from '#adapters/postgres/reads/search/searcher.ts';
import { SEARCH_BOUNDS, type SearchBounds } from '#adapters/postgres/reads/sql/search/search-bounds.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Searcher, SearchRequest } from '#application/ports/search/searcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AlertRecord, DeviceRecord, FleetRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { rankSearch, type SearchResultItem } from '#domain/search/rank-search.ts';
import { STORED_CATEGORIES, type StoredCategory } from '#domain/search/search-hit.ts';
import { tellFirstBlocks } from '#test/adapters/postgres/first-blocks.ts';
import {
  aDevice,
  anAlert,
  anOrganization,
  aPartner,
  aScript,
  fixedClock,
  newId,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { loadFleet } from '#test/support/tenant.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = Number(process.env.DIFFERENTIAL_RUNS ?? 1_200);
const FLEETS = 4;

const DEVICES = 250;
const SCRIPTS = 60;
const ALERTS = 150;

/** Things that are loaded at once become new blocks, so there are many blocks, of which some are merged. */
const LOADED_AT_ONCE = 20;
const MERGED_AFTER = 5 * LOADED_AT_ONCE;

/** After so many things, the first blocks are marked, except in the first fleet, which has none. */
const APART_AFTER = 2 * MERGED_AFTER;
const FIRST_BLOCKS = 3;

/** How much a search reads of one kind: as shipped, everything, or next to nothing. */
const BOUNDS: readonly SearchBounds[] = [
  SEARCH_BOUNDS,
  { few: 0, apart: 9, ahead: 0, tried: 1, round: 500 },
  { few: 40, apart: 9, ahead: 0, tried: 1, round: 1 },
  { few: 0, apart: 0, ahead: 0, tried: 1, round: 2 },
  { few: 1, apart: 0, ahead: 1, tried: 1, round: 3 },
  { few: 20, apart: 1, ahead: 50, tried: 2, round: 1 },
  { few: 0, apart: 1, ahead: 3, tried: 500, round: 5 },
];

/** Characters that a search could take for something else. */
const ODD_CHARACTERS: readonly string[] = [
  ...['%', '_', '\\', "'", '"', '$', ':', '*', '&', '|', '!', '(', ')', '<', '>', '\t', '\n', '\u0001'],
  ...['\u001c', '\u001d', '\u001e', '\u001f', '\u0020', '\u007f', '\u00a0', '\u0345', '\u2028', '\ufffd'],
  ...['É', 'ß', 'ẞ', 'İ', 'ı', 'K', 'Σ', 'ς', 'Ж', '中', '٣', '²', 'Ⅷ', 'e\u0301', 'का', 'ǅ'],
  ...['😀', '🖨️', '𝒳', '𐐀', '\u{10ffff}', '\u{10fffe}', '\ud7ff', '\ue000', '\uffff'],
];

/** What fleets are named by, so that titles collide and begin alike. */
const PARTS: readonly string[] = [
  ...[
    'DESKTOP-',
    'desktop-',
    'lt-nyc-',
    'srv-sql-',
    'srv-web-',
    'CORP\\',
    'Smith',
    'smith',
    "Smith's ",
    'laptop',
  ],
  ...[
    '7f3a9',
    '0123',
    '014',
    '7',
    'a',
    'b',
    'A',
    'jdoe',
    ' ',
    '-',
    '.',
    'Disk ',
    'almost full',
    'Backup failed',
  ],
];

/** Titles and texts beyond what an index takes, and beyond what is cut into windows. */
const LONG_PARTS: readonly string[] = [
  'long '.repeat(60),
  `${'x'.repeat(2_500)}desktop`,
  `${'€'.repeat(900)} smith `,
  Array.from({ length: 10_000 }, (_, i) => `${i % 977} `).join(''),
];

const text = fc.oneof(
  { weight: 12, arbitrary: fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...PARTS, ...ODD_CHARACTERS), { minLength: 1, maxLength: 8 }),
  },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...ODD_CHARACTERS), { minLength: 1, maxLength: 4 }) },
);
const shortText = text.map((parts) => parts.join(''));
const anyText = fc.oneof(
  { weight: 60, arbitrary: shortText },
  {
    weight: 1,
    arbitrary: fc.tuple(shortText, fc.constantFrom(...LONG_PARTS), shortText).map((parts) => parts.join('')),
  },
);
const anyTextOrNone = fc.option(fc.oneof({ weight: 20, arbitrary: anyText }, fc.constant('')));
const anyName = anyText.filter((name) => name.trim() !== '');

describe(`searches of random fleets (DIFFERENTIAL_SEED=${SEED})`, () => {
  test.each(Array.from({ length: FLEETS }, (_, i) => i))(
    'find the same as in memory: fleet %i',
    async (fleetNumber) => {
      const seed = SEED + fleetNumber;
      const world = await createPostgresWorld(inject('databaseUrl'));
      const reader = openScopedReader({
        connection: world.connection('reader', { plan_cache_mode: 'force_generic_plan' }),
        poolSize: 1,
        timeoutMs: 60_000,
      });
      onTestFinished(async () => {
        await reader.close();
        await world.close();
      });
      const { memory, fleet } = await loadRandomFleet(world, seed, fleetNumber > 0);
      const searchers = BOUNDS.map((bounds) => makeSearcher(reader, 60_000, bounds));
      const tally = { found: 0, full: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 5, arbitrary: stretchOfOne(fleet.texts) }, shortText),
          fc.constantFrom(...fleet.scopes),
          fc.constantFrom(1, 2, 7, 50),
          fc.nat(BOUNDS.length - 1),
          async (given, scope, limit, way) => {
            const searched = [...given].slice(0, 100).join('').trim() || '-';
            const request = { text: searched, scope, limit, categories: STORED_CATEGORIES, onBehalfOf: 'a' };
            const expected = await bestOf(memory.searcher, request);
            expect(await bestOf(searchers[way] as Searcher, request)).toStrictEqual(expected);
            const counts = Object.values(expected).map(({ length }) => length);
            if (counts.some((count) => count > 0)) tally.found++;
            if (counts.some((count) => count === limit)) tally.full++;
          },
        ),
        { seed, numRuns: Math.ceil(RUNS / FLEETS) },
      );
      // Enough searches found something, and enough of them filled the limit.
      expect(tally.found).toBeGreaterThan(RUNS / FLEETS / 4);
      expect(tally.full).toBeGreaterThan(RUNS / FLEETS / 10);
    },
    120_000 + RUNS * 100,
  );
});

/** The answer of each category on its own. */
async function bestOf(
  searcher: Searcher,
  request: SearchRequest,
): Promise<Readonly<Record<StoredCategory, readonly SearchResultItem[]>>> {
  const found = await searcher.search(request);
  if (!found.ok) throw new Error(`the search was refused: ${found.error.kind}`);
  const none = { devices: [], scripts: [], alerts: [], settings: [] };
  const best = (category: StoredCategory) =>
    rankSearch({ ...none, [category]: found.value[category] }, request.text, request.limit);
  return { devices: best('devices'), scripts: best('scripts'), alerts: best('alerts') };
}

interface RandomFleet {
  readonly scopes: readonly AccessScope[];
  /** All texts by which a thing can be found. */
  readonly texts: readonly string[];
}

/** The same fleet in both stores, part of it changed after it was first loaded. */
async function loadRandomFleet(
  world: PostgresWorld,
  seed: number,
  hasFirstBlocks: boolean,
): Promise<{ memory: MemoryBackend; fleet: RandomFleet }> {
  const memory = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId: () => newId(),
    hashPassword: async (password) => password,
    searchTimeoutMs: 60_000,
  });
  const partners = [aPartner(), aPartner(), aPartner()] as const;
  // The last partner has no organization.
  const organizations = [0, 0, 0, 1, 1].map((i) => anOrganization({ partnerId: partnerAt(partners, i) }));
  const orgIds = organizations.map(({ id }) => id);
  const draw = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number) =>
    fc.sample(arbitrary, { seed: seed * 10 + salt, numRuns: count });
  const things = [
    ...draw(randomDevice(orgIds), DEVICES, 1),
    ...draw(
      randomScript(
        orgIds,
        partners.map(({ id }) => id),
      ),
      SCRIPTS,
      2,
    ),
    ...draw(randomAlert(orgIds), ALERTS, 3),
  ];
  const others = draw(randomDevice(orgIds), DEVICES, 4);
  const changed = things.flatMap((thing, i): readonly FleetRecord[] => {
    if (i % 4 !== 0) return [];
    const other = others[i % DEVICES] as DeviceRecord;
    return thing.kind === 'device'
      ? [{ ...other, id: thing.id, orgId: thing.orgId }]
      : thing.kind === 'alert'
        ? [{ ...thing, title: other.hostname, message: other.displayName }]
        : [{ ...thing, name: other.hostname, description: other.lastUser }];
  });
  for (const backend of [memory, world.backend]) {
    await loadFleet(backend, [...partners, ...organizations]);
    for (let from = 0; from < things.length; from += LOADED_AT_ONCE) {
      await loadFleet(backend, things.slice(from, from + LOADED_AT_ONCE));
      if (backend !== world.backend) continue;
      if (from % MERGED_AFTER === 0) await world.backend.tidySearch(1_000);
      if (from === APART_AFTER && hasFirstBlocks) await tellFirstBlocks(world, FIRST_BLOCKS);
    }
    await loadFleet(backend, changed);
  }
  const now = new Map<string, (typeof things)[number]>();
  for (const thing of [...things, ...(changed as typeof things)]) now.set(thing.id, thing);
  return {
    memory,
    fleet: {
      scopes: scopesOf(
        partners.map(({ id }) => id),
        orgIds,
      ),
      texts: [...now.values()].flatMap(textsOf),
    },
  };
}

function partnerAt(partners: readonly { readonly id: PartnerId }[], i: number): PartnerId {
  const partner = partners[i];
  if (partner === undefined) throw new Error('there is no such partner');
  return partner.id;
}

function scopesOf(partnerIds: readonly PartnerId[], orgIds: readonly OrgId[]): readonly AccessScope[] {
  const ofPartner = (i: number, from: number, to: number, isWhole: boolean): readonly AccessScope[] =>
    partnerIds
      .slice(i, i + 1)
      .map((partnerId) => ({ kind: 'partner', partnerId, orgIds: orgIds.slice(from, to), isWhole }));
  return [
    SYSTEM_SCOPE,
    ...orgIds.map(orgScope),
    ...ofPartner(0, 0, 3, true),
    ...ofPartner(0, 0, 2, false),
    ...ofPartner(1, 3, 4, false),
    ...ofPartner(1, 3, 3, false),
    ...ofPartner(2, 5, 5, true),
  ];
}

function randomDevice(orgIds: readonly OrgId[]): fc.Arbitrary<DeviceRecord> {
  return fc
    .record({
      orgId: fc.constantFrom(...orgIds),
      hostname: shortText,
      displayName: anyTextOrNone,
      lastUser: anyTextOrNone,
      status: fc.constantFrom('online', 'offline'),
    })
    .map((given) => aDevice(given));
}

function randomScript(
  orgIds: readonly OrgId[],
  partnerIds: readonly PartnerId[],
): fc.Arbitrary<ScriptRecord> {
  const owner = fc.oneof(
    fc.constantFrom(...orgIds).map((orgId) => ({ kind: 'organization', orgId }) as const),
    fc.constantFrom(...partnerIds).map((partnerId) => ({ kind: 'partner', partnerId }) as const),
  );
  return fc.record({ owner, name: anyName, description: anyTextOrNone }).map((given) => aScript(given));
}

function randomAlert(orgIds: readonly OrgId[]): fc.Arbitrary<AlertRecord> {
  return fc
    .record({ orgId: fc.constantFrom(...orgIds), title: anyName, message: anyTextOrNone })
    .map((given) => anAlert(given));
}

function textsOf(thing: DeviceRecord | ScriptRecord | AlertRecord): readonly string[] {
  const texts =
    thing.kind === 'device'
      ? [thing.hostname, thing.displayName, thing.lastUser]
      : thing.kind === 'script'
        ? [thing.name, thing.description]
        : [thing.title, thing.message];
  return texts.filter((one) => one !== null && one !== '') as readonly string[];
}

/** 1 to 12 characters in a row of one of the texts, in either case, or all of it. */
function stretchOfOne(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...texts),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(100)),
      fc.constantFrom<'asIs' | 'upper' | 'lower'>('asIs', 'upper', 'lower'),
    )
    .map(([whole, place, length, letters]) => {
      const characters = [...whole];
      const from = length === 100 ? 0 : Math.floor(place * characters.length);
      const stretch = characters.slice(from, from + length).join('');
      if (letters === 'upper') return stretch.toUpperCase();
      return letters === 'lower' ? stretch.toLowerCase() : stretch;
    });
}
