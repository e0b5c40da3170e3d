/** Readiness of a database that hangs or is read-only. */
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { checkReadiness } from '#adapters/postgres/setup/readiness.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

test('a database that does not answer is not ready until it answers again', async () => {
  const pool = new Pool(world.connection('app'));
  const hanging = new Client({ connectionString: world.url });
  await hanging.connect();
  try {
    expect(await checkReadiness(pool)).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
    await hanging.query('begin');
    await hanging.query('lock table mikro_orm_migrations in access exclusive mode');
    expect(await checkReadiness(pool, 50)).toStrictEqual({
      database: false,
      writable: false,
      migrations: false,
      role: false,
    });
    await hanging.query('rollback');
    expect(await checkReadiness(pool)).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
  } finally {
    await hanging.end();
    await pool.end();
  }
});

test('a database that takes no changes is not ready', async () => {
  const pool = new Pool({ ...world.connection('app'), options: '-c default_transaction_read_only=on' });
  try {
    expect(await checkReadiness(pool)).toStrictEqual({
      database: true,
      writable: false,
      migrations: true,
      role: true,
    });
  } finally {
    await pool.end();
  }
});

test('a database without room for writes is not ready', async () => {
  const pool = new Pool(world.connection('app'));
  const owner = new Client({ connectionString: world.url });
  await owner.connect();
  try {
    const { rows } = await pool.query<{ name: string }>('select quote_ident(current_user) as name');
    const limit = (value: string) =>
      owner.query(`alter role ${rows[0]?.name} set temp_file_limit = ${value}`);
    await limit('0');
    const limited = new Pool(world.connection('app'));
    const readiness = await checkReadiness(limited);
    await limited.end();
    await limit('-1');
    expect(readiness).toStrictEqual({ database: true, writable: false, migrations: true, role: true });
  } finally {
    await owner.end();
    await pool.end();
  }
});
