import type { PostgresWorld } from '#test/support/database/postgres-world.ts';

/** Another type of the column, so plans that were prepared before fail once. A trigger that reads it stands in the way. */
export async function alterHostnames(world: PostgresWorld, type: 'varchar' | 'text'): Promise<void> {
  const [trigger] = await world.query<{ readonly sql: string }>(
    'owner',
    "select pg_get_triggerdef(oid) as sql from pg_trigger where tgname = 'mark_changed_device'",
  );
  await world.query(
    'owner',
    `drop trigger mark_changed_device on device; alter table device alter column hostname type ${type}; ${trigger?.sql}`,
  );
}
