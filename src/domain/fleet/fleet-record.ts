/**
 * The records of a fleet: the validated form of a load file's lines, which the demo produces as well (Contract: §9,
 * "The load file"). Records are upserted by id.
 */
import type { Device } from '#domain/device/device.ts';
import type {
  AlertId,
  ApiKeyId,
  CustomFieldId,
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

export interface UserRecord {
  readonly kind: 'user';
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  /** As typed, 8 to 256 characters; it is hashed before it is stored. */
  readonly password: string;
  readonly membership: Membership;
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
  /** Base32; null if MFA is not enrolled. */
  readonly totpSecret: string | null;
}

export interface ApiKeyRecord {
  readonly kind: 'apiKey';
  readonly id: ApiKeyId;
  /** The key itself, `fsk_...`; only its SHA-256 is stored. */
  readonly key: string;
  readonly userId: UserId;
  readonly name: string;
  /** Narrows the key to this organization. */
  readonly orgId: OrgId | null;
  /** Empty if none were listed. */
  readonly permissions: readonly string[];
  readonly expiresAt: EpochMs | null;
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

export const PATCH_STATUSES = ['pending', 'installed', 'failed'] as const;
export type PatchStatus = (typeof PATCH_STATUSES)[number];

export interface Patch {
  readonly id: PatchId | null;
  readonly title: string;
  readonly status: PatchStatus;
}

/** A device with its patches; the two counters are derived when it is stored. */
export type DeviceRecord = { readonly kind: 'device'; readonly patches: readonly Patch[] } & Omit<
  Device,
  'pendingPatchCount' | 'criticalAlertCount'
>;

export interface ScriptRecord {
  readonly kind: 'script';
  readonly id: ScriptId;
  readonly owner: Owner;
  readonly name: string;
  readonly description: string | null;
}

export const ALERT_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

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
  /** Null if not given: an alert that is known keeps its own, a new one was created when it is loaded. */
  readonly createdAt: EpochMs | null;
}

export interface FilterRecord {
  readonly kind: 'filter';
  readonly id: FilterId;
  readonly orgId: OrgId;
  readonly name: string;
  readonly description: string | null;
  /** The tree as sent; it is checked against its organization's catalogue when stored. */
  readonly conditions: unknown;
  readonly createdBy: UserId;
}

export type FleetRecord =
  | PartnerRecord
  | OrganizationRecord
  | SiteRecord
  | UserRecord
  | ApiKeyRecord
  | CustomFieldRecord
  | DeviceRecord
  | ScriptRecord
  | AlertRecord
  | FilterRecord;
