/** What a test reads and changes beside the API, on any backend. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type {
  ApiKeyId,
  CustomFieldId,
  DeletionRequestId,
  FilterId,
  OrgId,
  PartnerId,
  UserId,
} from '#domain/ids.ts';
import type { MailKind } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

export interface Probe {
  /** Oldest first. */
  auditEntries(): Promise<readonly AuditEntry[]>;
  /** All stored filters, by id. */
  filters(): Promise<readonly StoredFilter[]>;
  /** The mails in the outbox about a deletion request, by kind and recipient. */
  mailsAbout(id: DeletionRequestId | string): Promise<readonly StoredMail[]>;
  changeUser(id: UserId, change: UserChange): Promise<void>;
  moveOrganization(id: OrgId, partnerId: PartnerId): Promise<void>;
  setKeyRevoked(id: ApiKeyId, isRevoked: boolean): Promise<void>;
  setFiltersCreated(ids: readonly (FilterId | string)[], at: EpochMs): Promise<void>;
  removeCustomField(id: CustomFieldId): Promise<void>;
}

export interface StoredFilter {
  readonly id: string;
  readonly orgId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly conditionsJson: string;
  readonly createdBy: string;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly version: number;
}

export interface StoredMail {
  readonly kind: MailKind;
  readonly status: string;
  readonly userId: string;
  /** Null once the outbox has forgotten the address, as are the facts. */
  readonly email: string | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
}

/** What an operator may do to a user by hand. */
export interface UserChange {
  readonly status?: 'active' | 'disabled' | 'deleted';
  readonly permissions?: readonly string[];
  readonly isPlatformAdmin?: boolean;
  readonly membership?: Membership;
  /** Invalidates issued tokens, as a password change does. */
  readonly newAuthEpoch?: true;
  /** Invalidates verified MFA, as a change of the factor does. */
  readonly newMfaEpoch?: true;
}
