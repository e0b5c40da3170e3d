import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import type { ApiKeyWriter } from './auth/stores/api-key-store.ts';
import type { EnrolmentKeyWriter } from './auth/stores/enrolment-key-store.ts';
import type { IdentityProviderWriter } from './auth/stores/identity-provider-store.ts';
import type { LinkWriter } from './auth/stores/link-store.ts';
import type { MfaWriter } from './auth/stores/mfa-store.ts';
import type { OwnNetworkWriter } from './auth/stores/own-networks.ts';
import type { PasskeyWriter } from './auth/stores/passkey-store.ts';
import type { PasswordWriter } from './auth/stores/password-store.ts';
import type { SessionWriter } from './auth/stores/session-store.ts';
import type { AccountEraser } from './deletion/account-eraser.ts';
import type { DeletionRequestWriter } from './deletion/deletion-request-store.ts';
import type { CustomFieldWriter } from './filters/custom-field-store.ts';
import type { SavedFilterWriter } from './filters/saved-filter-store.ts';
import type { AlertWriter } from './fleet/alert-writer.ts';
import type { BulkChangeWriter } from './fleet/bulk-change-store.ts';
import type { DeviceWriter } from './fleet/device-writer.ts';
import type { TenantWriter } from './fleet/tenant-directory.ts';
import type { SubscriptionWriter } from './live/subscription-store.ts';
import type { WebhookWriter } from './live/webhook-store.ts';
import type { PeopleWriter } from './people/people-store.ts';

/** The changes that `work` can make. Must not be used after `work` has returned. */
export interface Transaction {
  readonly filters: SavedFilterWriter;
  readonly subscriptions: SubscriptionWriter;
  readonly webhooks: WebhookWriter;
  readonly customFields: CustomFieldWriter;
  readonly devices: DeviceWriter;
  readonly bulkChanges: BulkChangeWriter;
  readonly alerts: AlertWriter;
  readonly tenants: TenantWriter;
  readonly deletions: DeletionRequestWriter;
  readonly eraseAccount: AccountEraser;
  readonly sessions: SessionWriter;
  readonly mfa: MfaWriter;
  readonly passkeys: PasskeyWriter;
  readonly identityProviders: IdentityProviderWriter;
  readonly passwords: PasswordWriter;
  readonly people: PeopleWriter;
  readonly ownNetworks: OwnNetworkWriter;
  readonly links: LinkWriter;
  readonly apiKeys: ApiKeyWriter;
  readonly enrolmentKeys: EnrolmentKeyWriter;
  /** Commits the entry with the change (Contract: §8). */
  audit(entry: AuditEntry): Promise<void>;
  /** Queues a mail with the change. A second one of the same kind, request and recipient is ignored. */
  mail(mail: QueuedMail): Promise<void>;
}

/**
 * Runs `work` as one transaction, limited to the scope. It commits when `work` returns and is durable once the promise
 * resolves. If `work` throws, it rolls back and rethrows.
 */
export type UnitOfWork = <T>(scope: AccessScope, work: (tx: Transaction) => Promise<T>) => Promise<T>;
