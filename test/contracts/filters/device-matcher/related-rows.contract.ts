/** What every matcher promises of custom fields, alerts and patches. */
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, aDevice, anAlert, orgScope, partnerScope } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeMatcherQuestions } from './ask-matcher.ts';

const CRITICAL = and({ field: 'alerts.critical', operator: 'equals', value: true });
const PATCHES_PENDING = and({ field: 'patches.pending', operator: 'equals', value: true });

export function testMatcherRelatedRows(backend: () => ContractBackend): void {
  const { hostnames } = makeMatcherQuestions(backend);

  describe('DeviceMatcher and custom fields', () => {
    test("reads a key by the organization's own definition before its partner's", async () => {
      const tenant = await createTenant(backend(), 2);
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const ofPartner = aCustomField({
        owner: { kind: 'partner', partnerId: tenant.partnerId },
        key: 'seats',
        type: 'number',
      });
      const ofOrg = aCustomField({ owner: { kind: 'organization', orgId: two }, key: 'seats', type: 'text' });
      const devicesOf = (orgId: OrgId, name: string) => [
        aDevice({ orgId, hostname: `${name}-number`, custom: new Map([['seats', 5]]) }),
        aDevice({ orgId, hostname: `${name}-text`, custom: new Map([['seats', '5']]) }),
      ];
      await loadFleet(backend(), [ofPartner, ofOrg, ...devicesOf(one, 'one'), ...devicesOf(two, 'two')]);
      const isFive = and({ field: 'custom.seats', operator: 'equals', value: '5' });
      expect(await hostnames(orgScope(one), isFive)).toStrictEqual(['one-number']);
      expect(await hostnames(orgScope(two), isFive)).toStrictEqual(['two-text']);
    });

    test('reads a key in each organization by the definition that applies there', async () => {
      const tenant = await createTenant(backend(), 3);
      const [one, two, three] = tenant.orgIds as [OrgId, OrgId, OrgId];
      const ring = (orgId: OrgId, choices: readonly string[]) =>
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'ring', type: 'dropdown', choices });
      const devicesOf = (orgId: OrgId, name: string) =>
        ['early', 'late'].map((value) =>
          aDevice({ orgId, hostname: `${name}-${value}`, custom: new Map([['ring', value]]) }),
        );
      await loadFleet(backend(), [
        ring(one, ['early']),
        ring(two, ['early', 'late']),
        ...devicesOf(one, 'one'),
        ...devicesOf(two, 'two'),
        ...devicesOf(three, 'three'),
      ]);
      const scope = partnerScope(tenant.partnerId, tenant.orgIds);
      const inRing = (value: string) => and({ field: 'custom.ring', operator: 'equals', value });
      expect(await hostnames(scope, inRing('early'))).toStrictEqual(['one-early', 'two-early']);
      // A value counts as missing if it is no choice of the organization or the field is undefined there.
      expect(await hostnames(scope, inRing('late'))).toStrictEqual(['two-late']);
      expect(
        await hostnames(scope, and({ field: 'custom.ring', operator: 'notIn', value: ['early', 'late'] })),
      ).toStrictEqual(['one-late', 'three-early', 'three-late']);
    });
  });

  describe('DeviceMatcher, alerts and patches', () => {
    const createDevice = async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'device' });
      const other = aDevice({ orgId, hostname: 'other' });
      await loadFleet(backend(), [device, other]);
      return { orgId, device, other, scope: orgScope(orgId) };
    };

    test.each([
      ['critical', 'active', ['device']],
      ['critical', 'acknowledged', []],
      ['critical', 'resolved', []],
      ['high', 'active', []],
      ['info', 'active', []],
    ] as const)('sees an alert that is %s and %s: %j', async (severity, status, expected) => {
      const { orgId, device, scope } = await createDevice();
      await loadFleet(backend(), [anAlert({ orgId, deviceId: device.id, severity, status })]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(expected);
    });

    test('ignores an alert that names no device', async () => {
      const { orgId, scope } = await createDevice();
      await loadFleet(backend(), [anAlert({ orgId })]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('matches until the last of two critical alerts ends', async () => {
      const { orgId, device, scope } = await createDevice();
      const alerts = [
        anAlert({ orgId, deviceId: device.id }),
        anAlert({ orgId, deviceId: device.id }),
      ] as const;
      await loadFleet(backend(), alerts);
      await loadFleet(backend(), [{ ...alerts[0], status: 'resolved' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(['device']);
      await loadFleet(backend(), [{ ...alerts[1], severity: 'high' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('counts an alert only once if it is loaded again', async () => {
      const { orgId, device, scope } = await createDevice();
      const alert = anAlert({ orgId, deviceId: device.id });
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [{ ...alert, status: 'resolved' }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('follows an alert from one device to another', async () => {
      const { orgId, device, other, scope } = await createDevice();
      const alert = anAlert({ orgId, deviceId: device.id });
      await loadFleet(backend(), [alert]);
      await loadFleet(backend(), [{ ...alert, deviceId: other.id }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual(['other']);
      await loadFleet(backend(), [{ ...alert, deviceId: null }]);
      expect(await hostnames(scope, CRITICAL)).toStrictEqual([]);
    });

    test('sees an alert that is loaded together with its device', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'device' });
      await loadFleet(backend(), [anAlert({ orgId, deviceId: device.id }), device]);
      expect(await hostnames(orgScope(orgId), CRITICAL)).toStrictEqual(['device']);
    });

    test.each([
      [[], []],
      [['pending'], ['device']],
      [['installed', 'pending', 'pending'], ['device']],
      [['installed', 'failed'], []],
    ] as const)('sees whether one of the patches %j is pending: %j', async (statuses, expected) => {
      const { device, scope } = await createDevice();
      const patches = statuses.map((status, i) => ({ id: null, title: `KB${i}`, status }));
      await loadFleet(backend(), [{ ...device, patches }]);
      expect(await hostnames(scope, PATCHES_PENDING)).toStrictEqual(expected);
    });
  });
}
