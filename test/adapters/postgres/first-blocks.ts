/** Makes first blocks of searches in fleets that are too small to have any. */
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';

const SEARCHED = ['device', 'script', 'alert'];

/** Marks at most this many blocks as the first of each larger space, before all others. */
export async function tellFirstBlocks({ connected }: PostgresWorld, most: number): Promise<void> {
  await connected('owner', async (owner) => {
    for (const block of SEARCHED.map((table) => `${table}_search_block`)) {
      await owner.query(
        `update ${block} b set is_first = true
         from (
           select space, max(low) as low from (
             select space, low, count(*) over (partition by space) as blocks,
               row_number() over (partition by space order by low, ctid) as n,
               max(high) over (partition by space order by low, ctid rows between unbounded preceding and 1 preceding)
                 as passed
             from ${block}
           ) o where n <= ${most + 1} and blocks > ${most} and passed < low group by space
         ) f where b.space = f.space and b.low < f.low`,
      );
    }
  });
}

/** Rebuilds the blocks of devices like an initial load, with at most this many first blocks. */
export async function fillDeviceBlocks({ connected }: PostgresWorld, most: number): Promise<void> {
  await connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('alter table device_search no force row level security');
    const { rows } = await owner.query<{ fill: string }>(
      `select pg_get_functiondef('fill_device_search_block()'::regprocedure) as fill`,
    );
    const few = rows[0]?.fill
      .replace('public.fill_device_search_block()', 'pg_temp.fill_few()')
      .replace(/m\.block < \d+ and s\.last >= \d+/, `m.block < ${most} and s.last >= ${most}`);
    await owner.query(few ?? '');
    await owner.query('select pg_temp.fill_few()');
    await owner.query('alter table device_search force row level security');
    await owner.query('commit');
  });
}

/** First blocks that reach beyond the beginning of another. There should be none. */
export async function firstBlocksOutOfOrder({ query }: PostgresWorld): Promise<readonly object[]> {
  const tables = SEARCHED.map(
    (table) => `select f.space, f.low, f.high from ${table}_search_block f
      where f.is_first and f.high >= (
        select min(b.low) from ${table}_search_block b where b.space = f.space and not b.is_first)`,
  );
  return query('owner', tables.join(' union all '));
}
