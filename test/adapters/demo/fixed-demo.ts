/** The demo at a fixed instant with fixed secrets. */

import type { DemoSecrets } from '#adapters/demo/demo-accounts.ts';
import { demoFleet } from '#adapters/demo/demo-fleet.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { Device } from '#domain/device/device.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { AlertRecord, DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const NOW: EpochMs = Date.UTC(2026, 1, 10, 8);

/** Passwords name their account; every API key is different. */
export function fixedSecrets(): DemoSecrets {
  let keys = 0;
  return {
    password: (title) => `password of ${title}`,
    totpSecret: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    apiKey: () => {
      keys += 1;
      return `fsk_${String(keys).padStart(43, '0')}`;
    },
  };
}

export function recordsAt(now: EpochMs): readonly FleetRecord[] {
  return [...demoFleet(now, fixedSecrets()).records].map(({ record }) => record);
}

export const RECORDS = recordsAt(NOW);

export function ofKind<K extends FleetRecord['kind']>(
  kind: K,
  records: readonly FleetRecord[] = RECORDS,
): readonly Extract<FleetRecord, { kind: K }>[] {
  return records.filter((record): record is Extract<FleetRecord, { kind: K }> => record.kind === kind);
}

/** The device as filters see it, with both counters derived. */
export function asDevice(record: DeviceRecord, alerts: readonly AlertRecord[]): Device {
  return {
    ...record,
    pendingPatchCount: record.patches?.filter(({ status }) => status === 'pending').length ?? 0,
    criticalAlertCount: alerts.filter(
      ({ deviceId, severity, status }) =>
        deviceId === record.id && severity === 'critical' && status === 'active',
    ).length,
  };
}

export function catalogOf(orgId: OrgId): FieldCatalog {
  const partnerId = ofKind('organization').find(({ id }) => id === orgId)?.partnerId;
  const fields = ofKind('customField').filter(({ owner }) => {
    switch (owner.kind) {
      case 'organization':
        return owner.orgId === orgId;
      case 'partner':
        return owner.partnerId === partnerId;
      default:
        return assertNever(owner);
    }
  });
  return buildCatalog(
    resolveCustomFields(
      fields.map(({ key, name, type, choices, owner }) => ({
        key,
        label: name,
        type,
        choices,
        owner: owner.kind,
        orgIds: [orgId],
      })),
    ),
  );
}
