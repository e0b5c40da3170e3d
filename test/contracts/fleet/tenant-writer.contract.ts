/** What every store of tenants promises to those who change them. */
import { NameTakenError, type Place, type PlaceKind } from '#application/ports/fleet/tenant-directory.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  aFilter,
  anOrganization,
  aSite,
  aUser,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testTenantWriter(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, work);
  const add = (kind: PlaceKind, parentId: string | null, name: string, scope?: AccessScope) => {
    const place: Place = { id: newId(), parentId, name };
    return transact(async (tx) => ((await tx.tenants.add(kind, place)) ? place : null), scope);
  };
  const find = (kind: PlaceKind, id: string, scope?: AccessScope) =>
    transact((tx) => tx.tenants.find(kind, id), scope);
  const rename = (kind: PlaceKind, place: Place, name: string) =>
    transact(async (tx) => {
      await tx.tenants.find(kind, place.id);
      await tx.tenants.rename(kind, { ...place, name });
    });

  describe('TenantWriter', () => {
    test('adds tenants only if the transaction commits', async () => {
      const partner = { id: newId<'partner'>(), name: `P ${newId()}` };
      const organization = { id: newId<'organization'>(), partnerId: partner.id, name: 'Globex' };
      const add = (fails: boolean) =>
        backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
          await tx.tenants.addPartner(partner);
          await tx.tenants.addOrganization(organization);
          const { partners, organizations } = await tx.tenants.hold();
          expect(partners).toContainEqual(partner);
          expect(organizations).toContainEqual(organization);
          if (fails) throw new Error('undone');
        });
      await expect(add(true)).rejects.toThrow('undone');
      expect((await backend().listTenants()).partners).not.toContainEqual(partner);
      await add(false);
      expect((await backend().listTenants()).partners).toContainEqual(partner);
      expect(await backend().organizationExists(organization.id)).toBe(true);
    });

    test('lets transactions that hold the tenants take turns, so that each sees what others added', async () => {
      const name = `Once ${newId()}`;
      await Promise.all(
        Array.from({ length: 4 }, () =>
          backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
            const { partners } = await tx.tenants.hold();
            const isThere = partners.some((partner) => partner.name === name);
            if (!isThere) await tx.tenants.addPartner({ id: newId(), name });
          }),
        ),
      );
      const { partners } = await backend().listTenants();
      expect(partners.filter((partner) => partner.name === name)).toHaveLength(1);
    });

    test('refuses addOrganization within a scope narrower than the system', async () => {
      const { orgId, partnerId } = await createTenant(backend());
      const added = backend().unitOfWork(orgScope(orgId), (tx) =>
        tx.tenants.addOrganization({ id: newId(), partnerId, name: 'Next' }),
      );
      await expect(added).rejects.toThrow();
    });

    test('finds partners, organizations and sites in reach, and no others', async () => {
      const tenants = await createTenants(backend());
      const { tenant, stranger, one, two } = tenants;
      const orgs = { one, two, stranger: stranger.orgId };
      const sites = Object.values(orgs).map((orgId) => aSite({ orgId }));
      await loadFleet(backend(), sites);
      for (const [caller, scopeOf, reached] of REACH) {
        const scope = scopeOf(tenants);
        for (const [name, orgId] of Object.entries(orgs)) {
          const found = await find('organization', orgId, scope);
          expect([caller, name, found !== null]).toStrictEqual([caller, name, reached.includes(name)]);
          const site = sites.find((each) => each.orgId === orgId);
          const ofSite = { id: site?.id, parentId: orgId, name: site?.name };
          expect([caller, await find('site', site?.id ?? '', scope)]).toStrictEqual([
            caller,
            reached.includes(name) ? ofSite : null,
          ]);
        }
      }
      const whole = partnerScope(tenant.partnerId, tenant.orgIds);
      expect(await find('partner', tenant.partnerId, whole)).toMatchObject({ parentId: null });
      expect(await find('partner', stranger.partnerId, whole)).toBeNull();
      expect(await find('partner', tenant.partnerId, orgScope(one))).toBeNull();
      expect(await find('organization', newId())).toBeNull();
    });

    test('adds places to parents that exist', async () => {
      const { partnerId, orgId, orgIds } = await createTenant(backend());
      const partner = await add('partner', null, `P ${newId()}`);
      expect(await find('partner', partner?.id ?? '')).toStrictEqual(partner);
      const organization = await add('organization', partnerId, 'Next', partnerScope(partnerId, orgIds));
      expect(await find('organization', organization?.id ?? '')).toStrictEqual(organization);
      const site = await add('site', orgId, 'Quay', orgScope(orgId));
      expect(await find('site', site?.id ?? '')).toStrictEqual(site);
      expect(await add('organization', newId(), 'Lost')).toBeNull();
      expect(await add('site', newId(), 'Lost')).toBeNull();
    });

    test('keeps names unique within their parent, in any case and after trimming', async () => {
      const [tenant, other] = [await createTenant(backend()), await createTenant(backend())];
      const partnerName = `Ærø ${newId()}`;
      const parents = {
        partner: [null, null, partnerName],
        organization: [tenant.partnerId, other.partnerId, 'Ærø'],
        site: [tenant.orgId, other.orgId, 'Ærø'],
      } as const;
      for (const kind of ['partner', 'organization', 'site'] as const) {
        const [parentId, otherParent, name] = parents[kind];
        const place = (await add(kind, parentId, name)) as Place;
        await expect(add(kind, parentId, ` ${name.toUpperCase()} `)).rejects.toThrow(NameTakenError);
        if (otherParent !== null) expect(await add(kind, otherParent, name)).not.toBeNull();
        const second = (await add(kind, parentId, `${name} 2`)) as Place;
        await expect(rename(kind, second, name.toLowerCase())).rejects.toThrow(NameTakenError);
        expect(await find(kind, second.id)).toStrictEqual(second);
        await rename(kind, place, name.toUpperCase());
        expect(await find(kind, place.id)).toStrictEqual({ ...place, name: name.toUpperCase() });
      }
    });

    test('lets only one of many concurrent callers add a name', async () => {
      const { partnerId } = await createTenant(backend());
      const asks = await Promise.allSettled(
        Array.from({ length: 5 }, () => add('organization', partnerId, 'Once')),
      );
      expect(asks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const ask of asks) {
        if (ask.status === 'rejected') expect(ask.reason instanceof NameTakenError).toBe(true);
      }
    });

    test('removes an organization only while it is empty', async () => {
      const { partnerId, userId } = await createTenant(backend());
      const contents: Readonly<Record<string, (orgId: OrgId) => FleetRecord | null>> = {
        device: (orgId) => aDevice({ orgId }),
        person: (orgId) => aUser({ membership: { scope: 'organization', orgId } }),
        filter: (orgId) => aFilter({ orgId, createdBy: userId }),
        site: (orgId) => aSite({ orgId }),
        nothing: () => null,
      };
      for (const [what, contentOf] of Object.entries(contents)) {
        const organization = anOrganization({ partnerId });
        const content = contentOf(organization.id);
        await loadFleet(backend(), [organization, ...(content === null ? [] : [content])]);
        const place = (await find('organization', organization.id)) as Place;
        const isRemoved = await transact((tx) => tx.tenants.remove('organization', place));
        expect([what, isRemoved]).toStrictEqual([what, what === 'site' || what === 'nothing']);
        expect(await backend().organizationExists(organization.id)).toBe(!isRemoved);
      }
    });

    test('removes a site, and its devices then have none', async () => {
      const { orgId } = await createTenant(backend());
      const site = aSite({ orgId });
      const [device, elsewhere] = [aDevice({ orgId, siteId: site.id }), aDevice({ orgId })];
      await loadFleet(backend(), [site, device, elsewhere]);
      const place = (await find('site', site.id)) as Place;
      expect(await transact((tx) => tx.tenants.remove('site', place), orgScope(orgId))).toBe(true);
      expect(await find('site', site.id)).toBeNull();
      const found = await backend().deviceReader.find(orgScope(orgId), device.id);
      expect(found?.device).toMatchObject({ id: device.id, siteId: null });
    });
  });
}
