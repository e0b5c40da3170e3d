/** What every source of completions promises about tenants: no scope gets values out of its reach. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { newWord } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anOrganization,
  aPartner,
  aSite,
  newId,
  orgScope,
  partnerScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { makeFindValues } from './find-values.ts';

interface Tenants {
  readonly partnerId: ReturnType<typeof aPartner>['id'];
  readonly one: OrgId;
  readonly two: OrgId;
  readonly stranger: OrgId;
}

/** Whose values each scope finds. */
const REACH: readonly (readonly [string, (tenants: Tenants) => AccessScope, readonly string[]])[] = [
  ['an organization', ({ one }) => orgScope(one), ['one']],
  ['its neighbour', ({ two }) => orgScope(two), ['two']],
  ["another partner's organization", ({ stranger }) => orgScope(stranger), ['stranger']],
  ['an organization that does not exist', () => orgScope(newId()), []],
  ['the whole partner', ({ partnerId, one, two }) => partnerScope(partnerId, [one, two]), ['one', 'two']],
  ["a partner's subset", ({ partnerId, two }) => subset(partnerId, [two]), ['two']],
  ['an organization named twice', ({ partnerId, two }) => subset(partnerId, [two, two]), ['two']],
  ["none of a partner's organizations", ({ partnerId }) => subset(partnerId, []), []],
  ['nothing', () => ({ kind: 'none' }), []],
  ['the system', () => SYSTEM_SCOPE, ['one', 'stranger', 'two']],
];

function subset(partnerId: Tenants['partnerId'], orgIds: readonly OrgId[]): AccessScope {
  return { kind: 'partner', partnerId, orgIds, isWhole: false };
}

export function testCompletionTenants(backend: () => ContractBackend): void {
  const findValues = makeFindValues(backend);

  describe('CompletionSource and tenants', () => {
    test.each(REACH)('for %s, finds only values in reach', async (_, scopeOf, expected) => {
      const word = newWord();
      const [partner, other] = [aPartner(), aPartner()];
      const organization = (name: string, { id: partnerId }: typeof partner) =>
        anOrganization({ partnerId, name: `${word}-${name}` });
      const orgs = {
        one: organization('one', partner),
        two: organization('two', partner),
        stranger: organization('stranger', other),
      };
      const values = Object.entries(orgs).flatMap(([name, { id: orgId }]) => {
        const value = `${word}-${name}`;
        const site = aSite({ orgId, name: value });
        const software = [value, `${word}-shared`].map((title) => ({ name: title, version: null }));
        return [
          site,
          aDevice({
            orgId,
            siteId: site.id,
            tags: [value, `${word}-shared`],
            software,
            agentVersion: value,
            osVersion: value,
          }),
        ];
      });
      await loadFleet(backend(), [partner, other, ...Object.values(orgs), ...values]);
      const scope = scopeOf({
        partnerId: partner.id,
        one: orgs.one.id,
        two: orgs.two.id,
        stranger: orgs.stranger.id,
      });
      const own = expected.map((name) => `${word}-${name}`);
      const shared = own.length === 0 ? [] : [`${word}-shared`];
      for (const typed of [word, word.toUpperCase(), `${word}-`]) {
        for (const source of ['tags', 'software'] as const) {
          expect((await findValues(scope, source, typed)).toSorted()).toStrictEqual(
            [...own, ...shared].toSorted(),
          );
        }
        for (const source of ['organizations', 'sites', 'agentVersions', 'osVersions'] as const) {
          expect((await findValues(scope, source, typed)).toSorted()).toStrictEqual(own);
        }
      }
    });
  });
}
