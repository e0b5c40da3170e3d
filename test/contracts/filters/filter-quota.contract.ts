/** What every store of saved filters promises about the quotas of organizations (Contract: §5). */
import { setImmediate } from 'node:timers/promises';
import type { FilterRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { placesOf } from '#test/contracts/fleet/fleet-writer/write-fleet.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aFilter, aSavedFilter, located, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const MIB = 1_048_576;

export function testFilterQuota(backend: () => ContractBackend): void {
  const filterOf = ({ orgId, userId }: Tenant, given: Partial<FilterRecord> = {}) =>
    aFilter({ orgId, createdBy: userId, ...given });

  /** Conditions with this many bytes, in characters of one and three bytes. */
  const conditionsOf = (bytes: number) => {
    const conditionsWith = (value: string) => ({
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'equals', value }],
    });
    const room = bytes - Buffer.byteLength(JSON.stringify(conditionsWith('')));
    return conditionsWith(`${'€'.repeat(Math.floor(room / 3))}${'x'.repeat(room % 3)}`);
  };

  const orgOwner = (orgId: OrgId): Owner => ({ kind: 'organization', orgId });
  const usageIn = ({ orgId }: Tenant) =>
    backend().unitOfWork(orgScope(orgId), (tx) => tx.filters.holdUsage(orgOwner(orgId)));

  describe('SavedFilterWriter.holdUsage', () => {
    test('counts the filters of the organization and the bytes of their conditions', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      expect(await usageIn(tenant)).toStrictEqual({ filters: 0, conditionBytes: 0 });
      await loadFleet(backend(), [
        filterOf(tenant, { conditions: conditionsOf(1_000) }),
        filterOf(tenant, { conditions: conditionsOf(501) }),
        filterOf(other),
      ]);
      expect(await usageIn(tenant)).toStrictEqual({ filters: 2, conditionBytes: 1_501 });
    });

    test('counts what its own transaction has changed', async () => {
      const tenant = await createTenant(backend());
      const { orgId, userId } = tenant;
      await loadFleet(backend(), [filterOf(tenant), filterOf(tenant)]);
      const [gone] = await Array.fromAsync(backend().filters.list(orgScope(orgId)));
      await backend().unitOfWork(orgScope(orgId), async (tx) => {
        await tx.filters.add(aSavedFilter({ orgId, createdBy: userId }));
        expect((await tx.filters.holdUsage(orgOwner(orgId))).filters).toBe(3);
        await tx.filters.findForUpdate(gone?.id ?? newId());
        await tx.filters.remove(gone?.id ?? newId());
        expect((await tx.filters.holdUsage(orgOwner(orgId))).filters).toBe(2);
      });
    });

    test('refuses an organization out of reach', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      const asked = backend().unitOfWork(orgScope(other.orgId), (tx) =>
        tx.filters.holdUsage(orgOwner(tenant.orgId)),
      );
      await expect(asked).rejects.toThrow('out of reach');
    });

    test('is held by one transaction at a time, which sees what the previous one added', async () => {
      const tenant = await createTenant(backend());
      const { orgId, userId } = tenant;
      const addOne = () =>
        backend().unitOfWork(orgScope(orgId), async (tx) => {
          const { filters } = await tx.filters.holdUsage(orgOwner(orgId));
          await setImmediate();
          await tx.filters.add(aSavedFilter({ orgId, createdBy: userId }));
          return filters;
        });
      const seen = await Promise.all(Array.from({ length: 6 }, addOne));
      expect(seen.toSorted()).toStrictEqual([0, 1, 2, 3, 4, 5]);
    });

    test('is held for several organizations in one transaction', async () => {
      const tenant = await createTenant(backend(), 2);
      const other = tenant.orgIds[1] ?? newId();
      const usage = await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => [
        await tx.filters.holdUsage(orgOwner(tenant.orgId)),
        await tx.filters.holdUsage(orgOwner(other)),
      ]);
      expect(usage).toHaveLength(2);
    });
  });

  describe('FleetWriter, quotas of filters', () => {
    const write = (...records: readonly FilterRecord[]) => backend().fleetWriter(located(records));

    test('takes a thousand filters of one organization repeatedly, and refuses one more', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      const filters = Array.from({ length: 1_000 }, () => filterOf(tenant));
      expect(placesOf(await write(...filters))).toStrictEqual([]);
      expect(placesOf(await write(...filters))).toStrictEqual([]);
      const next = await write(filterOf(other), filterOf(tenant));
      expect(next).toStrictEqual({
        ok: false,
        error: [
          {
            line: 2,
            member: 'filter.orgId',
            message:
              'an organization holds at most 1,000 saved filters; this one has 1,000, and this would add 1',
          },
        ],
      });
      expect((await usageIn(other)).filters).toBe(0);
    });

    test('takes 64 MiB of conditions, and names the filter that exceeds them', async () => {
      const tenant = await createTenant(backend());
      const filters = Array.from({ length: 64 }, () => filterOf(tenant, { conditions: conditionsOf(MIB) }));
      expect(placesOf(await write(...filters, filterOf(tenant)))).toStrictEqual(['65 filter.conditions']);
      expect(placesOf(await write(...filters))).toStrictEqual([]);
      expect((await usageIn(tenant)).conditionBytes).toBe(64 * MIB);
      const [first, second] = filters as [FilterRecord, FilterRecord];
      const grown = { ...first, conditions: conditionsOf(MIB + 1) };
      expect(placesOf(await write(grown))).toStrictEqual(['1 filter.conditions']);
      // A filter that shrinks makes room for another, in any order.
      expect(placesOf(await write(grown, { ...second, conditions: conditionsOf(MIB - 1) }))).toStrictEqual(
        [],
      );
    });

    test('counts the filters of a partner separately', async () => {
      const tenant = await createTenant(backend());
      const wide = () => filterOf(tenant, { orgId: null, partnerId: tenant.partnerId });
      expect(placesOf(await write(...Array.from({ length: 1_000 }, wide), filterOf(tenant)))).toStrictEqual(
        [],
      );
      expect((await usageIn(tenant)).filters).toBe(1);
      expect(await write(wide())).toMatchObject({
        error: [
          {
            member: 'filter.partnerId',
            message: 'a partner holds at most 1,000 saved filters; this one has 1,000, and this would add 1',
          },
        ],
      });
    });

    test('accepts only one of two concurrent loads if there is room for one', async () => {
      const tenant = await createTenant(backend());
      await loadFleet(
        backend(),
        Array.from({ length: 999 }, () => filterOf(tenant)),
      );
      const outcomes = await Promise.all([write(filterOf(tenant)), write(filterOf(tenant))]);
      expect(outcomes.map(({ ok }) => ok).toSorted()).toStrictEqual([false, true]);
    });
  });
}
