/** Every storage port. An embedder supplies a backend of their own, or replaces single ports of an existing one. */
import type { AuditArchive } from '#application/ports/audit-archive.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { AuditReader } from '#application/ports/audit-reader.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AccountStore } from './ports/auth/account-store.ts';
import type { ApiKeyReader } from './ports/auth/api-key-store.ts';
import type { HasSignedInFrom } from './ports/auth/own-networks.ts';
import type { PrincipalStore } from './ports/auth/principal-store.ts';
import type { RateLimiter } from './ports/auth/rate-limiter.ts';
import type { SignInStore } from './ports/auth/sign-in-store.ts';
import type { SigningKeyStore } from './ports/auth/signing-key-store.ts';
import type { DeletionRequestReader } from './ports/deletion/deletion-request-store.ts';
import type { CustomFieldSource } from './ports/filters/custom-field-source.ts';
import type { CustomFieldReader } from './ports/filters/custom-field-store.ts';
import type { DeviceMatcher } from './ports/filters/device-matcher.ts';
import type { FilterExplainer } from './ports/filters/filter-explainer.ts';
import type { PatternChecker } from './ports/filters/pattern-checker.ts';
import type { SavedFilterReader } from './ports/filters/saved-filter-store.ts';
import type { DeviceExporter } from './ports/fleet/device-exporter.ts';
import type { DeviceReader } from './ports/fleet/device-reader.ts';
import type { FleetWriter } from './ports/fleet/fleet-writer.ts';
import type { InventoryStore } from './ports/fleet/inventory-store.ts';
import type { NamesInReach } from './ports/fleet/names-in-reach.ts';
import type { OrganizationDirectory } from './ports/fleet/organization-directory.ts';
import type { MailOutbox } from './ports/mail/mail-outbox.ts';
import type { Searcher } from './ports/search/searcher.ts';

export interface Backend {
  readonly fleetWriter: FleetWriter;
  readonly inventoryStore: InventoryStore;
  readonly filters: SavedFilterReader;
  readonly unitOfWork: UnitOfWork;
  readonly matcher: DeviceMatcher;
  readonly deviceReader: DeviceReader;
  /** Signs cursors: at least 32 random bytes in any form, the same for every instance and after a restart. */
  readonly cursorKey: string;
  readonly explainFilter: FilterExplainer;
  readonly deviceExporter: DeviceExporter;
  readonly searcher: Searcher;
  readonly checkPatterns: PatternChecker;
  readonly customFields: CustomFieldSource;
  readonly definedFields: CustomFieldReader;
  readonly organizationExists: OrganizationDirectory;
  readonly namesInReach: NamesInReach;
  readonly auditLog: AuditLog;
  readonly readAuditEntries: AuditReader;
  readonly auditArchive: AuditArchive;
  readonly deletionRequests: DeletionRequestReader;
  readonly mailOutbox: MailOutbox;
  readonly principals: PrincipalStore;
  readonly accounts: AccountStore;
  readonly signingKeys: SigningKeyStore;
  readonly rateLimiter: RateLimiter;
  readonly signIns: SignInStore;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly apiKeys: ApiKeyReader;
}
