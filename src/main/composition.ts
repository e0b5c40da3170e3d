import type { TokenKeys } from '#adapters/auth/token-keys.ts';
import type { createApp } from '#adapters/http/app.ts';
import type { FindPages } from '#adapters/http/pages.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { Tracing } from '#adapters/tracing/tracing.ts';
import type { RequestBudgets } from '#application/admission/request-budgets.ts';
import type { ReadAuditLog } from '#application/audit/read-audit-log.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { CheckPassword } from '#application/auth/passwords.ts';
import type { Backend } from '#application/backend.ts';
import type { CustomFieldUseCases } from '#application/custom-fields/custom-field-use-cases.ts';
import type { CompleteDeletions } from '#application/deletion/complete-deletions.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import type { DeviceUseCases } from '#application/devices/device-use-cases.ts';
import type { ExportDevices } from '#application/devices/export-devices.ts';
import type { EnrolmentUseCases } from '#application/enrolment/enrolment-use-cases.ts';
import type { FilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { FleetUseCases } from '#application/fleet/fleet-use-cases.ts';
import type { TenantUseCases } from '#application/fleet/tenant-use-cases.ts';
import type { IdentityProviderUseCases } from '#application/identity-providers/provider-use-cases.ts';
import type { AnswerAgent } from '#application/inventory/answer-agent.ts';
import type { TakeInventory } from '#application/inventory/take-inventory.ts';
import type { LiveUseCases } from '#application/live/live-use-cases.ts';
import type { PeopleUseCases } from '#application/people/people-use-cases.ts';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { ReporterVerifier } from '#application/ports/auth/reporter-verifier.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import type { ResolveTxt } from '#application/ports/auth/resolve-txt.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { MessageReader } from '#application/ports/fleet/message-reader.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { WebhookSender } from '#application/ports/live/webhook-sender.ts';
import type { Log } from '#application/ports/log.ts';
import type { MailCopyRemover, MailSender } from '#application/ports/mail/mail-sender.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';

/** The parts of a service, any of which an embedder or a test may supply. */
export interface Parts {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  readonly verifyPassword: PasswordVerifier;
  readonly log: Log;
  /** If a backend is supplied, no database is opened. */
  readonly backend: Backend;
  readonly tokenKeys: TokenKeys;
  readonly credentials: CredentialVerifier;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly checkPassword: CheckPassword;
  readonly auth: AuthUseCases;
  readonly filters: FilterUseCases;
  readonly live: LiveUseCases;
  readonly customFields: CustomFieldUseCases;
  readonly enrolment: EnrolmentUseCases;
  readonly reporters: ReporterVerifier;
  /** Default: reads inventories in the GLPI format. */
  readonly readMessage: MessageReader;
  readonly answerAgent: AnswerAgent;
  readonly takeInventory: TakeInventory;
  readonly devices: DeviceUseCases;
  readonly exportDevices: ExportDevices;
  readonly search: SearchEverything;
  readonly fleet: FleetUseCases;
  readonly tenants: TenantUseCases;
  readonly people: PeopleUseCases;
  readonly identityProviders: IdentityProviderUseCases;
  /** Default: OpenID Connect at public addresses. */
  readonly openIdProviders: OpenIdProviders;
  /** Default: sends Standard Webhooks to public addresses. */
  readonly sendWebhook: WebhookSender;
  /** Looks up the records that verify domains. */
  readonly resolveTxt: ResolveTxt;
  readonly deletions: DeletionUseCases;
  /** Runs due deletions, for embedders that do not call `startWorker`. */
  readonly completeDeletions: CompleteDeletions;
  readonly readAuditLog: ReadAuditLog;
  /** If null, `startWorker` needs a `sendMail`. */
  readonly sendMail: MailSender | null;
}

/** Replacements for parts and ports of the backend. Two ports have other names here, because parts use their names. */
export interface Overrides extends Partial<Parts>, Partial<Omit<Backend, SharedName>> {
  readonly savedFilters?: Backend['filters'];
  readonly customFieldSource?: Backend['customFields'];
}

type SharedName = 'filters' | 'customFields';

/** `readConfig` returns these settings and more. */
export interface ComposeConfig
  extends Pick<Config, 'databaseUrl'>,
    Partial<Pick<Config, 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'>> {
  /** Contract: §6, SEARCH_TIMEOUT_MS. Default: 1,000. */
  readonly searchTimeoutMs?: number;
  /** Contract: §15, DB_POOL. Default: 60. */
  readonly databaseConnections?: number;
  /** Contract: §15, DATABASE_POOLER. Default: none. */
  readonly databasePooler?: 'transaction' | null;
  /** The cores of PostgreSQL's machine. Default: this machine's. */
  readonly databaseCores?: number;
  /** Encrypts secrets in the database. Absent or null: the database keeps the key. */
  readonly secretKey?: string | null;
  /** A former `secretKey`, used only to decrypt. */
  readonly previousSecretKey?: string | null;
  /** Discards secrets that neither key decrypts. Default: false, so opening a database with such secrets fails. */
  readonly allowsLostKeys?: boolean;
  /** Contract: §9, MFA_MAX_AGE_SECONDS. Default: 900. */
  readonly mfaMaxAgeSeconds?: number;
  /** Contract: §17, OUTBOUND_PRIVATE. Default: false. */
  readonly outboundPrivate?: boolean;
  /** Contract: §13, CONTACT_MINUTES. Default: 15. */
  readonly contactMinutes?: number;
  /** Contract: §13, INVENTORY_EXPIRATION_HOURS. Default: 24. */
  readonly inventoryExpirationHours?: number;
  /** Contract: §15, DATABASE_REPLICA_URL. Default: none. */
  readonly replicaUrls?: readonly string[];
  /** Contract: §15, REPLICA_MAX_LAG_MS. Default: 1,000. */
  readonly replicaMaxLagMs?: number;
  /** Default: derived from the connections and cores of the database. */
  readonly budgets?: RequestBudgets;
  /** Pages such as the console (`openConsole`). Default: none. */
  readonly findPages?: FindPages;
  /**
   * Contract: §9 and §15, BASE_URL, including its path. Absent or null: pages are served at the address that the
   * browser requests.
   */
  readonly baseUrl?: string | null;
  readonly metrics?: Metrics;
  readonly tracing?: Pick<Tracing, 'traceRequest'> & Partial<Pick<Tracing, 'traceIds'>>;
  readonly onProgress?: (message: string) => void;
}

export interface WorkerSettings {
  /** By default, the `sendMail` of the composition's parts. */
  readonly sendMail?: MailSender;
  /** Removes the copies of mails to erased users. Absent: senders keep no copies. */
  readonly removeMailCopies?: MailCopyRemover;
  /** The base of links in mails, without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds between polls for due work. */
  readonly intervalMs: number;
  /** Days after a month's end until its audit entries are dropped. Absent or null: never. */
  readonly auditRetentionDays?: number | null;
  /** Days for which changes of members are kept. Default: 30. */
  readonly changesRetentionDays?: number;
  /** Changes of members kept for each filter. Default: 1,000,000. */
  readonly changesRetentionCount?: number;
  /**
   * Minutes of silence after which a reporting device is offline. The default (absent or null) depends on the agent:
   * - If it makes contact: two contact intervals and five minutes.
   * - If it only sends inventories: the interval of inventories and one hour.
   */
  readonly offlineAfterMinutes?: number | null;
}

export interface Composition extends Parts {
  /** For `serveApp`, `app.request()` or mounting in another application. */
  readonly app: ReturnType<typeof createApp>;
  /** True if the database has no tenant yet; false for a supplied backend. */
  isEmpty(): Promise<boolean>;
  /** Encrypts secrets with the current key. Has no effect on a supplied backend. */
  readonly resealSecrets: ResealSecrets;
  /** Null for a supplied backend. */
  readonly databaseTools: DatabaseTools | null;
  /** Once the worker runs, queued mail is sent at once. */
  startWorker(settings: WorkerSettings): Worker;
  /** Makes `/readyz` answer 503 from now on. */
  stopBeingReady(): void;
  /** Does not close a supplied backend. */
  close(): Promise<void>;
}
