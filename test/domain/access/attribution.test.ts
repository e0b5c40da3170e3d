/** Reach of requests that count towards a tenant (Contract: §7, "Admin list"). */
import { expect, test } from 'vitest';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { type Attribution, isWithinReach } from '#domain/access/ownership.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';

const P = newId<'partner'>();
const Q = newId<'partner'>();
const A = newId<'organization'>();
const B = newId<'organization'>();

const SUBJECTS: Readonly<Record<string, Attribution>> = {
  'of A': { orgId: A, partnerId: null },
  'of A, by staff of Q': { orgId: A, partnerId: Q },
  'of B': { orgId: B, partnerId: null },
  'staff of P': { orgId: null, partnerId: P },
  'staff of Q': { orgId: null, partnerId: Q },
  'staff of the system': { orgId: null, partnerId: null },
};

test.each<[string, AccessScope, readonly string[]]>([
  ['organization A', orgScope(A), ['of A', 'of A, by staff of Q']],
  ['partner P', partnerScope(P, [A, B]), ['of A', 'of A, by staff of Q', 'of B', 'staff of P']],
  ['partner P without organizations', partnerScope(P, []), ['staff of P']],
  [
    'partner P with a subset',
    { kind: 'partner', partnerId: P, orgIds: [A], isWhole: false },
    ['of A', 'of A, by staff of Q'],
  ],
  ['partner P with none', { kind: 'partner', partnerId: P, orgIds: [], isWhole: false }, []],
  ['the system', SYSTEM_SCOPE, Object.keys(SUBJECTS)],
  ['nothing', NO_SCOPE, []],
])('requests in reach of %s', (_scope, scope, reached) => {
  const seen = Object.keys(SUBJECTS).filter((name) => isWithinReach(scope, SUBJECTS[name] as Attribution));
  expect(seen).toStrictEqual(reached);
});
