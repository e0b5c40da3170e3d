/** What every store of deletion requests promises about people: who may review, and whose account it is. */
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anOrganization, aUser, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet, setStatus } from '#test/support/tenant.ts';
import { attributionOf, createStaff, PERSON_NAMES, type PersonName, REACHED } from './staff.ts';

/** Who reaches the requests of whom; all hold users:write. */
const CANDIDATES: Readonly<Record<PersonName, readonly PersonName[]>> = {
  'of A': ['of A', 'staff of P', 'staff of P in A', 'system'],
  'of B': ['of B', 'staff of P', 'system'],
  'of C': ['of C', 'staff of Q', 'system'],
  'staff of P': ['staff of P', 'system'],
  'staff of P in A': ['staff of P', 'system'],
  'staff of Q': ['staff of Q', 'system'],
  system: ['system'],
};

const toRecipient = ({ id: userId, email, name }: UserRecord) => ({ userId, email, name });

const toCandidate = (user: UserRecord) => ({
  person: toRecipient(user),
  scope: user.membership.scope,
  permissions: user.permissions,
  isPlatformAdmin: user.isPlatformAdmin,
});

export function testReviewerCandidates(backend: () => ContractBackend): void {
  describe('DeletionRequestWriter.findReviewerCandidates', () => {
    test.each(Object.entries(CANDIDATES))(
      'finds the candidates for a person (%s): %j',
      async (name, candidates) => {
        const { people } = await createStaff(backend());
        const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
          tx.deletions.findReviewerCandidates(attributionOf(people[name as PersonName].membership)),
        );
        const own = found.filter(({ person: { userId } }) =>
          PERSON_NAMES.some((person) => people[person].id === userId),
        );
        expect(own).toStrictEqual(
          candidates
            .map((candidate) => toCandidate(people[candidate]))
            .toSorted((a, b) => (a.person.userId < b.person.userId ? -1 : 1)),
        );
        // Other tests have made more staff of the system, who see every request; nobody is named twice.
        expect(new Set(found.map(({ person }) => person.userId)).size).toBe(found.length);
      },
    );

    test('gives candidates by id, in whatever order they were loaded', async () => {
      const { people, a } = await createStaff(backend());
      const membership = { scope: 'organization', orgId: a } as const;
      const late = Array.from({ length: 3 }, () => aUser({ membership, permissions: ['users:write'] }));
      for (const user of late.toReversed()) await loadFleet(backend(), [user]);
      const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
        tx.deletions.findReviewerCandidates({ orgId: a, partnerId: null }),
      );
      const ids = new Set([people['of A'], ...late].map(({ id }) => id));
      expect(found.map(({ person }) => person.userId).filter((id) => ids.has(id))).toStrictEqual(
        [...ids].toSorted(),
      );
    });

    test('leaves out people with another permission or none, and inactive ones', async () => {
      const { people, a } = await createStaff(backend());
      const membership = { scope: 'organization', orgId: a } as const;
      const disabled = aUser({ membership, permissions: ['users:write'] });
      const others = [
        disabled,
        aUser({ membership }),
        aUser({ membership, permissions: ['users:read', 'users:writer', 'USERS:WRITE'] }),
      ];
      await loadFleet(backend(), others);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => setStatus(tx, disabled.id, 'disabled'));
      const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
        tx.deletions.findReviewerCandidates({ orgId: a, partnerId: null }),
      );
      const ids = new Set(found.map(({ person }) => person.userId));
      expect(ids.has(people['of A'].id)).toBe(true);
      expect(others.filter(({ id }) => ids.has(id))).toStrictEqual([]);
    });

    test('adds platform administrators in reach, with or without users:write', async () => {
      const { people, a, b } = await createStaff(backend());
      const admins = [
        aUser({ membership: { scope: 'system' }, isPlatformAdmin: true }),
        aUser({ membership: { scope: 'organization', orgId: a }, isPlatformAdmin: true }),
        aUser({ membership: { scope: 'organization', orgId: b }, isPlatformAdmin: true }),
      ] as const;
      await loadFleet(backend(), admins);
      const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
        tx.deletions.findReviewerCandidates(attributionOf(people['of A'].membership)),
      );
      const ids = new Set<string>(admins.map(({ id }) => id));
      expect(found.filter(({ person }) => ids.has(person.userId))).toStrictEqual(
        [admins[0], admins[1]]
          .map(toCandidate)
          .toSorted((x, y) => (x.person.userId < y.person.userId ? -1 : 1)),
      );
    });
  });

  test('DeletionRequestWriter.findReviewerCandidates leaves out people whose organization now belongs to another partner', async () => {
    const { people, a } = await createStaff(backend());
    const { membership } = people['staff of Q'];
    const partnerId = membership.scope === 'partner' ? membership.partnerId : newId<'partner'>();
    await loadFleet(backend(), [anOrganization({ id: a, partnerId })]);
    const found = await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.deletions.findReviewerCandidates({ orgId: a, partnerId: null }),
    );
    const ids = found.map(({ person }) => person.userId);
    const names = PERSON_NAMES.filter((name) => ids.includes(people[name].id));
    expect(names).toStrictEqual(['of A', 'staff of Q', 'system']);
  });

  describe('DeletionRequestWriter.holdAccount', () => {
    test.each(PERSON_NAMES)(
      'holds the account of a person (%s), and tells where they belong',
      async (name) => {
        const { people } = await createStaff(backend());
        const user = people[name];
        const held = await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.holdAccount(user.id));
        expect(held).toStrictEqual({ person: toRecipient(user), ...attributionOf(user.membership) });
      },
    );

    test('finds nobody by an unknown id', async () => {
      const held = await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.deletions.holdAccount(newId()));
      expect(held).toBeNull();
    });
  });

  describe('DeletionRequestWriter.findPerson', () => {
    test.each(Object.entries(REACHED))('in the scope of %s, finds %j', async (scopeName, reached) => {
      const { people, scopes } = await createStaff(backend());
      const scope = scopes[scopeName] ?? SYSTEM_SCOPE;
      for (const name of PERSON_NAMES) {
        const found = await backend().unitOfWork(scope, (tx) => tx.deletions.findPerson(people[name].id));
        expect(found).toStrictEqual(reached.includes(name) ? toRecipient(people[name]) : null);
      }
    });
  });
}
