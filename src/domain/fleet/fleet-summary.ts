import {
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type Device,
  type DeviceRole,
  type DeviceStatus,
  OS_TYPES,
  type OsType,
} from '#domain/device/device.ts';
import { startOfSpan } from '#domain/filter/values/time-span.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AlertRecord } from './fleet-record.ts';

/** The severities that the summary counts. */
export const URGENT_SEVERITIES = ['critical', 'high'] as const;
export type UrgentSeverity = (typeof URGENT_SEVERITIES)[number];

/** Counts of devices, unless a name says otherwise (Contract: §10, GET /summary). */
export interface FleetSummary {
  readonly devices: {
    readonly total: number;
    readonly byStatus: Readonly<Record<DeviceStatus, number>>;
    /** Other systems count in `total` only. */
    readonly byOsType: Readonly<Record<OsType, number>>;
    readonly byRole: Readonly<Record<DeviceRole, number>>;
  };
  /**
   * Devices last seen more than 7 or 30 days ago. Of the counts from here on, only `alerts` includes
   * decommissioned devices.
   */
  readonly notSeen: { readonly days7: number; readonly days30: number };
  readonly neverSeen: number;
  /** Active alerts. */
  readonly alerts: Readonly<Record<UrgentSeverity, number>>;
  readonly patchesPending: number;
  readonly rebootRequired: number;
}

/** Counts devices with the same status, system and role. */
export interface DeviceTally {
  readonly status: DeviceStatus;
  readonly osType: OsType | null;
  readonly role: DeviceRole;
  readonly devices: number;
  readonly notSeenDays7: number;
  readonly notSeenDays30: number;
  readonly neverSeen: number;
  readonly patchesPending: number;
  readonly rebootRequired: number;
}

const SUMMED = [
  'notSeenDays7',
  'notSeenDays30',
  'neverSeen',
  'patchesPending',
  'rebootRequired',
] as const satisfies readonly (keyof DeviceTally)[];

export interface AlertTally {
  readonly severity: UrgentSeverity;
  readonly alerts: number;
}

/** A device last seen at or after `days7` was seen within the last 7 days; `days30` is for 30 days. */
export interface SeenSince {
  readonly days7: EpochMs;
  readonly days30: EpochMs;
}

/** The bounds of `lastSeenAt withinLast 7 days` and `30 days`. */
export function seenSince(at: EpochMs): SeenSince {
  return { days7: startOfDays(7, at), days30: startOfDays(30, at) };
}

/** Counts one device. */
export function tallyDevice(device: Device, { days7, days30 }: SeenSince): DeviceTally {
  const { status, osType, deviceRole: role, lastSeenAt, pendingPatchCount, rebootRequired } = device;
  return {
    status,
    osType,
    role,
    devices: 1,
    notSeenDays7: Number(lastSeenAt !== null && lastSeenAt < days7),
    notSeenDays30: Number(lastSeenAt !== null && lastSeenAt < days30),
    neverSeen: Number(lastSeenAt === null),
    patchesPending: Number(pendingPatchCount > 0),
    rebootRequired: Number(rebootRequired),
  };
}

/** Whether the alert is active and urgent. */
export function isUrgent<A extends Pick<AlertRecord, 'severity' | 'status'>>(
  alert: A,
): alert is A & { readonly severity: UrgentSeverity } {
  return alert.status === 'active' && URGENT_SEVERITIES.some((severity) => severity === alert.severity);
}

/** Adds up tallies. The summary lists every enumeration value, zeroes included. */
export class SummarySums {
  readonly #byStatus = zeroes(DEVICE_STATUSES);
  readonly #byOsType = zeroes(OS_TYPES);
  readonly #byRole = zeroes(DEVICE_ROLES);
  readonly #alerts = zeroes(URGENT_SEVERITIES);
  readonly #sums = zeroes(SUMMED);
  #total = 0;

  addDevices(tally: DeviceTally): void {
    this.#total += tally.devices;
    this.#byStatus[tally.status] += tally.devices;
    if (tally.osType !== null) this.#byOsType[tally.osType] += tally.devices;
    this.#byRole[tally.role] += tally.devices;
    if (tally.status === 'decommissioned') return;
    for (const name of SUMMED) this.#sums[name] += tally[name];
  }

  addAlerts({ severity, alerts }: AlertTally): void {
    this.#alerts[severity] += alerts;
  }

  get summary(): FleetSummary {
    const { notSeenDays7, notSeenDays30, neverSeen, patchesPending, rebootRequired } = this.#sums;
    return {
      devices: {
        total: this.#total,
        byStatus: { ...this.#byStatus },
        byOsType: { ...this.#byOsType },
        byRole: { ...this.#byRole },
      },
      notSeen: { days7: notSeenDays7, days30: notSeenDays30 },
      neverSeen,
      alerts: { ...this.#alerts },
      patchesPending,
      rebootRequired,
    };
  }
}

function zeroes<const W extends string>(words: readonly W[]): Record<W, number> {
  return Object.fromEntries(words.map((word) => [word, 0])) as Record<W, number>;
}

function startOfDays(amount: number, at: EpochMs): EpochMs {
  return startOfSpan({ amount, unit: 'days' }, at) ?? Number.NEGATIVE_INFINITY;
}
