/** MikroORM as the unprivileged role, and the way into it: always with a scope, so that the policies let rows through. */
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { PoolConfig } from 'pg';
import { sessionVariables } from '#adapters/postgres/setup/session-scope.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import {
  ApiKeyRow,
  OrganizationRow,
  PartnerRow,
  SigningKeyRow,
  UserOrganizationRow,
  UserRow,
} from './entities/access-rows.ts';
import { AuditRow } from './entities/audit-row.ts';
import { DeletionRequestRow } from './entities/deletion-request-row.ts';
import { SavedFilterRow } from './entities/saved-filter-row.ts';

export interface Orm {
  /** An entity manager of its own whose every statement runs within the scope. */
  within(scope: AccessScope): EntityManager;
  close(): Promise<void>;
}

export async function openOrm(connection: PoolConfig, poolSize: number): Promise<Orm> {
  const orm = await MikroORM.init({
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    // The database is there, and this role could not create one.
    ensureDatabase: false,
    entities: [
      SavedFilterRow,
      DeletionRequestRow,
      AuditRow,
      OrganizationRow,
      PartnerRow,
      UserRow,
      UserOrganizationRow,
      ApiKeyRow,
      SigningKeyRow,
    ],
    // Whoever waits longer than this for a connection is better told that the service is busy.
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    debug: false,
  });
  return {
    within: (scope) => {
      const em = orm.em.fork();
      em.setSessionContext({ variables: { ...sessionVariables(scope) } });
      return em;
    },
    close: () => orm.close(true),
  };
}
