/** What every writer of alerts promises. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { AlertId, OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anAlert, anAuditEntry, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testAlertWriter(backend: () => ContractBackend): void {
  const setStatus = (id: AlertId, status: AlertStatus, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, async (tx) => {
      if ((await tx.alerts.findForUpdate(id)) === null) throw new Error('the alert was not found');
      await tx.alerts.setStatus(id, status);
    });

  /** Hosts with active critical alerts, by the filter, the list of devices and the summary. */
  const critical = async (orgId: OrgId) => {
    const scope = orgScope(orgId);
    const filtered = await findHostnames(
      backend(),
      scope,
      and({ field: 'alerts.critical', operator: 'equals', value: true }),
    );
    const summary = await backend().fleetCounter.summary(
      { scope, onBehalfOf: 'somebody' },
      { days7: 0, days30: 0 },
    );
    return { filtered, active: summary.ok ? summary.value.alerts.critical : null };
  };

  describe('AlertWriter', () => {
    test('sets the status, and filters and the summary follow it', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3' });
      const [one, two] = [anAlert({ orgId, deviceId: device.id }), anAlert({ orgId, deviceId: device.id })];
      const high = anAlert({ orgId, deviceId: device.id, severity: 'high' });
      const alone = anAlert({ orgId });
      await loadFleet(backend(), [device, one, two, high, alone]);
      const counts = async () => {
        const found = await backend().deviceReader.find(orgScope(orgId), device.id);
        return { count: found?.device.criticalAlertCount, ...(await critical(orgId)) };
      };
      expect(await counts()).toStrictEqual({ count: 2, filtered: ['till-3'], active: 3 });
      await setStatus(one.id, 'acknowledged', orgScope(orgId));
      await setStatus(high.id, 'resolved');
      expect(await counts()).toStrictEqual({ count: 1, filtered: ['till-3'], active: 2 });
      await setStatus(two.id, 'resolved');
      await setStatus(alone.id, 'acknowledged');
      await setStatus(one.id, 'resolved');
      expect(await counts()).toStrictEqual({ count: 0, filtered: [], active: 0 });
      await setStatus(two.id, 'active');
      expect(await counts()).toStrictEqual({ count: 1, filtered: ['till-3'], active: 1 });
      const alert = await backend().fleetLists.alert(orgScope(orgId), one.id);
      expect(alert?.status).toBe('resolved');
    });

    test('finds alerts in reach only', async () => {
      const [{ orgId }, other] = [await createTenant(backend()), await createTenant(backend())];
      const alert = anAlert({ orgId });
      await loadFleet(backend(), [alert]);
      const find = (scope: AccessScope, id: AlertId) =>
        backend().unitOfWork(scope, (tx) => tx.alerts.findForUpdate(id));
      expect(await find(orgScope(orgId), alert.id)).toStrictEqual({ id: alert.id, orgId, status: 'active' });
      expect(await find(orgScope(other.orgId), alert.id)).toBeNull();
      expect(await find(SYSTEM_SCOPE, newId())).toBeNull();
      const sneaked = backend().unitOfWork(orgScope(other.orgId), (tx) =>
        tx.alerts.setStatus(alert.id, 'resolved'),
      );
      await expect(sneaked).rejects.toThrow('there is no alert');
    });

    test('loses no concurrent change', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3' });
      const alerts = Array.from({ length: 8 }, () => anAlert({ orgId, deviceId: device.id }));
      await loadFleet(backend(), [device, ...alerts]);
      await Promise.all(alerts.slice(1).map(({ id }) => setStatus(id, 'acknowledged')));
      const found = await backend().deviceReader.find(orgScope(orgId), device.id);
      expect(found?.device.criticalAlertCount).toBe(1);
    });

    test('changes nothing if the transaction fails', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3' });
      const alert = anAlert({ orgId, deviceId: device.id });
      await loadFleet(backend(), [device, alert]);
      const failing = backend().unitOfWork(orgScope(orgId), async (tx) => {
        await tx.alerts.findForUpdate(alert.id);
        await tx.alerts.setStatus(alert.id, 'resolved');
        await tx.audit(anAuditEntry());
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await critical(orgId)).toStrictEqual({ filtered: ['till-3'], active: 1 });
    });
  });
}
