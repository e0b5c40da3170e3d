/** Rows are never changed in place. Inputs and outputs are copied or frozen, so callers cannot change a row. */
import { LiveTable } from '#adapters/memory/live/live-table.ts';
import { makeMutex } from '#adapters/memory/scheduling/slices.ts';
import type { StoredDeletionRequest } from '#adapters/memory/stores/deletion/deletion-request-store.ts';
import type { StoredMail } from '#adapters/memory/stores/mail/mail-outbox.ts';
import type { SignInProvider } from '#application/ports/auth/stores/identity-provider-store.ts';
import type { MfaEnrollment } from '#application/ports/auth/stores/mfa-store.ts';
import type { RememberedChange } from '#application/ports/fleet/bulk-change-store.ts';
import type { AccountLink } from '#domain/access/account-link.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { FederatedIdentity } from '#domain/access/identity-provider.ts';
import type { Passkey } from '#domain/access/passkey.ts';
import type { Session } from '#domain/access/session.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { FilterVersion, SavedFilter } from '#domain/filter/saved-filter.ts';
import type {
  AlertRecord,
  CustomFieldRecord,
  LoadedApiKeyRecord,
  LoadedUserRecord,
  OrganizationRecord,
  PartnerRecord,
  ScriptRecord,
  SiteRecord,
} from '#domain/fleet/fleet-record.ts';
import type {
  AlertId,
  ApiKeyId,
  BulkChangeId,
  CustomFieldId,
  DeletionRequestId,
  DeliveryId,
  DeviceId,
  EnrolmentKeyId,
  FilterId,
  IdentityProviderId,
  MailId,
  OrgId,
  PartnerId,
  PasskeyId,
  PatchId,
  ScriptId,
  SessionId,
  SiteId,
  SubscriptionId,
  UserId,
} from '#domain/ids.ts';
import type { Subscription, SubscriptionProgress } from '#domain/membership/subscription.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';
import { DeviceTable } from './device-table.ts';

/** Maps patch ids to devices, which hold the patches' titles. */
class PatchTable {
  readonly #ids = new Map<DeviceId, readonly PatchId[]>();
  readonly #deviceIds = new Map<PatchId, DeviceId>();

  deviceOf(id: PatchId): DeviceId | undefined {
    return this.#deviceIds.get(id);
  }

  of(deviceId: DeviceId): readonly PatchId[] {
    return this.#ids.get(deviceId) ?? [];
  }

  replace(deviceId: DeviceId, ids: readonly PatchId[]): void {
    for (const id of this.of(deviceId)) {
      if (this.#deviceIds.get(id) === deviceId) this.#deviceIds.delete(id);
    }
    this.#ids.set(deviceId, ids);
    for (const id of ids) this.#deviceIds.set(id, deviceId);
  }
}

export interface StoredUser
  extends Omit<
    LoadedUserRecord,
    'kind' | 'password' | 'sealedTotpSecret' | 'recoveryCodeSha256s' | 'createdAt' | 'updatedAt'
  > {
  readonly passwordHash: string | null;
  readonly status: 'invited' | 'active' | 'disabled';
  /** Counts from 1; see `PasswordWriter`. */
  readonly passwordEpoch: number;
  /** Counts from 1, as `mfaEpoch` does; see `Principal`. */
  readonly authEpoch: number;
  readonly mfaEpoch: number;
  readonly lastTotpStep: number | null;
  readonly createdAt: EpochMs;
}

export interface StoredApiKey extends Omit<LoadedApiKeyRecord, 'kind' | 'key' | 'keySha256'> {
  readonly sha256: string;
  readonly createdAt: EpochMs;
  readonly revokedAt: EpochMs | null;
}

export interface StoredEnrolmentKey extends EnrolmentKey {
  readonly keySha256: string;
  readonly revokedAt: EpochMs | null;
}

export interface StoredAlert extends AlertRecord {
  readonly createdAt: EpochMs;
}

export interface StoredRefreshToken {
  readonly sessionId: SessionId;
  readonly usedAt: EpochMs | null;
  /** Set on a used token if its successor was derived from it (see `Rotation`). */
  readonly salt: string | null;
}

export type World = Readonly<ReturnType<typeof makeWorld>>;

export interface WebhookSecrets {
  readonly secret: string;
  readonly former: { readonly secret: string; readonly until: EpochMs } | null;
}

export interface StoredDelivery {
  readonly delivery: WebhookDelivery;
  readonly isRequested: boolean;
}

export interface ClaimableProgress extends SubscriptionProgress {
  readonly claim: string | null;
  readonly claimedUntil: EpochMs | null;
}

export function makeWorld() {
  const organizations = new Map<OrgId, OrganizationRecord>();
  const live = new LiveTable((orgId) => organizations.get(orgId)?.partnerId);
  return {
    partners: new Map<PartnerId, PartnerRecord>(),
    organizations,
    sites: new Map<SiteId, SiteRecord>(),
    users: new Map<UserId, StoredUser>(),
    /** By case-folded email. A disabled user's email stays until an active user takes it. */
    userIdsByEmail: new Map<string, UserId>(),
    passkeys: new Map<PasskeyId, Passkey>(),
    identityProviders: new Map<IdentityProviderId, SignInProvider>(),
    /** By `identityKey`. */
    federatedIdentities: new Map<string, FederatedIdentity>(),
    apiKeys: new Map<ApiKeyId, StoredApiKey>(),
    apiKeyIdsBySha256: new Map<string, ApiKeyId>(),
    enrolmentKeys: new Map<EnrolmentKeyId, StoredEnrolmentKey>(),
    /** By SHA-256 of the token. */
    links: new Map<string, AccountLink>(),
    /** `userId` is null if nobody has the email. */
    resetRequests: new Map<string, { readonly userId: UserId | null; readonly requestedAt: EpochMs }>(),
    sessions: new Map<SessionId, Session>(),
    refreshTokens: new Map<string, StoredRefreshToken>(),
    mfaEnrollments: new Map<UserId, MfaEnrollment>(),
    /** SHA-256 of the unused codes. */
    recoveryCodes: new Map<UserId, ReadonlySet<string>>(),
    ownNetworks: new Map<UserId, ReadonlyMap<string, EpochMs>>(),
    customFields: new Map<CustomFieldId, CustomFieldRecord>(),
    subscriptions: new Map<SubscriptionId, Subscription>(),
    progress: new Map<SubscriptionId, ClaimableProgress>(),
    webhookSecrets: new Map<SubscriptionId, WebhookSecrets>(),
    deliveries: new Map<DeliveryId, StoredDelivery>(),
    live,
    evaluatedAt: new Map<PartnerId, EpochMs>(),
    devices: new DeviceTable(live),
    bulkChanges: new Map<BulkChangeId, RememberedChange>(),
    patches: new PatchTable(),
    scripts: new Map<ScriptId, ScriptRecord>(),
    alerts: new Map<AlertId, StoredAlert>(),
    filters: new Map<FilterId, SavedFilter>(),
    /** Superseded versions, oldest first. */
    filterVersions: new Map<FilterId, readonly FilterVersion[]>(),
    /** Oldest first. */
    auditEntries: [] as AuditEntry[],
    mails: new Map<MailId, StoredMail>(),
    deletionRequests: new Map<DeletionRequestId, StoredDeletionRequest>(),
    erasedUsers: new Map<UserId, EpochMs>(),
    /** Held by every change of more than one step. */
    lock: makeMutex(),
  };
}
