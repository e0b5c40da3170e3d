/**
 * The records of a fleet: the validated form of a load file's lines, which the demo produces as well (Contract: §9,
 * "The load file"). Records are upserted by id. Members that may be absent come from dumps.
 */
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { Device } from '#domain/device/device.ts';
import type {
  AlertId,
  ApiKeyId,
  CustomFieldId,
  DeletionRequestId,
  DeviceId,
  FilterId,
  OrgId,
  PartnerId,
  PatchId,
  ScriptId,
  SiteId,
  UserId,
} from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A managed service provider. */
export interface PartnerRecord {
  readonly kind: 'partner';
  readonly id: PartnerId;
  readonly name: string;
}

/** One of the organizations that a partner manages. */
export interface OrganizationRecord {
  readonly kind: 'organization';
  readonly id: OrgId;
  readonly partnerId: PartnerId;
  readonly name: string;
}

/** A place of an organization. */
export interface SiteRecord {
  readonly kind: 'site';
  readonly id: SiteId;
  readonly orgId: OrgId;
  readonly name: string;
}

/** Where a user belongs and what they reach (Spec: Authentication). */
export type Membership =
  | { readonly scope: 'organization'; readonly orgId: OrgId }
  | {
      readonly scope: 'partner';
      readonly partnerId: PartnerId;
      /** A subset of the partner's organizations; null means all of them, including future ones. */
      readonly orgIds: readonly OrgId[] | null;
    }
  | { readonly scope: 'system' };

/** A user of a load file or a dump. */
export interface LoadedUserRecord {
  readonly kind: 'user';
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  /**
   * As typed, 8 to 256 characters; it is hashed before it is stored. Null if it is not known: a user who is there keeps
   * password and second factor, unless other members bring some; a new one cannot sign in.
   */
  readonly password: string | null;
  readonly membership: Membership;
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
  /** Base32; null if MFA is not enrolled. */
  readonly totpSecret: string | null;
  /** In the place of `totpSecret`: as the database that the dump is from keeps it. */
  readonly sealedTotpSecret?: string | null | undefined;
  /** In the place of the password. */
  readonly passwordHash?: string | null | undefined;
  /** SHA-256 in hexadecimal digits. */
  readonly recoveryCodeSha256s?: readonly string[] | null | undefined;
  /** Active if absent. Who is erased has neither email nor name. */
  readonly status?: UserStatus | null | undefined;
  /** When a user who is not there yet was created; now if absent. */
  readonly createdAt?: EpochMs | null | undefined;
  readonly updatedAt?: EpochMs | null | undefined;
}

/** A user whose password is known. */
export interface UserRecord extends LoadedUserRecord {
  readonly password: string;
}

/** An active user can sign in, a disabled one cannot for now, a deleted one is erased. */
export const USER_STATUSES = ['active', 'disabled', 'deleted'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A key of a load file or a dump. */
export interface LoadedApiKeyRecord {
  readonly kind: 'apiKey';
  readonly id: ApiKeyId;
  /** The key itself, `fsk_...`, of which only the SHA-256 is stored; null where `keySha256` has that. */
  readonly key: string | null;
  /** In hexadecimal digits. */
  readonly keySha256?: string | null | undefined;
  readonly userId: UserId;
  readonly name: string;
  /** Narrows the key to this organization. */
  readonly orgId: OrgId | null;
  /** Empty if none were listed. */
  readonly permissions: readonly string[];
  readonly expiresAt: EpochMs | null;
  /** What was revoked stays so. */
  readonly revokedAt?: EpochMs | null | undefined;
  /** When a key that is not there yet was created; now if absent. */
  readonly createdAt?: EpochMs | null | undefined;
}

/** A key in full. */
export interface ApiKeyRecord extends LoadedApiKeyRecord {
  readonly key: string;
}

/** A key of machines that report. Comes from dumps only. */
export interface EnrolmentKeyRecord extends EnrolmentKey {
  readonly kind: 'enrolmentKey';
  /** In hexadecimal digits. */
  readonly keySha256: string;
  readonly revokedAt: EpochMs | null;
}

/** Contract: §3, custom fields. */
export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'dropdown', 'date'] as const;
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** The owner of something: one organization, or a partner with all of its organizations. */
export type Owner =
  | { readonly kind: 'organization'; readonly orgId: OrgId }
  | { readonly kind: 'partner'; readonly partnerId: PartnerId };

/** A definition as it is stored; `CustomFieldDefinition` is what it says to some organizations. */
export interface CustomFieldRecord {
  readonly kind: 'customField';
  readonly id: CustomFieldId;
  readonly owner: Owner;
  /** `[a-z][a-z0-9_]*`, used in filters as `custom.<key>`. */
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** The values of a dropdown; empty for the other types. */
  readonly choices: readonly string[];
}

/** Contract: §9, "The load file". */
export const PATCH_STATUSES = ['pending', 'installed', 'failed'] as const;
export type PatchStatus = (typeof PATCH_STATUSES)[number];

/** A patch of a device; the id is that of the record, where it had one. */
export interface Patch {
  readonly id: PatchId | null;
  readonly title: string;
  readonly status: PatchStatus;
}

/** What tells the machine behind a device apart when it reports. Absent: what is known of it stays. */
export interface MachineRecord {
  /** Every one that its inventories have had. */
  readonly inventoryIds?: readonly string[];
  readonly systemUuid?: string | null | undefined;
  /** When it first reported by itself. */
  readonly reportsSince?: EpochMs | null | undefined;
}

/** A device with its patches; the two counters are derived when it is stored. */
export type DeviceRecord = { readonly kind: 'device'; readonly patches: readonly Patch[] } & Omit<
  Device,
  'pendingPatchCount' | 'criticalAlertCount'
> &
  MachineRecord;

/** A script; that of a partner is seen in all its organizations. */
export interface ScriptRecord {
  readonly kind: 'script';
  readonly id: ScriptId;
  readonly owner: Owner;
  readonly name: string;
  readonly description: string | null;
}

/** The most severe first (Contract: §9, "The load file"). */
export const ALERT_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** Contract: §9, "The load file". */
export const ALERT_STATUSES = ['active', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** An alert of an organization, mostly about one of its devices. */
export interface AlertRecord {
  readonly kind: 'alert';
  readonly id: AlertId;
  readonly orgId: OrgId;
  readonly deviceId: DeviceId | null;
  readonly title: string;
  readonly message: string | null;
  readonly severity: AlertSeverity;
  readonly status: AlertStatus;
  /** Null if not given: an alert that is known keeps its own, a new one was created when it is loaded. */
  readonly createdAt: EpochMs | null;
}

/** A saved filter. */
export interface FilterRecord {
  readonly kind: 'filter';
  readonly id: FilterId;
  readonly orgId: OrgId;
  readonly name: string;
  readonly description: string | null;
  /** The tree as sent; it is checked against its organization's catalogue when stored. */
  readonly conditions: unknown;
  readonly createdBy: UserId;
  /** Of a filter that is not there yet; now, now and 1 if absent. */
  readonly createdAt?: EpochMs | null | undefined;
  readonly updatedAt?: EpochMs | null | undefined;
  readonly version?: number | null | undefined;
}

/** A request that is there stays as it is. Comes from dumps only. */
export interface DeletionRequestRecord {
  readonly kind: 'deletionRequest';
  readonly id: DeletionRequestId;
  readonly request: DeletionRequest;
  /** Of attempts to carry it out. */
  readonly failures: number;
  readonly problem: string | null;
  readonly nextAttemptAt: EpochMs | null;
}

/** An entry that is there stays as it is. Comes from dumps only. */
export type AuditEntryRecord = { readonly kind: 'auditEntry' } & AuditEntry;

/** A line of a load file, or of a dump. */
export type FleetRecord =
  | PartnerRecord
  | OrganizationRecord
  | SiteRecord
  | LoadedUserRecord
  | LoadedApiKeyRecord
  | EnrolmentKeyRecord
  | CustomFieldRecord
  | DeviceRecord
  | ScriptRecord
  | AlertRecord
  | FilterRecord
  | DeletionRequestRecord
  | AuditEntryRecord;
