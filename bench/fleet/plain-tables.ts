/**
 * The fleet as inventory services commonly store it: one row per fact, found by device. Of the metric samples the
 * latest counts, software has one row per title, and flags are looked up. It has its own schema, filled from ours in
 * order of enrolment, which is the order of ids.
 */
import { Client } from 'pg';
import { tell } from '../report/bench-progress.ts';

/** Besides the latest sample of each device. */
const EARLIER_SAMPLES = 1;

const STEPS: readonly string[] = [
  'create schema plain',
  `create table plain.device as
    select id, org_id, hostname, hostname_lc, display_name, status::text as status, os_type::text as os_type,
      last_seen_at, enrolled_at, agent_version, last_user, tags
    from device order by id`,
  'alter table plain.device add primary key (id)',
  'create index on plain.device (org_id)',
  `create table plain.metric_sample as
    select d.id as device_id, coalesce(d.last_seen_at, d.enrolled_at, 'epoch') - n * interval '1 minute' as at,
      d.cpu_percent, d.ram_percent, d.disk_percent
    from device d, generate_series(0, ${EARLIER_SAMPLES}) n`,
  'create index on plain.metric_sample (device_id, at desc)',
  `create table plain.software as
    select s.device_id, t.name, v.version, v.version_key
    from device_software s join software_title t on t.id = any(s.title_ids)
    left join software_version v on v.title_id = t.id and v.id = any(s.title_ids)`,
  'create index on plain.software (device_id)',
  'create table plain.patch as select device_id, status::text as status from patch',
  'create index on plain.patch (device_id)',
  `create table plain.alert as
    select device_id, status::text as status, severity::text as severity from alert where device_id is not null`,
  'create index on plain.alert (device_id)',
  'grant usage on schema plain to public',
  'grant select on all tables in schema plain to public',
];

/** Creates and fills missing tables. Every role may read them, because the fleet is made up. */
export async function ensurePlainTables(url: string): Promise<void> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    const { rows } = await owner.query(`select 1 from pg_namespace where nspname = 'plain'`);
    if (rows.length > 0) return;
    tell('copying the fleet into plain tables ...');
    await owner.query('begin');
    for (const step of STEPS) await owner.query(step);
    await owner.query('commit');
    await owner.query('vacuum (analyze)');
  } finally {
    await owner.end();
  }
}
