/** What every summary promises. */
import fc from 'fast-check';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertRecord,
  type DeviceRecord,
} from '#domain/fleet/fleet-record.ts';
import { type FleetSummary, seenSince } from '#domain/fleet/fleet-summary.ts';
import type { OrgId } from '#domain/ids.ts';
import { DAY_MS } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, namedOwners, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anAlert, newId, orgScope, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeCounterQuestions } from './ask-counter.ts';

export function testSummary(backend: () => ContractBackend): void {
  const { summary } = makeCounterQuestions(backend);

  describe('FleetCounter: summary', () => {
    test('has a zero for every value of an empty organization', async () => {
      const { orgId } = await createTenant(backend());
      const nothing = summaryOf([], []);
      expect(Object.keys(nothing.devices.byStatus)).toStrictEqual([...DEVICE_STATUSES]);
      expect(Object.keys(nothing.devices.byRole)).toStrictEqual([...DEVICE_ROLES]);
      expect(Object.keys(nothing.devices.byOsType)).toStrictEqual([...OS_TYPES]);
      expect(await summary(orgScope(orgId))).toStrictEqual(nothing);
      expect(await summary({ kind: 'none' })).toStrictEqual(nothing);
    });

    // A caller that reaches everything also sees other suites' devices, so only differences are compared.
    test.each(REACH)('for %s, only devices and alerts in reach are counted', async (_, scopeOf, expected) => {
      const tenants = await createTenants(backend());
      const scope = scopeOf(tenants);
      const before = await summary(scope);
      const { orgs } = namedOwners(tenants);
      const device = (orgId: OrgId) =>
        aDevice({ orgId, status: 'updating', osType: 'macos', deviceRole: 'camera', rebootRequired: true });
      await loadFleet(
        backend(),
        Object.values(orgs).flatMap((orgId) => [device(orgId), anAlert({ orgId })]),
      );
      const after = await summary(scope);
      const ofOrgs = expected.filter((name) => Object.hasOwn(orgs, name)).length;
      const growth = (read: (summary: FleetSummary) => number) => read(after) - read(before);
      expect([
        growth(({ devices }) => devices.total),
        growth(({ devices }) => devices.byStatus.updating),
        growth(({ devices }) => devices.byOsType.macos),
        growth(({ devices }) => devices.byRole.camera),
        growth(({ neverSeen }) => neverSeen),
        growth(({ rebootRequired }) => rebootRequired),
        growth(({ alerts }) => alerts.critical),
      ]).toStrictEqual(Array(7).fill(ofOrgs));
    });

    test('counts devices not seen within the days, and separately devices never seen', async () => {
      const { orgId } = await createTenant(backend());
      const { days7, days30 } = seenSince(SOME_INSTANT);
      expect([SOME_INSTANT - days7, SOME_INSTANT - days30]).toStrictEqual([7 * DAY_MS, 30 * DAY_MS]);
      const seen = [days7, days7 - 1, days30, days30 - 1, null, SOME_INSTANT, SOME_INSTANT + DAY_MS];
      await loadFleet(
        backend(),
        seen.map((lastSeenAt) => aDevice({ orgId, lastSeenAt })),
      );
      const { notSeen, neverSeen } = await summary(orgScope(orgId));
      expect({ ...notSeen, neverSeen }).toStrictEqual({ days7: 3, days30: 1, neverSeen: 1 });
    });

    test('follows its definition for random fleets', async () => {
      await fc.assert(
        fc.asyncProperty(DEVICES, ALERTS, async (drawnDevices, drawnAlerts) => {
          const { partnerId, orgIds } = await createTenant(backend(), 3);
          const orgAt = (i: number) => orgIds[i % 3] as OrgId;
          const devices = drawnDevices.map(({ pending, ...device }, i) =>
            aDevice({
              ...device,
              orgId: orgAt(i),
              patches: Array.from({ length: pending }, () => ({
                id: newId(),
                title: 'KB1',
                status: 'pending' as const,
              })),
            }),
          );
          const alerts = drawnAlerts.map((alert, i) => anAlert({ ...alert, orgId: orgAt(i) }));
          await loadFleet(backend(), [...devices, ...alerts]);
          for (const reached of [orgIds, orgIds.slice(1), orgIds.slice(2)]) {
            const isReached = ({ orgId }: { readonly orgId: OrgId }) => reached.includes(orgId);
            expect(await summary(partnerScope(partnerId, reached))).toStrictEqual(
              summaryOf(devices.filter(isReached), alerts.filter(isReached)),
            );
          }
        }),
        { numRuns: 10 },
      );
    });
  });
}

const DEVICES = fc.array(
  fc.record({
    status: fc.constantFrom(...DEVICE_STATUSES),
    osType: fc.option(fc.constantFrom(...OS_TYPES)),
    deviceRole: fc.constantFrom(...DEVICE_ROLES),
    lastSeenAt: fc.option(fc.integer({ min: SOME_INSTANT - 60 * DAY_MS, max: SOME_INSTANT })),
    rebootRequired: fc.boolean(),
    pending: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 25 },
);

const ALERTS = fc.array(
  fc.record({
    severity: fc.constantFrom(...ALERT_SEVERITIES),
    status: fc.constantFrom('active', ...ALERT_STATUSES),
  }),
  { maxLength: 25 },
);

/** The plain definition, as of `SOME_INSTANT`. */
function summaryOf(devices: readonly DeviceRecord[], alerts: readonly AlertRecord[]): FleetSummary {
  const count = (isSo: (device: DeviceRecord) => boolean) => devices.filter(isSo).length;
  const countUsed = (isSo: (device: DeviceRecord) => boolean) =>
    count((device) => device.status !== 'decommissioned' && isSo(device));
  const countEach = <const W extends string>(words: readonly W[], read: (device: DeviceRecord) => W | null) =>
    Object.fromEntries(words.map((word) => [word, count((device) => read(device) === word)])) as Record<
      W,
      number
    >;
  const notSeen = (days: number) =>
    countUsed(({ lastSeenAt }) => lastSeenAt !== null && lastSeenAt < SOME_INSTANT - days * DAY_MS);
  const active = (severity: AlertRecord['severity']) =>
    alerts.filter((alert) => alert.status === 'active' && alert.severity === severity).length;
  return {
    devices: {
      total: devices.length,
      byStatus: countEach(DEVICE_STATUSES, ({ status }) => status),
      byOsType: countEach(OS_TYPES, ({ osType }) => osType),
      byRole: countEach(DEVICE_ROLES, ({ deviceRole }) => deviceRole),
    },
    notSeen: { days7: notSeen(7), days30: notSeen(30) },
    neverSeen: countUsed(({ lastSeenAt }) => lastSeenAt === null),
    alerts: { critical: active('critical'), high: active('high') },
    patchesPending: countUsed(({ patches }) => patches?.some(({ status }) => status === 'pending') ?? false),
    rebootRequired: countUsed(({ rebootRequired }) => rebootRequired),
  };
}
