/** MikroORM as the unprivileged app role. Every use is a transaction within a scope. */
import { FlushMode, type TransactionOptions } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { PoolConfig } from 'pg';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/session-scope.ts';
import { FairShare } from '#application/admission/fair-share.ts';
import type { PoolUse } from '#application/telemetry/pool-use.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ApiKeyRow } from './entities/api-key-row.ts';
import { AuditRow } from './entities/audit-row.ts';
import { CustomFieldRow } from './entities/custom-field-row.ts';
import { DeletionRequestRow } from './entities/deletion-request-row.ts';
import { DeviceRow } from './entities/device-row.ts';
import { EnrolmentKeyRow } from './entities/enrolment-key-row.ts';
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
   * Runs `work` as one transaction; every statement carries the scope for row-level security. Changed rows are
   * flushed by the time it returns, then it commits. If `work` throws, it rolls back.
   */
  withScope<T>(
    scope: AccessScope,
    work: (em: EntityManager) => Promise<T>,
    options?: Pick<TransactionOptions, 'isolationLevel' | 'readOnly'>,
  ): Promise<T>;
  use(): Omit<PoolUse, 'pool'>;
  /** Closes the connections of all purposes. */
  close(): Promise<void>;
}

/**
 * Identification and sign-in have their own connections, so neither waits for other work. Identification does not
 * wait for sign-ins either: those from one address all wait for one counter row.
 */
export type ByPurpose<T> = Readonly<Record<'work' | 'identification' | 'sign-in', T>>;

const ENTITIES = [
  ApiKeyRow,
  AuditRow,
  CustomFieldRow,
  DeletionRequestRow,
  DeviceRow,
  EnrolmentKeyRow,
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

/** Milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Connections per purpose. */
export async function openOrm(
  connection: PoolConfig,
  { work, identification, 'sign-in': signIn }: ByPurpose<number>,
): Promise<ByPurpose<Orm>> {
  const orm = await MikroORM.init({
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    // The database exists, and this role could not create it.
    ensureDatabase: false,
    entities: ENTITIES,
    // Queries see every earlier change. The default would overlook changes of managed rows.
    flushMode: FlushMode.ALWAYS,
    // One statement per row, so each carries its row's tenant in the predicate.
    useBatchUpdates: false,
    pool: { min: 0, max: work + identification + signIn, idleTimeoutMillis: 30_000 },
    debug: false,
  });
  const laneOf = (size: number): Orm => {
    const turns = new FairShare({
      total: size,
      perTenant: size,
      perCaller: size,
      maxWaitingPerCaller: Number.POSITIVE_INFINITY,
      maxWaitingPerTenant: Number.POSITIVE_INFINITY,
      maxWaitMs: MAX_WAIT_MS,
    });
    const withScope: Orm['withScope'] = async (scope, work, options) => {
      const turn = await turns.claim(ANYBODY, 1);
      if (turn.kind !== 'granted') throw new DatabaseBusyError();
      try {
        const em = orm.em.fork({ session: { variables: { ...sessionVariables(scope) } } });
        return await em.transactional(work, options);
      } finally {
        turn.release();
      }
    };
    const use = () => ({ size, inUse: turns.held, waiting: turns.waiting });
    return { withScope, use, close: () => orm.close(true) };
  };
  return {
    work: laneOf(work),
    identification: laneOf(identification),
    'sign-in': laneOf(signIn),
  };
}

/** Requests were admitted earlier, by tenant. */
const ANYBODY = { tenant: 'anybody', caller: 'anybody' };
