/**
 * A marked partner is read-only: policies and triggers (`maintenance-policies.ts`) refuse changes. `begin`
 * waits for changes under way, so a dump taken afterwards misses nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { recordChange } from '#adapters/postgres/audit-insert.ts';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { ORGANIZATIONS, USERS, WAITING_MAILS } from '#adapters/postgres/setup/maintenance/remove-partner.ts';
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { PartnerMaintenance, PartnerTies } from '#application/ports/partner-maintenance.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { PartnerId } from '#domain/ids.ts';

const POLL_MS = 50;

export function makePartnerMarks(pool: Pool): Omit<PartnerMaintenance, 'remove'> {
  return {
    begin: async (partnerId, makeEntry, onWaiting) => {
      const isNew = await mark(pool, partnerId, makeEntry);
      await waitForOthers(pool, onWaiting);
      // The transactions that ended may have added organizations, which are not marked yet.
      while (await mark(pool, partnerId, null)) await waitForOthers(pool, onWaiting);
      return isNew;
    },
    end: (partnerId, makeEntry) =>
      withScope(pool, SYSTEM_SCOPE, async (client) => {
        const { rowCount } = await client.query('delete from maintenance where partner_id = $1', [partnerId]);
        if (rowCount === 0) return false;
        await recordChange(client, makeEntry());
        return true;
      }),
    isInMaintenance: (partnerId) =>
      withScope(pool, SYSTEM_SCOPE, async (client) => {
        const { rows } = await client.query('select 1 from maintenance where owner_id = $1', [partnerId]);
        return rows.length > 0;
      }),
    findTies: (partnerId) =>
      withScope(pool, SYSTEM_SCOPE, async (client) => {
        const { rows: staff } = await client.query<PartnerTies['staff'][number]>(STAFF, [partnerId]);
        const { rows } = await client.query<Omit<PartnerTies, 'staff'>>(TIES, [partnerId]);
        return { staff, ...(rows[0] ?? { foreignKeys: 0, waitingMails: 0 }) };
      }),
  };
}

async function mark(pool: Pool, partnerId: PartnerId, makeEntry: MakeChangeEntry | null): Promise<boolean> {
  return withScope(pool, SYSTEM_SCOPE, async (client) => {
    const { rowCount } = await client.query(
      `insert into maintenance (owner_id, partner_id, since)
       select id, $1, now() from (
         select id from partner where id = $1 union all select id from organization where partner_id = $1
       ) o on conflict do nothing`,
      [partnerId],
    );
    if (rowCount === 0) return false;
    await recordChange(client, makeEntry?.());
    return true;
  });
}

/** Waits for transactions that may not see the mark. Those that begin later see it. */
async function waitForOthers(pool: Pool, onWaiting: (transactions: number) => void): Promise<void> {
  let open = await openTransactions(pool);
  while (open.size > 0) {
    onWaiting(open.size);
    await delay(POLL_MS);
    open = open.intersection(await openTransactions(pool));
  }
}

/**
 * Names each transaction by its connection and start. Only the app role makes changes, so its own connections suffice.
 */
async function openTransactions(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select pid || ' ' || xact_start as name from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
       and xact_start is not null`,
  );
  return new Set(rows.map(({ name }) => name));
}

const STAFF = `
  select u.id, u.email from app_user u
  where u.scope = 'system' and u.id in (
    select created_by from saved_filter where org_id in ${ORGANIZATIONS} or partner_id = $1
    union select processed_by from account_deletion_request where org_id in ${ORGANIZATIONS} or partner_id = $1
  ) order by u.email, u.id`;

const TIES = `
  select (select count(*)::int from api_key where org_id in ${ORGANIZATIONS} and user_id not in ${USERS}) as "foreignKeys",
    (${WAITING_MAILS}) as "waitingMails"`;
