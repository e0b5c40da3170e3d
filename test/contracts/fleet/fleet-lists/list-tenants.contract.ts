/** What every reader of a fleet's lists promises about tenants: no scope sees anything out of its reach. */
import type { AlertQuery, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, namedOwners, REACH } from '#test/contracts/reach.ts';
import { newWord } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anAlert, aScript, aSite, newId, orgScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** More than all suites load. */
const NO_LIMIT = 1_000_000;
const ALL_ALERTS: AlertQuery = {
  foldedText: '',
  status: null,
  severity: null,
  deviceId: null,
  after: null,
  limit: NO_LIMIT,
};
const ALL_SCRIPTS: ScriptQuery = { foldedText: '', after: null, limit: NO_LIMIT };

export function testListTenants(backend: () => ContractBackend): void {
  describe('FleetLists and tenants', () => {
    test.each(REACH)(
      'for %s, only sites, alerts and scripts in reach are listed',
      async (_, scopeOf, expected) => {
        const tenants = await createTenants(backend());
        const { orgs, partners } = namedOwners(tenants);
        const word = newWord();
        const nameOf = (owner: string) => `${word} ${owner}`;
        await loadFleet(backend(), [
          ...Object.entries(orgs).flatMap(([owner, orgId]) => [
            aSite({ orgId, name: nameOf(owner) }),
            anAlert({ orgId, title: nameOf(owner) }),
            aScript({ owner: { kind: 'organization', orgId }, name: nameOf(owner) }),
          ]),
          ...Object.entries(partners).map(([owner, partnerId]) =>
            aScript({ owner: { kind: 'partner', partnerId }, name: nameOf(owner) }),
          ),
        ]);
        const scope = scopeOf(tenants);
        const { fleetLists } = backend();
        const own = (names: readonly string[]) =>
          names
            .filter((name) => name.startsWith(word))
            .map((name) => name.slice(word.length + 1))
            .sort();
        const sites = await fleetLists.sites(scope);
        const alerts = (await fleetLists.alerts(scope, ALL_ALERTS)) ?? [];
        const scripts = await fleetLists.scripts(scope, ALL_SCRIPTS);
        const ofOrgs = expected.filter((owner) => Object.hasOwn(orgs, owner));
        expect([
          own(sites.map(({ name }) => name)),
          own(alerts.map(({ title }) => title)),
          own(scripts.map(({ name }) => name)),
        ]).toStrictEqual([ofOrgs, ofOrgs, expected]);
      },
    );

    test('without any reach, nothing is listed', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId });
      await loadFleet(backend(), [device, aSite({ orgId }), anAlert({ orgId, deviceId: device.id })]);
      const { fleetLists } = backend();
      expect(await fleetLists.sites({ kind: 'none' })).toStrictEqual([]);
      expect(await fleetLists.alerts({ kind: 'none' }, ALL_ALERTS)).toStrictEqual([]);
      expect(await fleetLists.alerts({ kind: 'none' }, { ...ALL_ALERTS, deviceId: device.id })).toBeNull();
      expect(await fleetLists.scripts({ kind: 'none' }, ALL_SCRIPTS)).toStrictEqual([]);
    });

    test('a device out of reach is treated like one that does not exist', async () => {
      const { tenant, stranger, one, two } = await createTenants(backend());
      const [here, beside, there] = [one, two, stranger.orgId].map((orgId) => aDevice({ orgId }));
      const devices = [here, beside, there].filter((device) => device !== undefined);
      await loadFleet(
        backend(),
        devices.flatMap((device) => [
          device,
          anAlert({ orgId: device.orgId, deviceId: device.id, title: device.hostname }),
        ]),
      );
      const titles = async (deviceId = newId<'device'>()) =>
        (await backend().fleetLists.alerts(orgScope(one), { ...ALL_ALERTS, deviceId }))?.map(
          ({ title }) => title,
        );
      expect(await titles(here?.id)).toStrictEqual([here?.hostname]);
      expect(await titles(beside?.id)).toBeUndefined();
      expect(await titles(there?.id)).toBeUndefined();
      expect(await titles()).toBeUndefined();
      expect(tenant.orgIds).toContain(two);
    });

    test('gives a site with all its fields', async () => {
      const { orgId } = await createTenant(backend());
      const { kind: _kind, ...site } = aSite({ orgId, name: 'Straße 1' });
      await loadFleet(backend(), [{ kind: 'site', ...site }]);
      expect(await backend().fleetLists.sites(orgScope(orgId))).toStrictEqual([site]);
    });
  });
}
