/** Opens and closes all storage ports of the application together, on one PostgreSQL database. */
import type { Backend } from '#application/backend.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { WithFreshness } from '#application/ports/freshness.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { PoolUse, ReplicaChange, ReplicaUse } from '#application/telemetry/database-use.ts';
import type { UserId } from '#domain/ids.ts';
import { DEFAULT_SEARCH_TIMEOUT_MS } from '#domain/limits.ts';
import { openBackendConnections } from './backend-connections.ts';
import { makeFleetReader } from './bulk/dumps/fleet-reader.ts';
import { makeInventoryStore } from './bulk/inventories/inventory-store.ts';
import { makeMemberships } from './bulk/live/memberships.ts';
import { makeFleetWriter } from './bulk/loads/fleet-writer.ts';
import { makeResolveTitleIds } from './bulk/loads/load-titles.ts';
import { makePartnerMarks } from './bulk/upkeep/partner-marks.ts';
import { makeSearchTidier } from './bulk/upkeep/search-tidier.ts';
import { makeHearingNotes, makeSilenceMarker } from './bulk/upkeep/silence-marker.ts';
import { makeUnusedTitleRemover } from './bulk/upkeep/unused-titles.ts';
import { noteCommits } from './note-commits.ts';
import { makeDeviceExporter } from './reads/devices/device-exporter.ts';
import { makeDeviceReader } from './reads/devices/device-reader.ts';
import { planningOf } from './reads/filters/choose-shape.ts';
import { makeCompletionSource } from './reads/filters/completion-source.ts';
import { makeCustomFieldSource } from './reads/filters/custom-field-source.ts';
import { makeDeviceMatcher } from './reads/filters/device-matcher.ts';
import { makeFilterExplainer } from './reads/filters/filter-explainer.ts';
import { makePatternChecker } from './reads/filters/pattern-checker.ts';
import { makeSavedFilterReader } from './reads/filters/saved-filter-reader.ts';
import { makeFleetCounter, makeFleetLists, makeNamesInReach } from './reads/fleet/fleet-lists.ts';
import { makeContextsOf, makeSearcher } from './reads/search/searcher.ts';
import { checkConnectionString, DEFAULT_PATIENCE_MS } from './setup/connections/connection-config.ts';
import type { DatabaseReadiness } from './setup/database-readiness.ts';
import { makeAuditArchive } from './setup/maintenance/audit-archive.ts';
import { refreshStatistics } from './setup/maintenance/refresh-statistics.ts';
import { makeRemovePartner } from './setup/maintenance/remove-partner.ts';
import { provisionDatabase } from './setup/provision.ts';
import { checkReadiness } from './setup/readiness.ts';
import { makeCreateBackupRole } from './setup/security/backup-role.ts';
import { makeSharedClock } from './shared-clock.ts';
import { makeAuditLog, makeAuditReader, makeBacklogReader } from './transactional/audit/audit-log.ts';
import { makeNameReader } from './transactional/audit/name-reader.ts';
import { makeDeletionRequestReader } from './transactional/deletion/deletion-request-reader.ts';
import { makeBulkChangeRemover } from './transactional/fleet/bulk-change-store.ts';
import { makeCustomFieldReader } from './transactional/fleet/custom-field-store.ts';
import {
  makeIsEmpty,
  makeOrganizationDirectory,
  makeOrganizationsOfPartner,
  makeTenantLister,
} from './transactional/fleet/organization-directory.ts';
import { makeSubscriptionQueue, makeSubscriptionReader } from './transactional/fleet/subscription-store.ts';
import { makeWebhookReader } from './transactional/fleet/webhook-store.ts';
import { makeAccountStore } from './transactional/identity/account-store.ts';
import { makeIdentityProviderReader } from './transactional/identity/identity-provider-store.ts';
import {
  makeApiKeyReader,
  makeEnrolmentKeyReader,
  makeFindEnrolmentKey,
  makeSigningKeyStore,
} from './transactional/identity/key-stores.ts';
import { makePasskeyReader } from './transactional/identity/passkey-stores.ts';
import { makePeopleReader } from './transactional/identity/people-store.ts';
import { makePrincipalStore, makeSignInStore } from './transactional/identity/principal-store.ts';
import { makeRateLimiter } from './transactional/identity/rate-limiter.ts';
import { makeSessionReader } from './transactional/identity/session-store.ts';
import { makeHasSignedInFrom } from './transactional/identity/user-stores.ts';
import { makeMailOutbox } from './transactional/mail/mail-outbox.ts';
import { makeResealSecrets } from './transactional/secrets/reseal-secrets.ts';
import { addCurrentKey, checkSealingKeys, factorPlace } from './transactional/secrets/sealing-keys.ts';
import { makeSecretsAtRest, type SecretBox } from './transactional/secrets/secrets-at-rest.ts';
import { makeUnitOfWork } from './transactional/unit-of-work.ts';

export interface PostgresBackendOptions {
  /** The owner's connection string. */
  readonly url: string;
  /** If false, no migrations run, and the database must be up to date. */
  readonly migrate: boolean;
  readonly filterTimeoutMs: number;
  /** Contract: §6, SEARCH_TIMEOUT_MS. Default: 1,000. */
  readonly searchTimeoutMs?: number;
  /** After this long without an answer, the database counts as unreachable. Default: 5,000. */
  readonly patienceMs?: number;
  /** Contract: §15, DB_POOL. Default: `DEFAULT_CONNECTIONS`. */
  readonly databaseConnections?: number;
  /** Contract: §15, DATABASE_POOLER. Default: none. */
  readonly databasePooler?: 'transaction' | null;
  readonly clock: Clock;
  /** Takes the place of the database's clock. */
  readonly hostClock?: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly makeSecretBox: (key: string) => SecretBox;
  /** Encrypts secrets. Default: a generated key in the database, which only its owner can read. */
  readonly secretKey?: string | null;
  /** A former key, which opens secrets but seals none. */
  readonly previousSecretKey?: string | null;
  /** Opens even a database in which some secrets are sealed with an unknown key. Default: false. */
  readonly allowsLostKeys?: boolean;
  readonly onProgress?: (message: string) => void;
  /** Contract: §15, DATABASE_REPLICA_URL: connection strings, whose users are ignored. Default: none. */
  readonly replicaUrls?: readonly string[];
  /** Contract: §15, REPLICA_MAX_LAG_MS. Default: 1,000. */
  readonly replicaMaxLagMs?: number;
  readonly onReplicaChange?: (change: ReplicaChange) => void;
}

/** The caller must close the backend. */
export interface PostgresBackend extends Backend {
  /** Uses separate connections, for sign-in, second factors and sessions. */
  readonly signInUnitOfWork: UnitOfWork;
  readonly isEmpty: () => Promise<boolean>;
  readonly readiness: () => Promise<DatabaseReadiness>;
  readonly resealSecrets: ResealSecrets;
  readonly databaseTools: DatabaseTools;
  readonly pools: () => readonly PoolUse[];
  readonly withFreshness?: WithFreshness;
  readonly replicas?: () => ReplicaUse;
  close(): Promise<void>;
}

const [BOX_KEY, CURSOR_KEY] = ['secret_box_key', 'cursor_key'];

export async function openPostgresBackend(options: PostgresBackendOptions): Promise<PostgresBackend> {
  const { url, clock, hostClock, newId, hashPassword, digestSecret, filterTimeoutMs } = options;
  const { searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS, patienceMs = DEFAULT_PATIENCE_MS } = options;
  const isPooled = options.databasePooler === 'transaction';
  const { secretKey = null, previousSecretKey: previousKey = null, allowsLostKeys = false } = options;
  const { replicaUrls = [], replicaMaxLagMs = 1_000, onReplicaChange = () => undefined } = options;
  checkConnectionString('DATABASE_URL', url);
  for (const replicaUrl of replicaUrls) checkConnectionString('DATABASE_REPLICA_URL', replicaUrl);
  const provisioned = await provisionDatabase({
    url,
    migrate: options.migrate,
    isPooled,
    databaseConnections: options.databaseConnections,
    secretNames: [BOX_KEY, CURSOR_KEY],
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  });
  const auditArchive = makeAuditArchive(url, { isPooled });
  // If creating partitions fails, the worker does it later. Until then, audit entries go into the partition `rest`.
  if (options.migrate) await auditArchive.prepareMonths(clock()).catch(() => undefined);
  const secrets = makeSecretsAtRest({
    makeSecretBox: options.makeSecretBox,
    keptKey: provisioned.secrets.get(BOX_KEY) ?? '',
    secretKey,
    previousKey,
  });
  const connections = await openBackendConnections({
    url,
    roles: provisioned.roles,
    isPooled,
    patienceMs,
    databaseConnections: options.databaseConnections,
    filterTimeoutMs,
    searchTimeoutMs,
    replicaUrls,
    replicaMaxLagMs,
    onReplicaChange,
  });
  const { orm, identification, signIn, reader, searchReader, lookUpReader, exportReader } = connections;
  const { bulk: pool, inventory, replication, pools, listen, close } = connections;
  try {
    if (allowsLostKeys) await addCurrentKey(orm, secrets);
    else await checkSealingKeys(orm, secrets, secretKey !== null);
  } catch (error) {
    await close();
    throw error;
  }
  const sealTotpSecret = (secret: string, userId: UserId) => secrets.seal(secret, factorPlace(userId));
  const checkPatterns = makePatternChecker(reader, filterTimeoutMs);
  const planning = planningOf(provisioned.serverVersion);

  const backend: PostgresBackend = {
    fleetWriter: makeFleetWriter({
      ...{ pool, makeResolveTitleIds: () => makeResolveTitleIds(pool) },
      ...{ hashPassword, digestSecret, sealTotpSecret, checkPatterns, clock, newId, isPooled },
      takeSealedTotpSecret: (sealed, userId) => secrets.takeSealed(sealed, factorPlace(userId)),
      afterLargeLoad: () => refreshStatistics(url, { isPooled }),
    }),
    inventoryStore: makeInventoryStore({ pool: inventory, newId }),
    markSilent: makeSilenceMarker(pool),
    removeBulkChanges: makeBulkChangeRemover(orm),
    noteHearing: makeHearingNotes(pool),
    removeUnusedTitles: makeUnusedTitleRemover(pool),
    tidySearch: makeSearchTidier(pool),
    filters: makeSavedFilterReader(lookUpReader),
    subscriptions: makeSubscriptionReader(orm),
    subscriptionQueue: makeSubscriptionQueue(orm),
    webhookReader: makeWebhookReader(orm),
    unitOfWork: makeUnitOfWork({ orm, secrets, clock, hostClock, newId, digestSecret }),
    signInUnitOfWork: makeUnitOfWork({ orm: signIn, secrets, clock, hostClock, newId, digestSecret }),
    matcher: makeDeviceMatcher(reader, planning),
    cursorKey: provisioned.secrets.get(CURSOR_KEY) ?? '',
    deviceReader: makeDeviceReader({ pages: reader, lookUps: lookUpReader }, planning),
    explainFilter: makeFilterExplainer(reader),
    deviceExporter: makeDeviceExporter(exportReader, filterTimeoutMs),
    searcher: { ...makeSearcher(searchReader, searchTimeoutMs), contextsOf: makeContextsOf(lookUpReader) },
    checkPatterns,
    customFields: makeCustomFieldSource(lookUpReader),
    definedFields: makeCustomFieldReader(orm),
    fleetLists: makeFleetLists(lookUpReader),
    fleetCounter: makeFleetCounter(reader),
    findValues: makeCompletionSource(searchReader, searchTimeoutMs),
    organizationExists: makeOrganizationDirectory(orm),
    organizationsOf: makeOrganizationsOfPartner(orm),
    listTenants: makeTenantLister(orm),
    namesInReach: makeNamesInReach(lookUpReader),
    names: makeNameReader(orm),
    peopleReader: makePeopleReader(orm),
    auditLog: makeAuditLog(pool),
    readAuditEntries: makeAuditReader(orm),
    auditArchive,
    deletionRequests: makeDeletionRequestReader(orm),
    mailOutbox: makeMailOutbox(orm, secrets),
    sharedClock: makeSharedClock(pool, hostClock),
    principals: makePrincipalStore(identification),
    accounts: makeAccountStore({ orm, hashPassword, digestSecret, sealTotpSecret, clock }),
    signingKeys: makeSigningKeyStore(identification, secrets),
    rateLimiter: makeRateLimiter(signIn, clock),
    signIns: makeSignInStore(identification),
    hasSignedInFrom: makeHasSignedInFrom(signIn),
    apiKeys: makeApiKeyReader(orm),
    passkeys: makePasskeyReader(signIn),
    identityProviderReader: makeIdentityProviderReader(orm, signIn, secrets),
    enrolmentKeys: makeEnrolmentKeyReader(orm),
    findEnrolmentKey: makeFindEnrolmentKey(identification),
    sessions: makeSessionReader(orm),
    readBacklog: makeBacklogReader(orm),
    memberships: makeMemberships(pool, listen),
    isEmpty: makeIsEmpty(orm),
    readiness: () => checkReadiness(pool, patienceMs),
    resealSecrets: makeResealSecrets(orm, secrets),
    databaseTools: {
      createBackupRole: makeCreateBackupRole(url, { isPooled }),
      readFleet: makeFleetReader(pool),
      partnerMaintenance: { ...makePartnerMarks(pool), remove: makeRemovePartner(url, { isPooled }) },
    },
    pools,
    close,
  };
  if (replication === null) return backend;
  const { withFreshness, noteCommit, use } = replication;
  return { ...backend, ...noteCommits(backend, noteCommit), withFreshness, replicas: use };
}
