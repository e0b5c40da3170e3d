/** Generates the fleet as records of a load. */
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { FleetRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import { drawAlert, drawDevice } from './fleet-device.ts';
import { fleetId } from './fleet-id.ts';
import {
  API_KEYS,
  type FleetPlan,
  ORGANIZATION_COUNT,
  orgIdAt,
  PARTNER_COUNT,
  partnerIdOf,
  SCRIPT_COUNT,
} from './fleet-plan.ts';
import { drawScript } from './fleet-script.ts';

/** Tenants and users first, then devices in order of enrolment, which mixes organizations. */
export function* fleetRecords(plan: FleetPlan): Generator<LocatedRecord> {
  let line = 0;
  for (const record of records(plan)) yield { record, line: ++line, member: record.kind };
}

function* records(plan: FleetPlan): Generator<FleetRecord> {
  for (let n = 0; n < PARTNER_COUNT; n++) {
    yield { kind: 'partner', id: fleetId('partner', n), name: `Partner ${n + 1}` };
  }
  for (let rank = 0; rank < ORGANIZATION_COUNT; rank++) {
    yield {
      kind: 'organization',
      id: orgIdAt(rank),
      partnerId: partnerIdOf(rank),
      name: `Organization ${rank + 1}`,
    };
  }
  yield* people();
  for (let n = 0; n < SCRIPT_COUNT; n++) yield drawScript(n);
  for (let n = 0; n < plan.devices; n++) {
    const device = drawDevice(plan, n);
    yield device;
    const alert = drawAlert(device, n);
    if (alert !== null) yield alert;
  }
}

function* people(): Generator<FleetRecord> {
  const memberships = {
    all: { scope: 'system' },
    small: { scope: 'organization', orgId: orgIdAt(150) },
  } as const satisfies Record<keyof typeof API_KEYS, UserRecord['membership']>;
  let n = 0;
  for (const [name, membership] of Object.entries(memberships)) {
    const userId = fleetId('user', n);
    yield {
      kind: 'user',
      id: userId,
      email: `${name}@example.com`,
      name: `User of ${name}`,
      password: `the password of ${name}`,
      membership,
      permissions: [],
      isPlatformAdmin: false,
      totpSecret: null,
    };
    yield {
      kind: 'apiKey',
      id: fleetId('api-key', n),
      key: API_KEYS[name as keyof typeof API_KEYS],
      userId,
      name: `Key of ${name}`,
      orgId: null,
      permissions: [],
      expiresAt: null,
    };
    n++;
  }
}
