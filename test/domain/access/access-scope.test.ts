/** How far scopes reach (Spec: Authentication). */
import { expect, test } from 'vitest';
import {
  type AccessScope,
  canReach,
  canReachAll,
  NO_SCOPE,
  narrowTo,
  reachableOrgIds,
  resolveNamedOrg,
  resolveOwnerOrg,
} from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';

const [ONE, TWO, THREE] = [newId(), newId(), newId()] as [OrgId, OrgId, OrgId];
const ORGANIZATION = orgScope(ONE);
const PARTNER = partnerScope(newId(), [ONE, TWO]);
const EMPTY = partnerScope(newId(), []);

test.each<[string, AccessScope, readonly OrgId[] | null, readonly OrgId[]]>([
  ['an organization', ORGANIZATION, [ONE], [ONE]],
  ['a partner', PARTNER, [ONE, TWO], [ONE, TWO]],
  ['a partner with no organization', EMPTY, [], []],
  ['the system', SYSTEM_SCOPE, null, [ONE, TWO, THREE]],
  ['nothing', NO_SCOPE, [], []],
])('the scope of %s reaches exactly its own organizations', (_name, scope, orgIds, reached) => {
  expect(reachableOrgIds(scope)).toStrictEqual(orgIds);
  expect([ONE, TWO, THREE].filter((id) => canReach(scope, id))).toStrictEqual(reached);
});

test('a scope that includes each organization of another scope reaches all of it', () => {
  const narrower = partnerScope(newId(), [TWO]);
  const scopes = { SYSTEM_SCOPE, PARTNER, ORGANIZATION, narrower, EMPTY, NO_SCOPE };
  const reached = Object.entries(scopes).map(([name, scope]) => [
    name,
    Object.entries(scopes).flatMap(([other, wanted]) => (canReachAll(scope, wanted) ? [other] : [])),
  ]);
  const nothing = ['EMPTY', 'NO_SCOPE'];
  expect(Object.fromEntries(reached)).toStrictEqual({
    SYSTEM_SCOPE: Object.keys(scopes),
    PARTNER: ['PARTNER', 'ORGANIZATION', 'narrower', ...nothing],
    ORGANIZATION: ['ORGANIZATION', ...nothing],
    narrower: ['narrower', ...nothing],
    EMPTY: nothing,
    NO_SCOPE: nothing,
  });
});

test.each<[string, AccessScope, OrgId, readonly OrgId[]]>([
  ['the system to any organization', SYSTEM_SCOPE, THREE, [THREE]],
  ['a partner to one of its own', PARTNER, TWO, [TWO]],
  ["a partner to a stranger's", PARTNER, THREE, []],
  ['an organization to itself', ORGANIZATION, ONE, [ONE]],
  ['an organization to another', ORGANIZATION, TWO, []],
  ['nothing to anything', NO_SCOPE, ONE, []],
])('narrows %s', (_name, scope, orgId, reached) => {
  expect(reachableOrgIds(narrowTo(scope, orgId))).toStrictEqual(reached);
});

test.each<[string, AccessScope]>([
  ['a partner', PARTNER],
  ['an organization', ORGANIZATION],
])('%s narrowed to an organization out of reach reaches nothing, not even itself', (_name, scope) => {
  expect(narrowTo(scope, THREE)).toStrictEqual(NO_SCOPE);
});

test.each<[string, AccessScope, OrgId | null, ReturnType<typeof resolveOwnerOrg>]>([
  ['an organization, whatever is sent', ORGANIZATION, TWO, ok(ONE)],
  ['an organization, when nothing is sent', ORGANIZATION, null, ok(ONE)],
  ['a partner, one in reach', PARTNER, TWO, ok(TWO)],
  ['a partner, one out of reach', PARTNER, THREE, err('org-out-of-reach')],
  ['a partner, when nothing is sent', PARTNER, null, err('org-required')],
  ['the system, any', SYSTEM_SCOPE, THREE, ok(THREE)],
  ['the system, when nothing is sent', SYSTEM_SCOPE, null, err('org-required')],
  ['a caller who reaches nothing, whatever is sent', NO_SCOPE, ONE, err('org-out-of-reach')],
  ['a caller who reaches nothing, when nothing is sent', NO_SCOPE, null, err('org-out-of-reach')],
])('finds the owner of a new record for %s', (_name, scope, requested, owner) => {
  expect(resolveOwnerOrg(scope, requested)).toStrictEqual(owner);
});

test.each<[string, AccessScope, OrgId | null, ReturnType<typeof resolveNamedOrg>]>([
  ['an organization, its own', ORGANIZATION, ONE, ok(ONE)],
  ['an organization, another one', ORGANIZATION, TWO, err('org-out-of-reach')],
  ['an organization, when none is named', ORGANIZATION, null, ok(ONE)],
  ['a partner, one in reach', PARTNER, TWO, ok(TWO)],
  ['a partner, one out of reach', PARTNER, THREE, err('org-out-of-reach')],
  ['a partner, when none is named', PARTNER, null, err('org-required')],
  ['a caller who reaches nothing, whatever is named', NO_SCOPE, ONE, err('org-out-of-reach')],
])('finds the organization that is meant for %s', (_name, scope, named, org) => {
  expect(resolveNamedOrg(scope, named)).toStrictEqual(org);
});
