/** Reads and changes the tables as their owner. */
import type { Client } from 'pg';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { readAuditEntries } from '#test/support/database/audit-entries.ts';
import type { Probe, StoredFilter, StoredMail, UserChange } from './probe.ts';

export function makePostgresProbe(owner: Client): Probe {
  const rows = async <R extends object>(sql: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await owner.query<R>(sql, [...values])).rows;
  return {
    auditEntries: () => readAuditEntries(rows),
    filters: () => rows<StoredFilter>(FILTERS),
    mailsAbout: (requestId) => rows<StoredMail>(MAILS, [requestId]),
    changeUser: async (id, change) => {
      for (const [column, value] of columnsOf(change)) {
        await owner.query(`update app_user set ${column} = $2 where id = $1`, [id, value]);
      }
      if (change.newAuthEpoch) await owner.query(`${NEXT_AUTH_EPOCH} where id = $1`, [id]);
      if (change.newMfaEpoch) await owner.query(`${NEXT_MFA_EPOCH} where id = $1`, [id]);
      if (change.membership) await setMembership(owner, id, change.membership);
    },
    moveOrganization: async (id, partnerId) => {
      await owner.query('update organization set partner_id = $2 where id = $1', [id, partnerId]);
    },
    setKeyRevoked: async (id, isRevoked) => {
      await owner.query('update api_key set revoked_at = $2 where id = $1', [
        id,
        isRevoked ? new Date() : null,
      ]);
    },
    setFiltersCreated: async (ids, at) => {
      await owner.query('update saved_filter set created_at = $2 where id = any($1)', [ids, new Date(at)]);
    },
    removeCustomField: async (id) => {
      await owner.query('delete from custom_field where id = $1', [id]);
    },
  };
}

const FILTERS = `
  select id, org_id as "orgId", partner_id as "partnerId", name, description, conditions as "conditionsJson", created_by as "createdBy",
         (extract(epoch from created_at) * 1000)::float8 as "createdAt",
         (extract(epoch from updated_at) * 1000)::float8 as "updatedAt", version
  from saved_filter order by id`;

const MAILS = `
  select kind, status, user_id as "userId", email, facts from mail_outbox where request_id = $1
  order by kind, user_id`;

const NEXT_AUTH_EPOCH = 'update app_user set auth_epoch = auth_epoch + 1';
const NEXT_MFA_EPOCH = 'update app_user set mfa_epoch = mfa_epoch + 1';

function columnsOf({ status, permissions, isPlatformAdmin }: UserChange): readonly [string, unknown][] {
  return Object.entries({ status, permissions, is_platform_admin: isPlatformAdmin }).filter(
    ([, value]) => value !== undefined,
  );
}

async function setMembership(owner: Client, id: UserId, membership: Membership): Promise<void> {
  const orgIds = membership.scope === 'partner' ? membership.orgIds : null;
  await owner.query(
    'update app_user set scope = $2, org_id = $3, partner_id = $4, has_org_subset = $5 where id = $1',
    [
      id,
      membership.scope,
      membership.scope === 'organization' ? membership.orgId : null,
      membership.scope === 'partner' ? membership.partnerId : null,
      orgIds !== null,
    ],
  );
  await owner.query('delete from app_user_organization where user_id = $1', [id]);
  for (const orgId of orgIds ?? []) {
    await owner.query('insert into app_user_organization (user_id, org_id) values ($1, $2)', [id, orgId]);
  }
}
