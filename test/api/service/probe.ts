/** What a test sees and changes beside the API, whatever the service keeps its things in. */
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
  /** Everything that is stored of filters, by id. */
  filters(): Promise<readonly StoredFilter[]>;
  /** In the outbox about a deletion request, by kind and recipient. */
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
  /** Null once it is forgotten, as are the facts. */
  readonly email: string | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
}

/** What an operator may do to a user by hand. */
export interface UserChange {
  readonly status?: 'active' | 'disabled' | 'deleted';
  readonly permissions?: readonly string[];
  readonly isPlatformAdmin?: boolean;
  readonly membership?: Membership;
  /** Tokens that are out become void, as when the password changes. */
  readonly newAuthEpoch?: true;
  /** MFA that was verified counts no more, as when the factor changes. */
  readonly newMfaEpoch?: true;
}
