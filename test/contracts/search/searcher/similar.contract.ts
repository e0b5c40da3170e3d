/** What every searcher promises if nothing contains the text: similar titles, if the request asks for them. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import type { SearchHit } from '#domain/search/search-hit.ts';
import { compareSimilarHits, makeRankSimilar } from '#domain/search/similar-hit.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, orgScope, partnerScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { aBlankAlert, aBlankDevice, aBlankScript, makeSearcherQuestions } from './ask-searcher.ts';

export function testSearcherSimilar(backend: () => ContractBackend): void {
  const { search } = makeSearcherQuestions(backend);
  const similar = (scope: AccessScope, text: string, limit = 50) =>
    search(scope, text, { orSimilar: true, limit });
  const titlesOf = (hits: readonly SearchHit[]) => hits.map(({ title }) => title);

  /** An organization with devices of these titles. */
  const createOrg = async (...titles: readonly string[]) => {
    const { orgId } = await createTenant(backend());
    await loadFleet(
      backend(),
      titles.map((hostname) => aBlankDevice({ orgId, hostname })),
    );
    return orgScope(orgId);
  };

  describe('Searcher and what is similar', () => {
    test('gives titles that resemble the text, of every category, and nothing else', async () => {
      const { orgId } = await createTenant(backend());
      const owner = { kind: 'organization', orgId } as const;
      await loadFleet(backend(), [
        aBlankDevice({ orgId, hostname: 'my printer' }),
        // Only titles are compared.
        aBlankDevice({ orgId, hostname: 'printer', displayName: 'Reception' }),
        aBlankDevice({ orgId, hostname: 'elsewhere', lastUser: 'printer' }),
        aBlankScript({ owner, name: 'PRINTER 7', description: 'x' }),
        aBlankScript({ owner, name: 'Reboot', description: 'printer' }),
        aBlankAlert({ orgId, title: 'Printer: on', message: 'paper' }),
        aBlankAlert({ orgId, title: 'Disk full', message: 'printer' }),
      ]);
      const scope = orgScope(orgId);
      const found = await similar(scope, 'PRINTRE');
      expect(found.areSimilar).toBe(true);
      expect([titlesOf(found.devices), titlesOf(found.scripts), titlesOf(found.alerts)]).toStrictEqual([
        ['my printer'],
        ['PRINTER 7'],
        ['Printer: on'],
      ]);
      expect(found.alerts[0]).toMatchObject({
        description: 'paper',
        beside: [{ field: 'message', value: 'paper' }],
      });
      const plain = await search(scope, 'PRINTRE');
      expect(plain).toStrictEqual({ devices: [], scripts: [], alerts: [], areSimilar: false });
    });

    test('gives no similar titles if anything contains the text', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [
        aBlankDevice({ orgId, hostname: 'printer' }),
        aBlankAlert({ orgId, title: 'aside', message: 'printre' }),
      ]);
      const found = await similar(orgScope(orgId), 'printre');
      expect([found.areSimilar, titlesOf(found.devices), titlesOf(found.alerts)]).toStrictEqual([
        false,
        [],
        ['aside'],
      ]);
    });

    test.each<[string, readonly string[]]>([
      ['prnter', ['printer']],
      ['prinetr', ['printer']],
      ['desktopp 7f3a9', ['DESKTOP-7F3A9', 'desktop-7f3b0']],
      ['DESKTOPP', ['DESKTOP-7F3A9', 'desktop-7f3b0']],
      // Each part is a word, whatever separates them.
      ['7f3a9_desktop', ['DESKTOP-7F3A9', 'desktop-7f3b0']],
      ['бухгалтреия', ['Бухгалтерия']],
      ['STRAẞX', ['Straße']],
      ['ελλαδ-', ['ΕΛΛΑΔΑ ΟΔΟΣ']],
      ['中文服器务', ['中文服务器']],
      ['%rinter_', ['printer']],
      ['zzzz', []],
      ['жжжж', []],
      ['🦊🦊🦊🦊', []],
      // Half of its pieces are in a word, and then slightly less than half.
      ['abcde', ['abc']],
      ['abcdef', []],
      // One word among several is enough.
      ['ransomwere', ['Ransomware behaviour blocked']],
      ['fireall', ['Firewall switched off']],
      ['spooller', ['Clear the spooler']],
    ])('%j finds the similar titles %j', async (text, expected) => {
      const titles = [
        ...['printer', 'DESKTOP-7F3A9', 'desktop-7f3b0', 'Бухгалтерия', 'Straße', 'ΕΛΛΑΔΑ ΟΔΟΣ'],
        ...['中文服务器', 'abc', 'aside', 'Ransomware behaviour blocked', 'Firewall switched off'],
        'Clear the spooler',
      ];
      const { devices } = await similar(await createOrg(...titles), text);
      expect(titlesOf(devices).toSorted()).toStrictEqual(expected.toSorted());
    });

    test('gives the most similar of many, then by title, then by id', async () => {
      const { orgId } = await createTenant(backend());
      const device = (hostname: string) => aBlankDevice({ orgId, hostname });
      const twins = [device('workstation a'), device('Workstation A')];
      await loadFleet(backend(), [
        ...Array.from({ length: 60 }, (_, i) => device(`workstation number ${i}`)),
        ...twins.toReversed(),
        device('workstatio'),
        device('workstation b'),
      ]);
      const scope = orgScope(orgId);
      const text = 'workstatoin';
      const bestOf = async (limit: number) => {
        const { devices } = await similar(scope, text, limit);
        return devices
          .flatMap((hit) => makeRankSimilar(text)(hit) ?? [])
          .sort(compareSimilarHits)
          .slice(0, limit)
          .map(({ hit }) => hit);
      };
      const best = await bestOf(50);
      expect(best).toHaveLength(50);
      expect(titlesOf(best).slice(0, 4)).toStrictEqual([
        ...['workstatio', 'workstation a', 'Workstation A', 'workstation b'],
      ]);
      expect(best.slice(1, 3).map(({ id }) => id)).toStrictEqual(twins.map(({ id }) => id));
      for (const limit of [1, 3]) expect(await bestOf(limit)).toStrictEqual(best.slice(0, limit));
    });

    test('gives the most similar of many that share letters of other scripts', async () => {
      const scope = await createOrg(...Array.from({ length: 60 }, () => 'srv'), 'SRV-Ünï');
      const { devices } = await similar(scope, 'srv-ünb', 1);
      expect(titlesOf(devices)).toContain('SRV-Ünï');
    });

    test('also compares a title that is too long for an index', async () => {
      const title = `printer ${'a '.repeat(3_000)}`;
      const scope = await createOrg(title);
      expect(titlesOf((await similar(scope, 'printre')).devices)).toStrictEqual([title]);
    });

    test('finds only titles in reach', async () => {
      const tenant = await createTenant(backend(), 2);
      const stranger = await createTenant(backend());
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const owners = { one, two, stranger: stranger.orgId };
      await loadFleet(backend(), [
        ...Object.entries(owners).flatMap(([name, orgId]) => [
          aBlankDevice({ orgId, hostname: `findable ${name}` }),
          aBlankAlert({ orgId, title: `findable ${name}` }),
          aBlankScript({ owner: { kind: 'organization', orgId }, name: `findable ${name}` }),
        ]),
        aBlankScript({ owner: { kind: 'partner', partnerId: tenant.partnerId }, name: 'findable partner' }),
        aBlankScript({ owner: { kind: 'partner', partnerId: stranger.partnerId }, name: 'findable other' }),
      ]);
      const none: AccessScope = { kind: 'partner', partnerId: tenant.partnerId, orgIds: [], isWhole: false };
      const cases: readonly (readonly [AccessScope, readonly string[], readonly string[]])[] = [
        [orgScope(one), ['one'], ['one', 'partner']],
        [orgScope(stranger.orgId), ['stranger'], ['other', 'stranger']],
        [partnerScope(tenant.partnerId, [one, two]), ['one', 'two'], ['one', 'partner', 'two']],
        [none, [], []],
        [orgScope(newId()), [], []],
        [{ kind: 'none' }, [], []],
      ];
      for (const [scope, ofOrgs, ofScripts] of cases) {
        const found = await similar(scope, 'findble');
        const namesOf = (hits: readonly SearchHit[]) =>
          titlesOf(hits)
            .map((title) => title.slice('findable '.length))
            .toSorted();
        expect([namesOf(found.devices), namesOf(found.alerts), namesOf(found.scripts)]).toStrictEqual([
          ofOrgs,
          ofOrgs,
          ofScripts,
        ]);
      }
    });

    test('searches only the requested categories', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [
        aBlankDevice({ orgId, hostname: 'printer' }),
        aBlankAlert({ orgId, title: 'printer' }),
      ]);
      const given = { orSimilar: true, categories: ['alerts'] as const };
      const found = await search(orgScope(orgId), 'printre', given);
      expect([found.devices.length, found.alerts.length]).toStrictEqual([0, 1]);
      expect(await search(orgScope(orgId), 'printre', { ...given, categories: [] })).toMatchObject({
        alerts: [],
      });
    });
  });
}
