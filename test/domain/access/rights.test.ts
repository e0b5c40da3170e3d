/** Rights that people may give (Contract: §16, "Rights"): every pair of scopes, and random draws against a plain model. */
import { describe, expect, test } from 'vitest';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import {
  type AdministratorRole,
  type Giver,
  lostRoles,
  mayGive,
  refuseRights,
  type Standing,
} from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';

const [p, q] = [newId<'partner'>(), newId<'partner'>()];
const [a, b, c] = [newId(), newId(), newId()] as [OrgId, OrgId, OrgId];
const ORGANIZATIONS_OF = new Map<PartnerId, readonly OrgId[]>([
  [p, [a, b]],
  [q, [c]],
]);

const MEMBERSHIPS = {
  'organization a': { scope: 'organization', orgId: a },
  'organization b': { scope: 'organization', orgId: b },
  'organization c': { scope: 'organization', orgId: c },
  'all of p': { scope: 'partner', partnerId: p, orgIds: null },
  'a and b of p': { scope: 'partner', partnerId: p, orgIds: [a, b] },
  'a of p': { scope: 'partner', partnerId: p, orgIds: [a] },
  'none of p': { scope: 'partner', partnerId: p, orgIds: [] },
  'all of q': { scope: 'partner', partnerId: q, orgIds: null },
  'c of q': { scope: 'partner', partnerId: q, orgIds: [c] },
  system: { scope: 'system' },
} as const satisfies Readonly<Record<string, Membership>>;
type Place = keyof typeof MEMBERSHIPS;
const PLACES = Object.keys(MEMBERSHIPS) as Place[];

/** What people of each place may give. */
const GIVES: Readonly<Record<Place | 'nothing', readonly Place[]>> = {
  'organization a': ['organization a'],
  'organization b': ['organization b'],
  'organization c': ['organization c'],
  'all of p': ['organization a', 'organization b', 'all of p', 'a and b of p', 'a of p', 'none of p'],
  'a and b of p': ['organization a', 'organization b'],
  'a of p': ['organization a'],
  'none of p': [],
  'all of q': ['organization c', 'all of q', 'c of q'],
  'c of q': ['organization c'],
  system: PLACES,
  nothing: [],
};

function scopeOf(membership: Membership): AccessScope {
  if (membership.scope === 'system') return SYSTEM_SCOPE;
  if (membership.scope === 'organization') return orgScope(membership.orgId);
  const { partnerId, orgIds } = membership;
  return {
    kind: 'partner',
    partnerId,
    orgIds: orgIds ?? ORGANIZATIONS_OF.get(partnerId) ?? [],
    isWhole: orgIds === null,
  };
}

const giverOf = (place: Place | 'nothing', facts: Partial<Giver> = {}): Giver => ({
  userId: newId<'user'>(),
  scope: place === 'nothing' ? NO_SCOPE : scopeOf(MEMBERSHIPS[place]),
  permissions: new Set([USERS_WRITE]),
  isPlatformAdmin: false,
  ...facts,
});

const standing = (place: Place, facts: Partial<Standing> = {}): Standing => ({
  membership: MEMBERSHIPS[place],
  permissions: [],
  isPlatformAdmin: false,
  isActive: true,
  ...facts,
});

describe('every pair of scopes', () => {
  test.each(Object.keys(GIVES) as (keyof typeof GIVES)[])(
    'a person of %s may give exactly the listed rights',
    (giver) => {
      const given = PLACES.filter((place) => mayGive(giverOf(giver), standing(place)));
      expect(given).toStrictEqual(GIVES[giver]);
    },
  );
});

describe('refusals', () => {
  const giver = giverOf('system');
  const other = newId<'user'>();
  const refuse = (
    before: Standing | null,
    after: Standing | null,
    rest: { userId?: UserId | null; isNameOnly?: boolean; rolesOfNobodyElse?: AdministratorRole[] } = {},
  ) => refuseRights(giver, { userId: other, before, after, rolesOfNobodyElse: [], ...rest });
  const both: AdministratorRole[] = ['platform-admin', 'system-users-write'];
  const platformAdmin = standing('system', { isPlatformAdmin: true });
  const manager = standing('system', { permissions: [USERS_WRITE] });

  test('a permission that the giver lacks is neither given nor taken', () => {
    const writer = standing('organization a', { permissions: [DEVICES_WRITE] });
    const reader = standing('organization a');
    expect(refuse(reader, writer)).toBe('exceeds-own-rights');
    expect(refuse(writer, reader)).toBe('exceeds-own-rights');
    expect(refuse(writer, writer, { isNameOnly: true })).toBe('exceeds-own-rights');
    expect(refuse(null, writer)).toBe('exceeds-own-rights');
    expect(refuse(reader, reader)).toBeNull();
  });

  test('only platform administrators appoint and remove platform administrators', () => {
    expect(refuse(platformAdmin, standing('system'))).toBe('exceeds-own-rights');
    expect(refuse(standing('system'), platformAdmin)).toBe('exceeds-own-rights');
    const change = { userId: other, before: platformAdmin, after: standing('system') };
    const peer = giverOf('system', { isPlatformAdmin: true });
    expect(refuseRights(peer, { ...change, rolesOfNobodyElse: [] })).toBeNull();
  });

  test("a change to one's own account is refused before anything else, except for the name", () => {
    const own = { userId: giver.userId, rolesOfNobodyElse: both };
    expect(refuse(platformAdmin, null, own)).toBe('own-account');
    expect(refuse(manager, manager, { ...own, isNameOnly: true })).toBeNull();
  });

  test.each(PLACES)('people of %s may change their own name', (place) => {
    const self = giverOf(place);
    const now = standing(place, { permissions: [USERS_WRITE] });
    const change = {
      userId: self.userId,
      before: now,
      after: now,
      isNameOnly: true,
      rolesOfNobodyElse: both,
    };
    expect(refuseRights(self, change)).toBeNull();
  });

  test.each<[string, Standing, Standing | null]>([
    ['disabled', manager, { ...manager, isActive: false }],
    ['demoted', manager, { ...manager, permissions: [] }],
    ['moved', manager, { ...manager, ...standing('all of p'), permissions: [USERS_WRITE] }],
    ['erased', manager, null],
  ])('the last holder of users:write of system scope cannot be %s', (_, before, after) => {
    expect(refuse(before, after, { rolesOfNobodyElse: ['system-users-write'] })).toBe('last-administrator');
    expect(refuse(before, after, { rolesOfNobodyElse: ['platform-admin'] })).toBeNull();
  });

  test.each<[string, Standing | null]>([
    ['disabled', { ...platformAdmin, isActive: false }],
    ['demoted', { ...platformAdmin, isPlatformAdmin: false }],
    ['moved', { ...platformAdmin, membership: MEMBERSHIPS['organization a'] }],
    ['erased', null],
  ])('the last platform administrator cannot be %s', (_, after) => {
    const change = { userId: other, before: platformAdmin, after };
    const lonely = { ...change, rolesOfNobodyElse: ['platform-admin'] as const };
    const peer = giverOf('system', { isPlatformAdmin: true });
    expect(refuseRights(peer, lonely)).toBe('last-administrator');
    expect(refuseRights(peer, { ...change, rolesOfNobodyElse: [] })).toBeNull();
  });

  test('disabled people do not count as administrators', () => {
    expect(lostRoles({ ...platformAdmin, isActive: false }, null)).toStrictEqual([]);
    expect(refuse({ ...manager, isActive: false }, null, { rolesOfNobodyElse: both })).toBeNull();
  });
});

describe('nobody raises a person above themselves', () => {
  /** The rights of a person, one by one: each organization and each whole tenant with each permission. */
  function atoms({ membership, permissions, isPlatformAdmin }: Omit<Standing, 'isActive'>): Set<string> {
    const places = placesOf(membership);
    const actions = ['read', ...permissions];
    const held = places.flatMap((place) => actions.map((action) => `${action} ${place}`));
    return new Set([...permissions, ...held, ...(isPlatformAdmin ? ['platform'] : [])]);
  }

  function placesOf(membership: Membership): readonly string[] {
    if (membership.scope === 'organization') return [membership.orgId];
    const all = [...ORGANIZATIONS_OF];
    if (membership.scope === 'system') {
      return [
        'system',
        ...all.flatMap(([partnerId, orgIds]) => [partnerId, `staff ${partnerId}`, ...orgIds]),
      ];
    }
    const { partnerId, orgIds } = membership;
    const ours = ORGANIZATIONS_OF.get(partnerId) ?? [];
    if (orgIds === null) return [partnerId, `staff ${partnerId}`, ...ours];
    return ours.filter((id) => orgIds.includes(id));
  }

  /** What an administrator needs in order to reach the person's place. */
  const placeOf = (membership: Membership) =>
    new Set(membership.scope === 'partner' ? [`read staff ${membership.partnerId}`] : []);

  test('in 10,000 random draws', () => {
    const random = seeded(27);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const drawPermissions = () => [USERS_WRITE, DEVICES_WRITE].filter(() => random() < 0.5);
    const drawStanding = (): Standing => ({
      membership: MEMBERSHIPS[pick(PLACES)],
      permissions: drawPermissions(),
      isPlatformAdmin: random() < 0.2,
      isActive: random() < 0.8,
    });
    const counts = { accepted: 0, refused: 0 };
    for (let draw = 0; draw < 10_000; draw++) {
      const self = drawStanding();
      const giver: Giver = {
        userId: newId<'user'>(),
        scope: scopeOf(self.membership),
        permissions: new Set(self.permissions),
        isPlatformAdmin: self.isPlatformAdmin,
      };
      const before = random() < 0.2 ? null : drawStanding();
      const after = before !== null && random() < 0.2 ? null : drawStanding();
      const change = { userId: newId<'user'>(), before, after, rolesOfNobodyElse: [] };
      const ours = atoms(self);
      const exceeds = [before, after].some(
        (one) => one !== null && !atoms(one).union(placeOf(one.membership)).isSubsetOf(ours),
      );
      const refusal = refuseRights(giver, change);
      expect({ self, change, refusal }).toStrictEqual({
        self,
        change,
        refusal: exceeds ? 'exceeds-own-rights' : null,
      });
      counts[refusal === null ? 'accepted' : 'refused']++;
    }
    expect(counts.accepted).toBeGreaterThan(500);
    expect(counts.refused).toBeGreaterThan(500);
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
