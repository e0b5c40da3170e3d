/** Blocks of searches: what each write adds, and what merging keeps. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import type { OrgId } from '#domain/ids.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import {
  fillDeviceBlocks,
  firstBlocksOutOfOrder,
  tellFirstBlocks,
} from '#test/adapters/postgres/first-blocks.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const BATCH = 1_000;

/** Devices that are written one by one, in no order. */
async function loadOneByOne(orgId: OrgId, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, i) => `one-${(i * 7) % count}-of-${orgId.slice(-4)}`);
  for (const hostname of names) await loadFleet(world.backend, [aDevice({ orgId, hostname })]);
  return names;
}

async function blocksOf(orgId: OrgId): Promise<number> {
  const rows = await world.query('reader', 'select 1 from device_search_block where space = $1', [orgId]);
  return rows.length;
}

async function isFound(orgId: OrgId, text: string): Promise<boolean> {
  const found = await world.backend.searcher.search({
    text,
    scope: orgScope(orgId),
    limit: 1,
    categories: STORED_CATEGORIES,
    onBehalfOf: 'somebody',
  });
  return found.ok && found.value.devices.length === 1;
}

test('merging puts devices that were written one by one into one block, and loses none', async () => {
  const { orgId } = await createTenant(world.backend);
  const names = await loadOneByOne(orgId, 30);
  expect(await blocksOf(orgId)).toBe(30);
  expect(await world.backend.tidySearch(BATCH)).toBeGreaterThan(0);
  expect(await blocksOf(orgId)).toBe(1);
  for (const name of names) expect(await isFound(orgId, name.slice(1))).toBe(true);
  expect(await world.backend.tidySearch(BATCH)).toBe(0);
});

test('later writes and merges leave the first blocks before all others', async () => {
  const { orgId } = await createTenant(world.backend);
  const early = await loadOneByOne(orgId, 12);
  await tellFirstBlocks(world, 4);
  const counted = async () =>
    world.query<{ is_first: boolean; blocks: number }>(
      'reader',
      `select is_first, count(*)::int4 as blocks from device_search_block where space = $1 group by 1 order by 1`,
      [orgId],
    );
  expect(await counted()).toStrictEqual([
    { is_first: false, blocks: 8 },
    { is_first: true, blocks: 4 },
  ]);
  // Before, among and after the others, by one statement and by several.
  const late = ['a-late', 'one-3-late', 'one-7-late', 'z-late'];
  await loadFleet(
    world.backend,
    late.map((hostname) => aDevice({ orgId, hostname: `${hostname}-all` })),
  );
  for (const hostname of late) await loadFleet(world.backend, [aDevice({ orgId, hostname })]);
  expect(await firstBlocksOutOfOrder(world)).toStrictEqual([]);
  expect(await world.backend.tidySearch(BATCH)).toBeGreaterThan(0);
  expect(await counted()).toStrictEqual([
    { is_first: false, blocks: 1 },
    { is_first: true, blocks: 1 },
  ]);
  expect(await firstBlocksOutOfOrder(world)).toStrictEqual([]);
  for (const name of [...early, ...late]) expect(await isFound(orgId, name.slice(1))).toBe(true);
});

test('a first load marks the first blocks', async () => {
  const { orgId } = await createTenant(world.backend);
  const names = Array.from({ length: 40 }, (_, i) => `${'wide '.repeat(100)}${i}-of-${orgId.slice(-4)}`);
  await loadFleet(
    world.backend,
    names.map((displayName) => aDevice({ orgId, hostname: 'wide', displayName })),
  );
  await fillDeviceBlocks(world, 2);
  const blocks = await world.query<{ is_first: boolean }>(
    'reader',
    'select is_first from device_search_block where space = $1 order by low',
    [orgId],
  );
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.map(({ is_first }) => is_first)).toStrictEqual(blocks.map((_, i) => i < 2));
  expect(await firstBlocksOutOfOrder(world)).toStrictEqual([]);
  for (const name of names) expect(await isFound(orgId, name.slice(-12))).toBe(true);
});

test('a device that is written while blocks are merged is found', async () => {
  const { orgId } = await createTenant(world.backend);
  await loadOneByOne(orgId, 10);
  await world.connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query(`update device set hostname = 'late-1', hostname_lc = 'late-1'
      where id = (select id from device where org_id = '${orgId}' order by id limit 1)`);
    expect(await world.backend.tidySearch(BATCH)).toBeGreaterThan(0);
    await owner.query('commit');
  });
  expect(await isFound(orgId, 'ate-1')).toBe(true);
});

test('one process at a time merges blocks, and the others do nothing', async () => {
  const { orgId } = await createTenant(world.backend);
  await loadOneByOne(orgId, 10);
  await world.connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('select merge_device_search_block(1)');
    expect(await world.backend.tidySearch(BATCH)).toBe(0);
    await owner.query('rollback');
  });
  expect(await world.backend.tidySearch(BATCH)).toBeGreaterThan(0);
});

/** Simpler and slower than `search_windows`, and without joints. */
const PLAIN_WINDOWS = String.raw`create function pg_temp.plain_windows(texts text, words text) returns tsvector
  language sql as $$
    select array_to_tsvector(array(
      select left(w.text, n.length)
      from unnest(string_to_array(
        regexp_replace(texts, '(...)', '\1' || chr(29), 'g') || chr(29)
        || regexp_replace(substr(texts, 2), '(...)', '\1' || chr(29), 'g') || chr(29)
        || regexp_replace(substr(texts, 3), '(...)', '\1' || chr(29), 'g') || chr(29)
        || regexp_replace(words, '[^\x1e]*(\x1e(?:[^\x1e]{1,3})?)', '\1' || chr(29), 'g'),
        chr(29))) w(text)
      cross join (values (1), (2), (3), (4)) n(length)
      where n.length <= length(w.text)))
  $$`;

test('windows equal those of a plain function, except for joints and the rest after the last word', async () => {
  const random = seededRandom('windows');
  const characters = ['a', 'b', '1', '-', ' ', 'ß', 'é', '日', '𝒳', 'ǆ', '\\', "'"];
  const draw = (length: number) => Array.from({ length }, () => random.pick(characters)).join('');
  const titles = Array.from({ length: 600 }, () => draw(random.integer(1, 12)));
  const texts = titles.map((title) => `${title}\u001f${draw(random.integer(0, 9))}`);
  await world.connected('owner', async (owner) => {
    await owner.query(PLAIN_WINDOWS);
    const { rows } = await owner.query(
      `select title, before, after from (
         select min(title) as title, string_agg(text, chr(29) order by n) as texts,
           string_agg(search_words(title), chr(29) order by n) as words
         from unnest($1::text[], $2::text[]) with ordinality t(title, text, n) group by n union all
         select 'all of them', string_agg(text, chr(29)), string_agg(search_words(title), chr(29))
         from unnest($1::text[], $2::text[]) t(title, text)
       ) b cross join lateral (select
         array(select w from unnest(tsvector_to_array(pg_temp.plain_windows(texts, words))) w
               where length(w) < 4 or starts_with(w, chr(30)) order by w) as before,
         array(select w from unnest(tsvector_to_array(search_windows(texts, words))) w
               where (length(w) < 4 or starts_with(w, chr(30))) and strpos(w, chr(29)) = 0 order by w) as after
       ) w where before <> after`,
      [titles, texts],
    );
    expect(rows).toStrictEqual([]);
  });
});
