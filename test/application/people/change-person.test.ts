/** Nobody raises a person above themselves, whatever they send (Contract: §16): random draws through the use case. */
import { beforeAll, expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEntryFactory } from '#application/audit/make-entry.ts';
import { makeCall } from '#application/call.ts';
import { type ChangePerson, makeChangePerson } from '#application/people/change-person.ts';
import type { PersonInput } from '#application/people/person-input.ts';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { Rights } from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { anOrganization, aPartner, aUser, fixedClock, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const backend = createMemoryBackend({
  ...{ translatePattern, digestSecret, newId },
  clock: fixedClock(),
  hashPassword: async () => 'hash',
});
const [p, q] = [aPartner(), aPartner()];
const organizations = [p, p, q].map(({ id }) => anOrganization({ partnerId: id }));
const [a, b, c] = organizations.map(({ id }) => id) as [OrgId, OrgId, OrgId];
const [giver, target] = [aUser(), aUser()];

const MEMBERSHIPS: readonly Membership[] = [
  { scope: 'organization', orgId: a },
  { scope: 'organization', orgId: b },
  { scope: 'organization', orgId: c },
  { scope: 'partner', partnerId: p.id, orgIds: null },
  { scope: 'partner', partnerId: p.id, orgIds: [a] },
  { scope: 'partner', partnerId: p.id, orgIds: [a, b] },
  { scope: 'partner', partnerId: q.id, orgIds: null },
  { scope: 'system' },
];

let changePerson: ChangePerson;

beforeAll(async () => {
  // Others hold every role, so no drawn person is the last administrator.
  const admin = aUser({ membership: { scope: 'system' }, permissions: [USERS_WRITE], isPlatformAdmin: true });
  await loadFleet(backend, [p, q, ...organizations, giver, target, admin]);
  changePerson = makeChangePerson({
    ...backend,
    clock: fixedClock(),
    requireFreshMfa: () => null,
    makeEntry: makeEntryFactory({ clock: fixedClock(), newId }),
    deny: async (_call, _attempt, error) => err(error),
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Everything that a person may do, one entry per power, as sign-in reads the stored person. */
function powersOf({ scope, permissions, isPlatformAdmin }: Principal): ReadonlySet<string> {
  const places: string[] =
    scope.kind === 'system'
      ? [a, b, c, p.id, q.id, 'system']
      : scope.kind === 'partner'
        ? [...scope.orgIds, ...(scope.isWhole ? [scope.partnerId] : [])]
        : scope.kind === 'organization'
          ? [scope.orgId]
          : [];
  const powers = places.flatMap((place) => ['reads', ...permissions].map((what) => `${what} ${place}`));
  return new Set([...powers, ...permissions, ...(isPlatformAdmin ? ['administers the platform'] : [])]);
}

async function principalOf(id: UserId): Promise<Principal> {
  const principal = await backend.principals.findUser(id);
  if (principal === null) throw new Error('a drawn person is not active');
  return principal;
}

test('nobody changes a person beyond their own rights, in 10,000 draws of givers, people and bodies', async () => {
  const random = seeded(16);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const maybe = <T>(draw: () => T): T | undefined => (random() < 0.5 ? draw() : undefined);
  const drawRights = (isGiver: boolean): Rights => ({
    membership: pick(MEMBERSHIPS),
    permissions: [USERS_WRITE, DEVICES_WRITE].filter(
      (one) => (isGiver && one === USERS_WRITE) || random() < 0.5,
    ),
    isPlatformAdmin: random() < 0.2,
  });
  const drawInput = (): PersonInput => {
    const orgId = random() < 0.3 ? pick<OrgId>([a, b, c, newId()]) : undefined;
    const partnerId = random() < 0.3 ? pick<PartnerId>([p.id, q.id, newId()]) : undefined;
    return {
      ...{ name: undefined, status: undefined, orgId, partnerId },
      permissions: maybe(() => drawRights(false).permissions),
      isPlatformAdmin: maybe(() => random() < 0.5),
      scope: random() < 0.2 ? pick(['system', 'partner', 'organization']) : undefined,
      orgIds: random() < 0.2 ? pick([null, [a], [a, b], [c], [newId()]]) : undefined,
    };
  };
  const reset = (id: UserId, rights: Rights) =>
    backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const person = await tx.people.hold(id);
      if (person !== null) await tx.people.replace({ ...person, ...rights });
    });
  const counts = new Map<string, number>();

  for (let draw = 0; draw < 10_000; draw++) {
    await reset(giver.id, drawRights(true));
    await reset(target.id, drawRights(false));
    const [self, before] = [await principalOf(giver.id), await principalOf(target.id)];
    const call = makeCall({ ...self, requestId: 'draw', mfaVerifiedAt: 0 });
    const input = drawInput();
    const done = await changePerson<never>(call, target.id, async () => ok(input), { kind: 'none' });
    const after = await principalOf(target.id);
    const outcome = done.ok ? 'accepted' : done.error.code;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (!done.ok) expect(after).toStrictEqual(before);
    else {
      const ours = powersOf(self);
      const beyond = [before, after].flatMap((one) => [...powersOf(one).difference(ours)]);
      expect({ self, input, beyond }).toStrictEqual({ self, input, beyond: [] });
    }
  }
  for (const outcome of ['accepted', 'exceeds_own_rights', 'forbidden', 'not_found', 'validation_failed']) {
    expect([outcome, (counts.get(outcome) ?? 0) > 100]).toStrictEqual([outcome, true]);
  }
});
