/** Every port that storage stands behind. An embedder brings one of these, or swaps single ports of one. */
import type { AccountStore } from '#application/ports/account-store.ts';
import type { ApiKeyReader } from '#application/ports/api-key-store.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { AuditReader } from '#application/ports/audit-reader.ts';
import type { CustomFieldSource } from '#application/ports/custom-field-source.ts';
import type { DeletionRequestReader } from '#application/ports/deletion-request-store.ts';
import type { DeviceMatcher } from '#application/ports/device-matcher.ts';
import type { FleetWriter } from '#application/ports/fleet-writer.ts';
import type { InventoryStore } from '#application/ports/inventory-store.ts';
import type { MailOutbox } from '#application/ports/mail-outbox.ts';
import type { OrganizationDirectory } from '#application/ports/organization-directory.ts';
import type { PatternChecker } from '#application/ports/pattern-checker.ts';
import type { PrincipalStore } from '#application/ports/principal-store.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { SavedFilterReader } from '#application/ports/saved-filter-store.ts';
import type { Searcher } from '#application/ports/searcher.ts';
import type { SignInStore } from '#application/ports/sign-in-store.ts';
import type { SigningKeyStore } from '#application/ports/signing-key-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

export interface Backend {
  readonly fleetWriter: FleetWriter;
  readonly inventoryStore: InventoryStore;
  readonly filters: SavedFilterReader;
  readonly unitOfWork: UnitOfWork;
  readonly matcher: DeviceMatcher;
  readonly searcher: Searcher;
  readonly checkPatterns: PatternChecker;
  readonly customFields: CustomFieldSource;
  readonly organizationExists: OrganizationDirectory;
  readonly auditLog: AuditLog;
  readonly readAuditEntries: AuditReader;
  readonly deletionRequests: DeletionRequestReader;
  readonly mailOutbox: MailOutbox;
  readonly principals: PrincipalStore;
  readonly accounts: AccountStore;
  readonly signingKeys: SigningKeyStore;
  readonly rateLimiter: RateLimiter;
  readonly signIns: SignInStore;
  readonly apiKeys: ApiKeyReader;
}
