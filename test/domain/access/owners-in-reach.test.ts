/** Which organizations and partners own records that a caller can see. */
import { describe, expect, test } from 'vitest';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/ownership.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';

const [p, q] = [newId<'partner'>(), newId<'partner'>()];
const [a, b, c, gone] = [newId(), newId(), newId(), newId()] as [OrgId, OrgId, OrgId, OrgId];
const PARTNERS = new Map([
  [a, p],
  [b, p],
  [c, q],
]);
const OWNERS: Readonly<Record<string, Owner>> = {
  a: { kind: 'organization', orgId: a },
  b: { kind: 'organization', orgId: b },
  c: { kind: 'organization', orgId: c },
  p: { kind: 'partner', partnerId: p },
  q: { kind: 'partner', partnerId: q },
};
const subset = (...orgIds: OrgId[]): AccessScope => ({
  kind: 'partner',
  partnerId: p,
  orgIds,
  isWhole: false,
});

describe('owners in reach of', () => {
  test.each<[string, AccessScope, string]>([
    ['an organization', orgScope(a), 'ap'],
    ["another partner's organization", orgScope(c), 'cq'],
    ['an organization that is gone', orgScope(gone), ''],
    ['a whole partner', partnerScope(p, [a, b]), 'abp'],
    ['a whole partner without organizations', partnerScope(p, []), 'p'],
    ["a partner's subset", subset(b), 'bp'],
    ["none of a partner's organizations", subset(), ''],
    ['the system', SYSTEM_SCOPE, 'abcpq'],
    ['nothing', NO_SCOPE, ''],
  ])('%s', (_, scope, expected) => {
    const isInReach = ownersInReach(scope, (orgId) => PARTNERS.get(orgId));
    expect(Object.keys(OWNERS).filter((name) => isInReach(OWNERS[name] as Owner))).toStrictEqual([
      ...expected,
    ]);
  });
});
