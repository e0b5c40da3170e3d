/** MikroORM, connected as the app role. Every use is a transaction in a scope. */
import { FlushMode, LockMode, type TransactionOptions } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { PoolConfig } from 'pg';
import { classifyFailure, DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import { FairShare } from '#application/admission/fair-share.ts';
import type { PoolUse } from '#application/telemetry/database-use.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { AuditRow } from './entities/audit-row.ts';
import { DeletionRequestRow } from './entities/deletion-request-row.ts';
import {
  AlertRow,
  CustomFieldRow,
  DeviceRow,
  OrganizationRow,
  PartnerRow,
  SavedFilterRow,
} from './entities/fleet-rows.ts';
import {
  FederatedIdentityRow,
  IdentityProviderRow,
  ProviderDomainRow,
} from './entities/identity-provider-rows.ts';
import { ApiKeyRow, EnrolmentKeyRow, SealingKeyRow, SigningKeyRow } from './entities/key-rows.ts';
import { AccountLinkRow, ResetRequestRow } from './entities/link-rows.ts';
import { MailRow } from './entities/mail-row.ts';
import { SubscriptionRow } from './entities/subscription-row.ts';
import {
  MfaEnrollmentRow,
  OwnNetworkRow,
  PasskeyRow,
  RecoveryCodeRow,
  RefreshTokenRow,
  SessionRow,
  UserOrganizationRow,
  UserRow,
} from './entities/user-rows.ts';
import { WebhookDeliveryRow } from './entities/webhook-delivery-row.ts';
import { OrmDriver } from './orm-connection.ts';

export interface Orm {
  /** Runs `work` in one transaction under row-level security. Flushes changed rows and commits unless `work` throws. */
  withScope<T>(
    scope: AccessScope,
    work: (em: EntityManager) => Promise<T>,
    options?: Pick<TransactionOptions, 'isolationLevel' | 'readOnly'>,
  ): Promise<T>;
  use(): Omit<PoolUse, 'pool'>;
  close(): Promise<void>;
}

/**
 * Identification shares no connections, not even with sign-ins, because all sign-ins from one address wait
 * for the same counter row.
 */
type ByPurpose<T> = Readonly<Record<'work' | 'identification' | 'sign-in', T>>;

const ENTITIES = [
  AccountLinkRow,
  AlertRow,
  ApiKeyRow,
  AuditRow,
  CustomFieldRow,
  DeletionRequestRow,
  DeviceRow,
  EnrolmentKeyRow,
  FederatedIdentityRow,
  IdentityProviderRow,
  MailRow,
  MfaEnrollmentRow,
  OrganizationRow,
  OwnNetworkRow,
  PartnerRow,
  PasskeyRow,
  ProviderDomainRow,
  RecoveryCodeRow,
  RefreshTokenRow,
  ResetRequestRow,
  SavedFilterRow,
  SealingKeyRow,
  SessionRow,
  SigningKeyRow,
  SubscriptionRow,
  UserOrganizationRow,
  UserRow,
  WebhookDeliveryRow,
];

const MAX_WAIT_MS = 30_000;

export async function openOrm(
  connection: PoolConfig,
  { work, identification, 'sign-in': signIn }: ByPurpose<number>,
): Promise<ByPurpose<Orm>> {
  const orm = await MikroORM.init({
    driver: OrmDriver,
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    ensureDatabase: false,
    entities: ENTITIES,
    // With the default, queries could miss changes of managed rows.
    flushMode: FlushMode.ALWAYS,
    // Rows are updated one by one, so each statement can name the row's tenant in its `where`.
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
  return { work: laneOf(work), identification: laneOf(identification), 'sign-in': laneOf(signIn) };
}

/** All callers count as one here, because requests have already been admitted by tenant. */
const ANYBODY = { tenant: 'anybody', caller: 'anybody' };

const MAX_ATTEMPTS = 4;

/** `transaction` must call `withScope`, so an attempt sees no managed rows of an earlier one. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || classifyFailure(error) !== 'conflict') throw error;
    }
  }
}

/** The first check of reach. Row-level security is the second. */
export function inReach(scope: AccessScope): { orgId?: { $in: OrgId[] } } {
  const orgIds = reachableOrgIds(scope);
  return orgIds === null ? {} : { orgId: { $in: [...orgIds] } };
}

/** `mayChangeFor` as a condition on rows with `orgId` and `partnerId`. */
export function changeable(scope: AccessScope): ChangeableFilter {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const ofOrganization = { orgId: { $in: [...orgIds] } };
  return scope.kind === 'partner' && scope.isWhole
    ? { $or: [ofOrganization, { partnerId: scope.partnerId }] }
    : ofOrganization;
}

interface ChangeableFilter {
  orgId?: { $in: OrgId[] };
  $or?: ({ orgId: { $in: OrgId[] } } | { partnerId: PartnerId })[];
}

interface AttributionFilter {
  orgId?: { $in: OrgId[] };
  $or?: ({ orgId: { $in: OrgId[] } } | { orgId: null; partnerId: PartnerId })[];
}

/** `isWithinReach` as a condition on rows with `orgId` and `partnerId`. */
export function withinReach(scope: AccessScope): AttributionFilter {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const ofOrganizations = { orgId: { $in: [...orgIds] } };
  return scope.kind === 'partner' && scope.isWhole
    ? { $or: [ofOrganizations, { orgId: null, partnerId: scope.partnerId }] }
    : ofOrganizations;
}

interface OwnerFilter {
  $or?: ({ orgId: { $in: OrgId[] } } | { partnerId: { $in: PartnerId[] } })[];
}

/** The domain's `ownersInReach` as a condition on rows with `orgId` and `partnerId`. */
export async function ownersInReach(em: EntityManager, scope: AccessScope): Promise<OwnerFilter> {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const organizations = await em.find(OrganizationRow, { id: { $in: [...orgIds] } });
  const partnerIds = new Set<PartnerId>(organizations.map(({ partner }) => partner.id));
  if (scope.kind === 'partner' && scope.isWhole) partnerIds.add(scope.partnerId);
  return { $or: [{ orgId: { $in: [...orgIds] } }, { partnerId: { $in: [...partnerIds] } }] };
}

/** Do not use with `fields`: after a partial `refresh`, MikroORM considers all other columns changed. */
export const FOR_UPDATE = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

export async function holdUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  // Reading the row again would overwrite an unflushed change.
  await em.flush();
  // Raw SQL, because MikroORM only has `for update`, which also blocks rows that refer to the user. Two users
  // whose deletion requests send mail to each other would deadlock.
  const [row] = await em.execute<object[]>('select * from app_user where id = ? for no key update', [userId]);
  return row === undefined ? null : em.map(UserRow, row);
}

export async function holdActiveUser(em: EntityManager, userId: UserId): Promise<UserRow | null> {
  const user = await holdUser(em, userId);
  return user?.status === 'active' ? user : null;
}

/** Work gives up after this long, because a load can lock rows for minutes. */
const MAX_LOCK_WAIT = '5s';

/**
 * Throws `DatabaseBusyError` if the lock is not free in time. The limit holds for later statements of the transaction
 * too.
 */
export async function lockSoon<T>(em: EntityManager, take: () => Promise<T>): Promise<T> {
  await em.flush();
  await em.execute(`set local lock_timeout = '${MAX_LOCK_WAIT}'`);
  try {
    return await take();
  } catch (error) {
    const isTimeout = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
    throw isTimeout ? new DatabaseBusyError() : error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
