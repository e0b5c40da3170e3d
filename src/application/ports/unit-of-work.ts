/** Changes that stand or fall together, their audit entries included (Contract: §8). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import type { ApiKeyWriter } from './auth/api-key-store.ts';
import type { MfaWriter } from './auth/mfa-store.ts';
import type { SessionWriter } from './auth/session-store.ts';
import type { AccountEraser } from './deletion/account-eraser.ts';
import type { DeletionRequestWriter } from './deletion/deletion-request-store.ts';
import type { SavedFilterWriter } from './filters/saved-filter-store.ts';

export interface Transaction {
  readonly filters: SavedFilterWriter;
  readonly deletions: DeletionRequestWriter;
  readonly eraseAccount: AccountEraser;
  readonly sessions: SessionWriter;
  readonly mfa: MfaWriter;
  readonly apiKeys: ApiKeyWriter;
  /** Puts an entry on record with the change. */
  audit(entry: AuditEntry): Promise<void>;
  /** Queues a mail with the change. A second one of the same kind, request and recipient is left out. */
  mail(mail: QueuedMail): Promise<void>;
}

/**
 * Runs `work` as one transaction within a scope. It is committed when `work` returns and undone when it throws;
 * durable when the promise is fulfilled. What is outside the scope cannot be read, changed or created by it.
 */
export type UnitOfWork = <T>(scope: AccessScope, work: (tx: Transaction) => Promise<T>) => Promise<T>;
