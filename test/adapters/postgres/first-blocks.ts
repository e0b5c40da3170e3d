/** The first blocks of searches told apart from all others, as the migration does it where there are very many. */
import { Migration20261122FirstBlocks } from '#adapters/postgres/setup/migrations/migration-20261122-first-blocks.ts';
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';

/** At most so many of each space that has more. */
export async function tellFirstBlocks({ connected }: PostgresWorld, most: number): Promise<void> {
  await connected('owner', async (owner) => {
    for (const update of statementsBeginning('update ')) {
      await owner.query(update.replace(/n <= \d+ and blocks > \d+/, `n <= ${most + 1} and blocks > ${most}`));
    }
  });
}

/** Makes the blocks of devices anew, as a first load does, with at most so many first ones. */
export async function fillDeviceBlocks({ connected }: PostgresWorld, most: number): Promise<void> {
  await connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('alter table device_search no force row level security');
    for (const fill of statementsBeginning('create or replace function fill_device_search_block()')) {
      await owner.query(
        fill
          .replace('function fill_device_search_block()', 'function pg_temp.fill_few()')
          .replace(/m\.block < \d+ and s\.last >= \d+/, `m.block < ${most} and s.last >= ${most}`),
      );
    }
    await owner.query('select pg_temp.fill_few()');
    await owner.query('alter table device_search force row level security');
    await owner.query('commit');
  });
}

/** Of what the migration runs. */
function statementsBeginning(text: string): readonly string[] {
  const statements: string[] = [];
  const migration = new Migration20261122FirstBlocks(undefined as never, undefined as never);
  migration.addSql = (statement) => void statements.push(String(statement));
  migration.up();
  return statements.filter((statement) => statement.startsWith(text));
}

/** The first blocks of each table that reach beyond the beginning of another; there should be none. */
export async function firstBlocksOutOfOrder({ query }: PostgresWorld): Promise<readonly object[]> {
  const tables = ['device', 'script', 'alert'].map(
    (table) => `select f.space, f.low, f.high from ${table}_search_block f
      where f.is_first and f.high >= (
        select min(b.low) from ${table}_search_block b where b.space = f.space and not b.is_first)`,
  );
  return query('owner', tables.join(' union all '));
}
