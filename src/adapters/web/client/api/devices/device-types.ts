/** Devices as the API answers them (Contract: §10). Instants are ISO 8601. */
import type { Page } from '#console/api/types.ts';
import type {
  CustomValue,
  DeviceHardware,
  DeviceMetrics,
  DeviceRole,
  DeviceStatus,
  OsType,
} from '#domain/device/device.ts';
import type { AlertSeverity, CustomFieldType, PatchStatus } from '#domain/fleet/fleet-record.ts';

export interface DeviceRow {
  readonly id: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly hostname: string;
  readonly displayName: string | null;
  readonly status: DeviceStatus;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly deviceRole: DeviceRole;
  readonly lastUser: string | null;
  readonly tags: readonly string[];
  readonly lastSeenAt: string | null;
  readonly enrolledAt: string | null;
  readonly metrics: DeviceMetrics;
  readonly patchesPending: boolean;
  readonly alertsCritical: boolean;
  readonly rebootRequired: boolean;
}

export interface DevicePage extends Page<DeviceRow> {
  /** Null on later pages. */
  readonly totalCount: number | null;
  readonly evaluatedAt: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Device extends DeviceRow {
  readonly organization: Named;
  readonly site: Named | null;
  readonly agentVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: string | null;
  readonly lastSeenIp: string | null;
  readonly isHeadless: boolean | null;
  readonly uptimeSeconds: number | null;
  readonly watchdogStatus: string | null;
  readonly quarantinedAt: string | null;
  readonly hardware: DeviceHardware | null;
  readonly network: readonly {
    readonly ipAddress: string | null;
    readonly publicIp: string | null;
    readonly macAddress: string | null;
  }[];
  readonly software: readonly { readonly name: string; readonly version: string | null }[];
  readonly patches: readonly { readonly title: string; readonly status: PatchStatus }[];
  readonly alerts: readonly {
    readonly id: string;
    readonly title: string;
    readonly message: string | null;
    readonly severity: AlertSeverity;
    readonly status: string;
    readonly createdAt: string;
  }[];
  readonly custom: readonly {
    readonly key: string;
    readonly name: string;
    readonly type: CustomFieldType;
    readonly value: unknown;
  }[];
}

/** What people can change of a device; what is absent stays. */
export interface DeviceChanges {
  readonly displayName?: string | null;
  readonly tags?: readonly string[];
  /** By key; null removes a value. */
  readonly custom?: Readonly<Record<string, CustomValue>>;
  readonly status?: 'maintenance' | 'decommissioned' | 'offline';
}
