/** What every source of completions promises of values: which there are, and in which order. */
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anOrganization, aSite, newId, orgScope, partnerScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeFindValues } from './find-values.ts';

export function testCompletionValues(backend: () => ContractBackend): void {
  const findValues = makeFindValues(backend);

  const createOrg = async (...devices: readonly Partial<DeviceRecord>[]) => {
    const tenant = await createTenant(backend());
    const { orgId } = tenant;
    await loadFleet(
      backend(),
      devices.map((device) => aDevice({ orgId, ...device })),
    );
    return { ...tenant, scope: orgScope(orgId) };
  };
  const tagged = (...tags: readonly string[]) => ({ tags });
  const installed = (...names: readonly string[]) => ({
    software: names.map((name) => ({ name, version: '1' })),
  });

  describe('CompletionSource and values', () => {
    test('gives tags by how many devices have them, then in code point order', async () => {
      const { scope } = await createOrg(
        tagged('vpn', 'vip', 'zebra'),
        tagged('vpn', 'vip', 'apple'),
        tagged('vpn', '😀', '\uffee'),
        tagged('vpn', 'Zebra'),
        tagged(),
      );
      expect(await findValues(scope, 'tags')).toStrictEqual([
        ...['vpn', 'vip', 'Zebra', 'apple', 'zebra', '\uffee', '😀'],
      ]);
    });

    test('counts a device once, however often it has a tag', async () => {
      const { scope } = await createOrg(
        tagged('often', 'often', 'often'),
        tagged('shared'),
        tagged('shared'),
      );
      expect(await findValues(scope, 'tags')).toStrictEqual(['shared', 'often']);
    });

    test('tells how many devices have each value', async () => {
      const { orgId, scope } = await createOrg(
        { ...tagged('vpn', 'vip', 'vip'), ...installed('Gimp') },
        { ...tagged('vpn'), ...installed('Gimp', 'Chromium') },
      );
      const site = aSite({ orgId, name: 'Bare' });
      await loadFleet(backend(), [site]);
      const found = (source: ValueSource) =>
        backend().findValues({ source, typed: '', scope, limit: 20, onBehalfOf: 'test' });
      expect(await found('tags')).toStrictEqual([
        { value: 'vpn', devices: 2 },
        { value: 'vip', devices: 1 },
      ]);
      expect(await found('software')).toStrictEqual([
        { value: 'Gimp', devices: 2 },
        { value: 'Chromium', devices: 1 },
      ]);
      expect((await found('organizations')).map(({ devices }) => devices)).toStrictEqual([2]);
      expect(await found('sites')).toStrictEqual([{ value: 'Bare', devices: 0 }]);
    });

    test('gives versions of a title by how many devices have them, whatever its case', async () => {
      const having = (...software: readonly (readonly [name: string, version: string | null])[]) => ({
        software: software.map(([name, version]) => ({ name, version })),
      });
      const { scope } = await createOrg(
        having(['Gimp', '2.9'], ['GIMP', '2.9'], ['Gimp', '2.10'], ['Other', '7']),
        having(['gimp', '2.10'], ['Gimp', null], ['Gimp', '-']),
        having(['Gimp', '2.10']),
      );
      await createOrg(having(['Gimp', '99']));
      const found = (title: string, typed = '') =>
        backend().findValues({
          ...{ source: 'softwareVersions', title, typed, scope, limit: 20, onBehalfOf: 'test' },
        });
      expect(await found('gimp')).toStrictEqual([
        { value: '2.10', devices: 3 },
        { value: '2.9', devices: 1 },
      ]);
      expect(await found('gimp', '9')).toStrictEqual([{ value: '2.9', devices: 1 }]);
      expect(await found('unheard of')).toStrictEqual([]);
    });

    test('gives versions of agents and systems by how many devices have them', async () => {
      const { scope } = await createOrg(
        { agentVersion: '4.9', osVersion: '11' },
        { agentVersion: '4.10', osVersion: '11' },
        { agentVersion: '4.10', osVersion: null },
      );
      expect(await findValues(scope, 'agentVersions')).toStrictEqual(['4.10', '4.9']);
      expect(await findValues(scope, 'agentVersions', '9')).toStrictEqual(['4.9']);
      expect(await findValues(scope, 'osVersions')).toStrictEqual(['11']);
    });

    test('gives names of software by how many devices have them', async () => {
      const { scope } = await createOrg(
        installed('Google Chrome', '7-Zip'),
        installed('Google Chrome', 'Chromium'),
        installed('google chrome'),
        installed(),
      );
      expect(await findValues(scope, 'software', 'chrom')).toStrictEqual([
        // Names that begin with the text, then names that contain it.
        ...['Chromium', 'Google Chrome', 'google chrome'],
      ]);
      expect((await findValues(scope, 'software'))[0]).toBe('Google Chrome');
    });

    test('gives values that begin with the text before more common ones that contain it', async () => {
      const { scope } = await createOrg(
        tagged('a-prod', 'prod-1'),
        tagged('a-prod', 'prod-2'),
        tagged('a-prod', 'prod-2', 'test'),
      );
      expect(await findValues(scope, 'tags', 'prod')).toStrictEqual(['prod-2', 'prod-1', 'a-prod']);
    });

    test('gives organizations and sites with and without devices, each name once', async () => {
      const tenant = await createTenant(backend());
      const { partnerId: elsewhere } = await createTenant(backend());
      const orgs = ['Acme', 'Beta', 'Acme', 'Empty'].map((name, i) =>
        anOrganization({ partnerId: i === 2 ? elsewhere : tenant.partnerId, name }),
      );
      const [, beta] = orgs;
      const orgIds = orgs.map(({ id }) => id);
      const orgId = beta?.id ?? newId();
      const sites = ['HQ', 'Branch', 'Bare'].map((name) => aSite({ orgId, name }));
      const [hq, branch] = sites;
      await loadFleet(backend(), [
        ...orgs,
        ...sites,
        // Two devices in both called Acme together, three in Beta.
        ...[orgIds[0], orgIds[2]].map((id) => aDevice({ orgId: id as OrgId })),
        ...[branch, branch, hq].map((site) => aDevice({ orgId, siteId: site?.id ?? null })),
      ]);
      const scope = partnerScope(tenant.partnerId, orgIds);
      expect(await findValues(scope, 'organizations')).toStrictEqual(['Beta', 'Acme', 'Empty']);
      expect(await findValues(scope, 'sites')).toStrictEqual(['Branch', 'HQ', 'Bare']);
      expect(await findValues(scope, 'organizations', 'ACM')).toStrictEqual(['Acme']);
      expect(await findValues(scope, 'sites', 'q')).toStrictEqual(['HQ']);
    });

    test.each([1, 2, 19, 20])('gives the first %i of more values', async (limit) => {
      const tags = Array.from({ length: 30 }, (_, i) => `tag-${String(i).padStart(2, '0')}`);
      const { scope } = await createOrg(
        tagged(...tags),
        // The later a tag, the more devices have it.
        ...tags.map((_, i) => tagged(...tags.slice(i))),
      );
      expect(await findValues(scope, 'tags', 'tag', { limit })).toStrictEqual(
        tags.toReversed().slice(0, limit),
      );
    });

    test.each([
      ['%', ['100%']],
      ['_', ['a_b']],
      ['\\', ['C:\\x']],
      ["'", ["O'Neil"]],
      ['"', ['say "hi"']],
      ['*', ['star*']],
      ['a b', ['a b']],
      ['.*', []],
      ["') or true --", []],
      ['{', ['{a,b}']],
      ['É', ['école']],
      ['STRASSE', []],
      ['STRAẞE', ['Straße']],
      ['ISTAN', ['İstanbul']],
      ['\u212a', ['Kelvin']],
      ['οδός', []],
      ['οδοσ', ['ΟΔΟΣ']],
      ['😀', ['😀 party']],
    ])('takes %j literally, in any case', async (typed, expected) => {
      const texts = [
        ...['100%', 'a_b', 'C:\\x', "O'Neil", 'say "hi"', 'star*', 'a b', '{a,b}', 'école', 'Straße'],
        ...['İstanbul', 'Kelvin', 'ΟΔΟΣ', '😀 party'],
      ];
      const { orgId, scope } = await createOrg(tagged(...texts), installed(...texts));
      await loadFleet(
        backend(),
        texts.map((name) => aSite({ orgId, name })),
      );
      for (const source of ['tags', 'software', 'sites'] as const) {
        // `k` is in two of them, and the sign of Kelvin is a k.
        const found = await findValues(scope, source, typed);
        expect([source, found.filter((value) => value !== 'Kelvin' || typed === '\u212a')]).toStrictEqual([
          source,
          expected,
        ]);
      }
    });

    test('forgets values that no device has', async () => {
      const id = newId<'device'>();
      const { orgId, scope } = await createOrg({ id, ...tagged('gone'), ...installed('Gone Player') });
      await loadFleet(backend(), [aDevice({ id, orgId, ...tagged('here'), ...installed('Here Player') })]);
      expect(await findValues(scope, 'tags')).toStrictEqual(['here']);
      expect(await findValues(scope, 'software', 'player')).toStrictEqual(['Here Player']);
    });

    test('does not fail if the request is cancelled', async () => {
      const { scope } = await createOrg(tagged('here'));
      for (const source of ['tags', 'software', 'organizations', 'sites'] as const) {
        const found = await findValues(scope, source, '', { signal: AbortSignal.abort() });
        expect(found.length).toBeLessThanOrEqual(1);
      }
    });
  });
}
