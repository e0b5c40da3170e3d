/** What every searcher promises about tenants: nothing of anybody else, in any scope. */
import { describe, expect, test } from 'vitest';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { aBlankAlert, aBlankDevice, aBlankScript, makeSearcherQuestions, newWord } from './ask-searcher.ts';

/** Two organizations of a partner, and one of another. */
interface Tenants {
  readonly tenant: Tenant;
  readonly stranger: Tenant;
  readonly one: OrgId;
  readonly two: OrgId;
}

/** Whose things each scope finds. A partner has scripts only. */
const REACH: readonly (readonly [string, (tenants: Tenants) => AccessScope, readonly string[]])[] = [
  ['an organization', ({ one }) => orgScope(one), ['one', 'partner']],
  ['its neighbour', ({ two }) => orgScope(two), ['partner', 'two']],
  ["another partner's organization", ({ stranger }) => orgScope(stranger.orgId), ['other', 'stranger']],
  ['an organization that does not exist', () => orgScope(newId()), []],
  [
    'the whole partner',
    ({ tenant }) => partnerScope(tenant.partnerId, tenant.orgIds),
    ['one', 'partner', 'two'],
  ],
  ["a partner's subset", ({ tenant, two }) => subsetScope(tenant, [two]), ['partner', 'two']],
  ['an organization named twice', ({ tenant, two }) => subsetScope(tenant, [two, two]), ['partner', 'two']],
  ["none of a partner's organizations", ({ tenant }) => subsetScope(tenant, []), []],
  [
    'a whole partner that has no organization',
    ({ tenant }) => partnerScope(tenant.partnerId, []),
    ['partner'],
  ],
  ['a partner that does not exist', () => partnerScope(newId(), []), []],
  ['the system', () => SYSTEM_SCOPE, ['one', 'other', 'partner', 'stranger', 'two']],
];

export function testSearcherTenants(backend: () => ContractBackend): void {
  const { search } = makeSearcherQuestions(backend);

  describe('Searcher and tenants', () => {
    test.each(REACH)('for %s', async (_, scopeOf, expected) => {
      const tenant = await createTenant(backend(), 2);
      const stranger = await createTenant(backend());
      const [one, two] = tenant.orgIds as [OrgId, OrgId];
      const word = newWord();
      const orgs = { one, two, stranger: stranger.orgId };
      const partners = { partner: tenant.partnerId, other: stranger.partnerId };
      await loadFleet(backend(), [
        ...Object.entries(orgs).flatMap(([name, orgId]) => [
          aBlankDevice({ orgId, hostname: word, displayName: name }),
          aBlankAlert({ orgId, title: name, message: word }),
          aBlankScript({ owner: { kind: 'organization', orgId }, name, description: word }),
        ]),
        ...Object.entries(partners).map(([name, partnerId]) =>
          aBlankScript({ owner: { kind: 'partner', partnerId }, name, description: word }),
        ),
      ]);
      const found = await search(scopeOf({ tenant, stranger, one, two }), word.toUpperCase());
      const titlesOf = (hits: readonly { readonly title: string }[]) => hits.map(({ title }) => title).sort();
      const ofOrgs = expected.filter((name) => Object.hasOwn(orgs, name));
      expect([titlesOf(found.devices), titlesOf(found.scripts), titlesOf(found.alerts)]).toStrictEqual([
        ofOrgs,
        expected,
        ofOrgs,
      ]);
    });

    test("finds a partner's script in an organization that joins it later", async () => {
      const { partnerId } = await createTenant(backend());
      const orgId = newId<'organization'>();
      const word = newWord();
      const script = aBlankScript({ owner: { kind: 'partner', partnerId }, name: word });
      await loadFleet(backend(), [script]);
      await loadFleet(backend(), [{ kind: 'organization', id: orgId, partnerId, name: 'Newcomer' }]);
      expect((await search(orgScope(orgId), word)).scripts).toHaveLength(1);
    });
  });
}

function subsetScope({ partnerId }: Tenant, orgIds: readonly OrgId[]): AccessScope {
  return { kind: 'partner', partnerId, orgIds, isWhole: false };
}
