/** As the owner of the database, adds and drops monthly partitions of the audit log. */
import type { Client } from 'pg';
import { recordChange } from '#adapters/postgres/audit-insert.ts';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import { asOwner, type ConnectionOptions } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { AuditArchive } from '#application/ports/audit/audit-archive.ts';
import type { EpochMs } from '#domain/time.ts';

const MONTHS_LOCK = lockNumber('audit-months');

/** New entries queue behind a change that waits for readers, so it gives up early and is tried again later. */
const LOCK_TIMEOUT_MS = 2_000;

const COLUMNS =
  'id, at, actor_type, actor_id, org_id, partner_id, action, result, resource_type, resource_id, details, request_id, ip';

export function makeAuditArchive(url: string, by: Pick<ConnectionOptions, 'isPooled'> = {}): AuditArchive {
  /** The lock lets one instance at a time change the months. */
  const change = <T>(work: (owner: Client) => Promise<T>) =>
    asOwner(url, { ...by, applicationName: 'fleetsift audit' }, async (owner) => {
      await owner.query('begin');
      await owner.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await owner.query('select pg_advisory_xact_lock($1)', [MONTHS_LOCK]);
      const result = await work(owner);
      await owner.query('commit');
      return result;
    });
  return {
    prepareMonths: (now) =>
      change((owner) =>
        ensureMonths(
          owner,
          [0, 1, 2].map((months) => monthAfter(now, months)),
        ),
      ),
    dropMonthsBefore: (instant, makeEntry) =>
      change(async (owner) => {
        await ensureMonths(owner, await monthsInRest(owner));
        const over = (await knownMonths(owner)).filter((month) => Date.parse(bounds(month).to) <= instant);
        const dropped: string[] = [];
        for (const month of over) {
          const { rows } = await owner.query(`select 1 from ${tableOf(month)} limit 1`);
          if (rows.length > 0) dropped.push(month);
          await owner.query(`drop table ${tableOf(month)}`);
        }
        if (dropped.length > 0) {
          // Forced policies apply to the owner too. The table is already locked, so nobody can read or write meanwhile.
          await owner.query('alter table audit_log no force row level security');
          await recordChange(owner, makeEntry(dropped));
          await owner.query('alter table audit_log force row level security');
        }
        return dropped;
      }),
  };
}

async function ensureMonths(owner: Client, months: readonly string[]): Promise<void> {
  const known = new Set(await knownMonths(owner));
  for (const month of months) {
    if (known.has(month)) continue;
    const [table, { from, to }] = [tableOf(month), bounds(month)];
    // Creating the table as a partition would lock out readers and writers, so it is attached when complete.
    await owner.query(`create table ${table} (like audit_log including constraints)`);
    await owner.query(
      `with moved as (delete from audit_months.rest where at >= $1 and at < $2 returning ${COLUMNS})
       insert into ${table} (${COLUMNS}) select ${COLUMNS} from moved`,
      [from, to],
    );
    await owner.query(
      `alter table audit_log attach partition ${table} for values from ('${from}') to ('${to}')`,
    );
  }
}

async function knownMonths(owner: Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ month: string }>(
    `select replace(substr(relname, 3), '_', '-') as month from pg_class
     where relnamespace = 'audit_months'::regnamespace and relkind = 'r' and relname ~ '^m_[0-9]{4}_[0-9]{2}$'
     order by relname`,
  );
  return rows.map(({ month }) => month);
}

async function monthsInRest(owner: Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ month: string }>(
    `select distinct to_char(at at time zone 'UTC', 'YYYY-MM') as month from audit_months.rest order by month`,
  );
  return rows.map(({ month }) => month);
}

function monthAfter(now: EpochMs, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 7);
}

function bounds(month: string): { readonly from: string; readonly to: string } {
  const from = `${month}-01T00:00:00.000Z`;
  return { from, to: `${monthAfter(Date.parse(from), 1)}-01T00:00:00.000Z` };
}

function tableOf(month: string): string {
  return `audit_months.m_${month.replace('-', '_')}`;
}
