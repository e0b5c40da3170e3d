import type { EntityManager } from '@mikro-orm/postgresql';
import {
  EnrolmentKeyRow,
  toEnrolmentKey,
  toEnrolmentKeyRow,
} from '#adapters/postgres/transactional/entities/enrolment-key-row.ts';
import { OrganizationRow } from '#adapters/postgres/transactional/entities/organization-row.ts';
import { inReach } from '#adapters/postgres/transactional/in-reach.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { FOR_UPDATE } from '#adapters/postgres/transactional/row-locks.ts';
import type {
  EnrolmentKeyReader,
  EnrolmentKeyWriter,
  FindEnrolmentKey,
} from '#application/ports/auth/stores/enrolment-key-store.ts';
import { type AccessScope, canReach, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

export function makeEnrolmentKeyReader(orm: Orm): EnrolmentKeyReader {
  return {
    list: (scope) =>
      orm.withScope(scope, async (em) => {
        const where = { ...inReach(scope), revokedAt: null };
        const rows = await em.find(EnrolmentKeyRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toEnrolmentKey);
      }),
  };
}

/** In system scope, because no tenant is known yet. */
export function makeFindEnrolmentKey(orm: Orm): FindEnrolmentKey {
  return (keySha256) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const row = await em.findOne(EnrolmentKeyRow, { keySha256, revokedAt: null });
      return row === null ? null : toEnrolmentKey(row);
    });
}

export function enrolmentKeyWriter(em: EntityManager, scope: AccessScope): EnrolmentKeyWriter {
  return {
    add: async (key) => {
      const { orgId, siteId } = key;
      const isThere = canReach(scope, orgId) && (await em.count(OrganizationRow, { id: orgId })) > 0;
      if (!isThere) return 'unknown-organization';
      if (siteId !== null) {
        // Raw, because nothing else here reads sites. A site never moves to another organization.
        const sites = await em.execute<unknown[]>(SITE_OF_ORGANIZATION, [siteId, orgId]);
        if (sites.length === 0) return 'unknown-site';
      }
      em.create(EnrolmentKeyRow, toEnrolmentKeyRow(key));
      await em.flush();
      return null;
    },
    revoke: async (id, at) => {
      const one = { id, ...inReach(scope), revokedAt: null };
      const row = await em.findOne(EnrolmentKeyRow, one, FOR_UPDATE);
      if (row === null) return null;
      // Not a managed row: its statement would carry the id but not the scope.
      await em.nativeUpdate(EnrolmentKeyRow, one, { revokedAt: new Date(at) });
      return toEnrolmentKey(row);
    },
  };
}

const SITE_OF_ORGANIZATION = 'select 1 from site where id = ? and org_id = ?';
