/** Every port of the application on one PostgreSQL database, opened together and closed together. */
import { Client, Pool } from 'pg';
import type { Backend } from '#application/backend.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { makeFleetWriter } from './bulk/fleet-writer.ts';
import { makeInventoryStore } from './bulk/inventory-store.ts';
import { makeResolveTitleIds } from './bulk/software-titles.ts';
import { makeDeviceMatcher } from './reads/device-matcher.ts';
import { makePatternChecker } from './reads/pattern-checker.ts';
import { openScopedReader } from './reads/scoped-reader.ts';
import { makeSearcher } from './reads/searcher.ts';
import { connectionConfig } from './setup/connection-config.ts';
import { MIGRATIONS } from './setup/migrations/migration-list.ts';
import { provisionDatabase } from './setup/provision.ts';
import { makeAccountStore } from './transactional/account-store.ts';
import { makeApiKeyReader } from './transactional/api-key-store.ts';
import { makeAuditLog } from './transactional/audit-log.ts';
import { makeAuditReader } from './transactional/audit-reader.ts';
import { makeCustomFieldSource } from './transactional/custom-field-source.ts';
import { makeDeletionRequestReader } from './transactional/deletion-request-reader.ts';
import { makeMailOutbox } from './transactional/mail-outbox.ts';
import { makeOrganizationDirectory } from './transactional/organization-directory.ts';
import { openOrm } from './transactional/orm.ts';
import { makePrincipalStore } from './transactional/principal-store.ts';
import { makeRateLimiter } from './transactional/rate-limiter.ts';
import { makeSavedFilterReader } from './transactional/saved-filter-store.ts';
import { makeSecretsAtRest } from './transactional/secrets-at-rest.ts';
import { makeSignInStore } from './transactional/sign-in-store.ts';
import { makeSigningKeyStore, type SecretBox } from './transactional/signing-key-store.ts';
import { makeUnitOfWork } from './transactional/unit-of-work.ts';

export interface PostgresBackendOptions {
  /** The owner's connection string. */
  readonly url: string;
  /** Whether migrations are run; off, the database must be up to date. */
  readonly migrate: boolean;
  /** Contract: §4, FILTER_TIMEOUT_MS. */
  readonly filterTimeoutMs: number;
  /** How long a search may take. Default: 1,000 (Contract: §6, SEARCH_TIMEOUT_MS). */
  readonly searchTimeoutMs?: number;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  /** Encrypts secrets at rest. */
  readonly makeSecretBox: (key: string) => SecretBox;
  /** The key for it; where there is none, the database keeps one for its owner alone. */
  readonly secretKey?: string | null;
  readonly onProgress?: (message: string) => void;
}

export interface PostgresBackend extends Backend {
  /** Whether there is any tenant yet. */
  readonly isEmpty: () => Promise<boolean>;
  /** Contract: §9, `/readyz`: reachable, migrated, and working under an unprivileged role. */
  readonly readiness: () => Promise<Readonly<Record<'database' | 'migrations' | 'role', boolean>>>;
  close(): Promise<void>;
}

/** Connections for hot reads; more than a few for each core only make them wait for each other. */
const READER_POOL_SIZE = 8;
const APP_POOL_SIZE = 8;
const ORM_POOL_SIZE = 8;

/** Contract: §6, SEARCH_TIMEOUT_MS. */
const DEFAULT_SEARCH_TIMEOUT_MS = 1_000;

/** The name under which the key of the secret box is kept. */
const BOX_KEY = 'secret_box_key';

export async function openPostgresBackend(options: PostgresBackendOptions): Promise<PostgresBackend> {
  const { url, clock, newId, hashPassword, filterTimeoutMs } = options;
  const { searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS } = options;
  const { roles, secrets } = await provisionDatabase({
    url,
    migrate: options.migrate,
    secretNames: [BOX_KEY],
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  });
  const box = makeSecretsAtRest({
    makeSecretBox: options.makeSecretBox,
    keptKey: secrets.get(BOX_KEY) ?? '',
    givenKey: options.secretKey ?? null,
  });
  const appConnection = connectionConfig(url, { as: roles.app, applicationName: 'fleetsift' });
  const orm = await openOrm(appConnection, ORM_POOL_SIZE);
  const signingKeys = makeSigningKeyStore(orm, box);
  // A key that is not the right one is better found out now than when somebody signs in.
  await signingKeys.list().catch(async (error: unknown) => {
    await orm.close();
    throw error;
  });
  const pool = new Pool({ ...appConnection, max: APP_POOL_SIZE, idleTimeoutMillis: 30_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const openReader = (timeoutMs: number) =>
    openScopedReader({
      connection: connectionConfig(url, {
        as: roles.reader,
        applicationName: 'fleetsift reader',
        settings: {
          statement_timeout: String(timeoutMs),
          // One read, one core: parallel workers would be taken from the others' reads.
          max_parallel_workers_per_gather: '0',
          // Searches are planned for any text; whatever else has parameters is as good with any.
          plan_cache_mode: 'force_generic_plan',
          // A stream of ids waits for its consumer.
          idle_in_transaction_session_timeout: '10min',
        },
      }),
      poolSize: READER_POOL_SIZE,
      timeoutMs,
    });
  const reader = openReader(filterTimeoutMs);
  // Of their own, so that no search waits behind previews.
  const searchReader = openReader(searchTimeoutMs);
  const checkPatterns = makePatternChecker(reader, filterTimeoutMs);
  const resolveTitleIds = makeResolveTitleIds(pool);

  return {
    fleetWriter: makeFleetWriter({
      pool,
      resolveTitleIds,
      hashPassword,
      sealSecret: box.seal,
      checkPatterns,
      clock,
      newId,
      afterLargeLoad: () => refreshStatistics(url),
    }),
    inventoryStore: makeInventoryStore({ pool, resolveTitleIds, newId }),
    filters: makeSavedFilterReader(orm),
    unitOfWork: makeUnitOfWork({ orm, box, clock, newId }),
    matcher: makeDeviceMatcher(reader),
    searcher: makeSearcher(searchReader),
    checkPatterns,
    customFields: makeCustomFieldSource(orm),
    organizationExists: makeOrganizationDirectory(orm),
    auditLog: makeAuditLog(pool),
    readAuditEntries: makeAuditReader(orm),
    deletionRequests: makeDeletionRequestReader(orm),
    mailOutbox: makeMailOutbox(orm),
    principals: makePrincipalStore(orm),
    accounts: makeAccountStore({ orm, hashPassword, sealSecret: box.seal, clock }),
    signingKeys,
    rateLimiter: makeRateLimiter(orm, clock),
    signIns: makeSignInStore(orm),
    apiKeys: makeApiKeyReader(orm),
    isEmpty: () =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const rows = await em.execute<unknown[]>('select 1 from partner limit 1');
        return rows.length === 0;
      }),
    readiness: () => checkReadiness(pool),
    close: async () => {
      await Promise.all([reader.close(), searchReader.close(), orm.close(), pool.end()]);
    },
  };
}

async function checkReadiness(pool: Pool) {
  try {
    const { rows } = await pool.query<{ migrations: number; role: boolean }>(
      `select (select count(*)::int from mikro_orm_migrations where name = any($1)) as migrations,
              not (rolsuper or rolbypassrls) as role
       from pg_roles where rolname = current_user`,
      [MIGRATIONS.map(({ name }) => name)],
    );
    return {
      database: true,
      migrations: rows[0]?.migrations === MIGRATIONS.length,
      role: rows[0]?.role === true,
    };
  } catch {
    return { database: false, migrations: false, role: false };
  }
}

/** Tells the planner what a large load has brought, and marks its pages for index-only scans. Owner's work. */
async function refreshStatistics(url: string): Promise<void> {
  const owner = new Client(connectionConfig(url, { applicationName: 'fleetsift load' }));
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await owner.query(
      'vacuum (analyze) device, device_hardware, device_network, device_software, software_title, alert, script, patch, device_search, alert_search, script_search',
    );
  } finally {
    await owner.end();
  }
}
