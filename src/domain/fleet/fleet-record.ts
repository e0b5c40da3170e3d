/**
 * Records of a load file (Contract: §9, "The load file"), inserted or updated by id. Members that may be
 * undefined are meant for dumps.
 */
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { Device, DevicePatch } from '#domain/device/device.ts';
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
import type { RememberedKey } from '#domain/inventory/machine-keys.ts';
import type { EpochMs } from '#domain/time.ts';

export interface PartnerRecord {
  readonly kind: 'partner';
  readonly id: PartnerId;
  readonly name: string;
}

export interface OrganizationRecord {
  readonly kind: 'organization';
  readonly id: OrgId;
  readonly partnerId: PartnerId;
  readonly name: string;
}

export interface SiteRecord {
  readonly kind: 'site';
  readonly id: SiteId;
  readonly orgId: OrgId;
  readonly name: string;
}

/** What a user belongs to and can reach (Spec: Authentication). */
export type Membership =
  | { readonly scope: 'organization'; readonly orgId: OrgId }
  | {
      readonly scope: 'partner';
      readonly partnerId: PartnerId;
      /** Null: all organizations of the partner, including future ones. */
      readonly orgIds: readonly OrgId[] | null;
    }
  | { readonly scope: 'system' };

export interface LoadedUserRecord {
  readonly kind: 'user';
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  /**
   * 8 to 256 characters, hashed before it is stored. Null if unknown. Then a new user cannot sign in with a password. An
   * existing user keeps the password and second factor, unless the record has another credential.
   */
  readonly password: string | null;
  readonly membership: Membership;
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
  /** In base32; null if MFA is not enrolled. */
  readonly totpSecret: string | null;
  /** Used in dumps instead of `totpSecret`; encrypted as in the dumped database. */
  readonly sealedTotpSecret?: string | null | undefined;
  /** Used in dumps instead of `password`. */
  readonly passwordHash?: string | null | undefined;
  /** In hexadecimal digits. */
  readonly recoveryCodeSha256s?: readonly string[] | null | undefined;
  /** Active if absent. An erased user has no email or name. */
  readonly status?: UserStatus | null | undefined;
  /** Used for new users only. The default is now. */
  readonly createdAt?: EpochMs | null | undefined;
  readonly updatedAt?: EpochMs | null | undefined;
}

export interface UserRecord extends LoadedUserRecord {
  readonly password: string;
}

/** A disabled user cannot sign in until enabled again; a deleted one is erased. */
export const USER_STATUSES = ['invited', 'active', 'disabled', 'deleted'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export interface LoadedApiKeyRecord {
  readonly kind: 'apiKey';
  readonly id: ApiKeyId;
  /** `fsk_...`. Null if `keySha256` is given. */
  readonly key: string | null;
  readonly keySha256?: string | null | undefined;
  readonly userId: UserId;
  readonly name: string;
  readonly orgId: OrgId | null;
  readonly permissions: readonly string[];
  readonly expiresAt: EpochMs | null;
  /** A load never clears it: a revoked key stays revoked. */
  readonly revokedAt?: EpochMs | null | undefined;
  /** Used for new keys only. The default is now. */
  readonly createdAt?: EpochMs | null | undefined;
}

export interface ApiKeyRecord extends LoadedApiKeyRecord {
  readonly key: string;
}

/** Appears only in dumps. */
export interface EnrolmentKeyRecord extends EnrolmentKey {
  readonly kind: 'enrolmentKey';
  readonly keySha256: string;
  readonly revokedAt: EpochMs | null;
}

/** Contract: §3, custom fields. */
export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'dropdown', 'date'] as const;
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** One organization, or a partner with all of its organizations. */
export type Owner =
  | { readonly kind: 'organization'; readonly orgId: OrgId }
  | { readonly kind: 'partner'; readonly partnerId: PartnerId };

/** A custom field as stored. Filters read it as a `CustomFieldDefinition`. */
export interface CustomFieldRecord {
  readonly kind: 'customField';
  readonly id: CustomFieldId;
  readonly owner: Owner;
  /** `[a-z][a-z0-9_]*`; filters name the field `custom.<key>`. */
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** Dropdown values; empty for other types. */
  readonly choices: readonly string[];
}

/** Contract: §9, "The load file". */
export const PATCH_STATUSES = ['pending', 'installed', 'failed'] as const;
export type PatchStatus = (typeof PATCH_STATUSES)[number];

/** The id is null if the record had none. */
export interface Patch extends DevicePatch {
  readonly id: PatchId | null;
}

/** The machine behind a device, and its agent. An absent member does not change the stored value. */
export interface MachineRecord {
  /** Every `deviceid` that the agent has reported. */
  readonly inventoryIds?: readonly string[];
  readonly systemUuid?: string | null | undefined;
  /** Past serial numbers, UUIDs and MAC addresses. */
  readonly knownKeys?: readonly RememberedKey[];
  readonly reportsSince?: EpochMs | null | undefined;
  /**
   * Whether the agent makes contact between reports. If absent, a known device keeps its value; a new one gets false.
   */
  readonly makesContact?: boolean | null | undefined;
  readonly inventoriedAt?: EpochMs | null | undefined;
}

/** The two counters are missing, because they are derived when the device is stored. */
export type DeviceRecord = { readonly kind: 'device'; readonly patches: readonly Patch[] | null } & Omit<
  Device,
  'patches' | 'pendingPatchCount' | 'criticalAlertCount'
> &
  MachineRecord;

/** A partner's script is visible in all its organizations. */
export interface ScriptRecord {
  readonly kind: 'script';
  readonly id: ScriptId;
  readonly owner: Owner;
  readonly name: string;
  readonly description: string | null;
}

/** Most severe first. */
export const ALERT_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** Contract: §9, "The load file". */
export const ALERT_STATUSES = ['active', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export interface AlertRecord {
  readonly kind: 'alert';
  readonly id: AlertId;
  readonly orgId: OrgId;
  readonly deviceId: DeviceId | null;
  readonly title: string;
  readonly message: string | null;
  readonly severity: AlertSeverity;
  readonly status: AlertStatus;
  /** If null, a known alert keeps its time; a new one gets the time of loading. */
  readonly createdAt: EpochMs | null;
}

export interface FilterRecord {
  readonly kind: 'filter';
  readonly id: FilterId;
  /** Null for a partner's filter. */
  readonly orgId: OrgId | null;
  /** Null for an organization's filter. */
  readonly partnerId: PartnerId | null;
  readonly name: string;
  readonly description: string | null;
  readonly conditions: unknown;
  readonly createdBy: UserId;
  /** These three are used for new filters only. The defaults are now, now and 1. */
  readonly createdAt?: EpochMs | null | undefined;
  readonly updatedAt?: EpochMs | null | undefined;
  readonly version?: number | null | undefined;
}

/** Appears only in dumps. An existing request is never overwritten. */
export interface DeletionRequestRecord {
  readonly kind: 'deletionRequest';
  readonly id: DeletionRequestId;
  readonly request: DeletionRequest;
  readonly failures: number;
  readonly problem: string | null;
  readonly nextAttemptAt: EpochMs | null;
  /** When administrators were reminded of the pending request. */
  readonly remindedAt: EpochMs | null;
}

/** Appears only in dumps. An existing entry is never overwritten. */
export type AuditEntryRecord = { readonly kind: 'auditEntry' } & AuditEntry;

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
