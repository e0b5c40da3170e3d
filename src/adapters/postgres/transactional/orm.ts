/** MikroORM as the unprivileged app role, and the one way into it: a transaction within a scope. */
import { FlushMode, type TransactionOptions } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { PoolConfig } from 'pg';
import { sessionVariables } from '#adapters/postgres/setup/session-scope.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ApiKeyRow } from './entities/api-key-row.ts';
import { AuditRow } from './entities/audit-row.ts';
import { DeletionRequestRow } from './entities/deletion-request-row.ts';
import { MailRow } from './entities/mail-row.ts';
import { MfaEnrollmentRow, RecoveryCodeRow } from './entities/mfa-row.ts';
import { OrganizationRow, PartnerRow } from './entities/organization-row.ts';
import { OwnNetworkRow } from './entities/own-network-row.ts';
import { SavedFilterRow } from './entities/saved-filter-row.ts';
import { SealingKeyRow } from './entities/sealing-key-row.ts';
import { RefreshTokenRow, SessionRow } from './entities/session-row.ts';
import { SigningKeyRow } from './entities/signing-key-row.ts';
import { UserOrganizationRow, UserRow } from './entities/user-row.ts';

export interface Orm {
  /**
   * Runs `work` as one transaction whose every statement carries the scope that row-level security reads. Rows that
   * it has changed are flushed at the latest when it returns; then it is committed. It is undone when `work` throws.
   */
  withScope<T>(
    scope: AccessScope,
    work: (em: EntityManager) => Promise<T>,
    options?: Pick<TransactionOptions, 'isolationLevel' | 'readOnly'>,
  ): Promise<T>;
  close(): Promise<void>;
}

const ENTITIES = [
  ApiKeyRow,
  AuditRow,
  DeletionRequestRow,
  MailRow,
  MfaEnrollmentRow,
  OrganizationRow,
  OwnNetworkRow,
  PartnerRow,
  RecoveryCodeRow,
  RefreshTokenRow,
  SavedFilterRow,
  SealingKeyRow,
  SessionRow,
  SigningKeyRow,
  UserOrganizationRow,
  UserRow,
];

export async function openOrm(connection: PoolConfig, poolSize: number): Promise<Orm> {
  const orm = await MikroORM.init({
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    // The database exists already, and this role could not create it.
    ensureDatabase: false,
    entities: ENTITIES,
    // A query sees every change that was made before it. The default would overlook changes of managed rows.
    flushMode: FlushMode.ALWAYS,
    // One statement for each row, so that each has the tenant of its row in its own predicate.
    useBatchUpdates: false,
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    debug: false,
  });
  return {
    withScope: (scope, work, options) =>
      orm.em.fork({ session: { variables: { ...sessionVariables(scope) } } }).transactional(work, options),
    close: () => orm.close(true),
  };
}
