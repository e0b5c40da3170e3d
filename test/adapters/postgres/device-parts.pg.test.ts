/** Each column or part of devices is listed: either it is reported, and a merge moves it, or it is not. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PARTS_OF_DEVICES, REPORTED_COLUMNS } from '#adapters/postgres/device-parts.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});
afterAll(() => world.close());

/** What stays with a device whose machine reports something else, or is set in the merge. */
const OWN_COLUMNS = [
  ...[
    'id',
    'rollout_bucket',
    'org_id',
    'site_id',
    'status',
    'quarantined_at',
    'display_name',
    'display_name_lc',
    'tags',
  ],
  ...['custom', 'custom_derived', 'enrolled_at', 'reports_since', 'critical_alerts'],
];

/** Tables of devices that triggers keep, or that a merge joins. */
const OTHER_TABLES = [
  ...['device_state', 'device_names', 'device_search', 'device_inventory_id', 'device_known_key', 'alert'],
  'bulk_changed_device',
];

test('every column of a device is listed as reported or as staying with the device', async () => {
  const columns = await world.query<{ name: string }>(
    'owner',
    `select attname as name from pg_attribute
     where attrelid = 'device'::regclass and attnum > 0 and not attisdropped`,
  );
  expect([...REPORTED_COLUMNS, ...OWN_COLUMNS].toSorted()).toStrictEqual(
    columns.map(({ name }) => name).toSorted(),
  );
});

test('every table that refers to devices is listed as a part or as another table', async () => {
  const tables = await world.query<{ name: string }>(
    'owner',
    `select conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'device'::regclass`,
  );
  expect([...PARTS_OF_DEVICES, ...OTHER_TABLES].toSorted()).toStrictEqual(
    tables.map(({ name }) => name).toSorted(),
  );
});
