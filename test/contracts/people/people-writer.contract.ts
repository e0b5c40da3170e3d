/** What every store of people promises to those who change them. */
import { createHash } from 'node:crypto';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ChangeablePerson } from '#domain/access/person.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import {
  createStaff,
  PERSON_NAMES,
  type PersonName,
  REACHED,
} from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anApiKey, aUser, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, setStatus } from '#test/support/tenant.ts';

export function testPeopleWriter(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, work);
  const change = (
    id: UserRecord['id'],
    changed: Partial<ChangeablePerson>,
    scope: AccessScope = SYSTEM_SCOPE,
  ) =>
    transact(async (tx) => {
      const person = await tx.people.hold(id);
      if (person === null) throw new Error('out of reach');
      await tx.people.replace({ ...person, ...changed });
    }, scope);
  const principal = (id: UserRecord['id']) => backend().principals.findUser(id);

  async function addUser(given: Partial<UserRecord> = {}): Promise<UserRecord> {
    const user = aUser(given);
    await loadFleet(backend(), [user]);
    return user;
  }

  describe('PeopleWriter', () => {
    test('holds only people in reach', async () => {
      const { people, scopes } = await createStaff(backend());
      for (const [name, scope] of Object.entries(scopes)) {
        const held: PersonName[] = [];
        await transact(async (tx) => {
          for (const who of PERSON_NAMES) if ((await tx.people.hold(people[who].id)) !== null) held.push(who);
        }, scope);
        expect([name, held]).toStrictEqual([name, REACHED[name]]);
      }
    });

    test('holds a person with all their fields, and nobody by an unknown or erased id', async () => {
      const { a, b, p, people } = await createStaff(backend());
      const { id, email, name } = people['staff of P in A'];
      await change(id, { membership: { scope: 'partner', partnerId: p, orgIds: [b, a] } });
      expect(await transact((tx) => tx.people.hold(id))).toStrictEqual({
        ...{ id, email, name, isPlatformAdmin: false, status: 'active', permissions: ['users:write'] },
        membership: { scope: 'partner', partnerId: p, orgIds: [a, b].toSorted() },
      });
      await transact((tx) => tx.eraseAccount(id));
      expect(await transact((tx) => tx.people.hold(id))).toBeNull();
      expect(await transact((tx) => tx.people.hold(newId()))).toBeNull();
    });

    test('replaces name and permissions, and keeps tokens valid', async () => {
      const user = await addUser({ permissions: ['devices:write'] });
      const before = await principal(user.id);
      await change(user.id, { name: 'Anew', permissions: ['users:write'], isPlatformAdmin: true });
      expect(await principal(user.id)).toStrictEqual({
        ...before,
        permissions: new Set(['users:write']),
        isPlatformAdmin: true,
      });
      expect((await backend().peopleReader.find(SYSTEM_SCOPE, user.id))?.name).toBe('Anew');
    });

    test('moves a person, and voids their tokens', async () => {
      const { a, b, p, people } = await createStaff(backend());
      const { id } = people['of A'];
      const places: readonly Membership[] = [
        { scope: 'organization', orgId: b },
        { scope: 'partner', partnerId: p, orgIds: [a] },
        { scope: 'partner', partnerId: p, orgIds: [a, b].toSorted() },
        { scope: 'partner', partnerId: p, orgIds: null },
        { scope: 'system' },
        { scope: 'organization', orgId: a },
      ];
      let epoch = (await principal(id))?.authEpoch ?? 0;
      for (const membership of places) {
        await change(id, { membership });
        const { authEpoch = 0 } = (await principal(id)) ?? {};
        expect(authEpoch).toBeGreaterThan(epoch);
        epoch = authEpoch;
        const found = await backend().peopleReader.find(SYSTEM_SCOPE, id);
        expect(found?.membership).toStrictEqual(membership);
      }
    });

    test('moves nobody out of its reach', async () => {
      const { b, people } = await createStaff(backend());
      const { id, membership } = people['of A'];
      const scope = membership.scope === 'organization' ? orgScope(membership.orgId) : SYSTEM_SCOPE;
      for (const place of [{ scope: 'organization', orgId: b }, { scope: 'system' }] as const) {
        await expect(change(id, { membership: place }, scope)).rejects.toThrow('out of reach');
      }
      const found = await backend().peopleReader.find(SYSTEM_SCOPE, id);
      expect(found?.membership).toStrictEqual(membership);
    });

    test('a disabled person is not found, and their tokens and keys do not work', async () => {
      const user = await addUser();
      const key = anApiKey({ userId: user.id, key: `fsk_${newId()}` });
      await loadFleet(backend(), [key]);
      const sha256 = createHash('sha256').update(key.key).digest('hex');
      const findKey = async () => (await backend().principals.findApiKey(sha256))?.grant.id ?? null;
      const before = await principal(user.id);
      expect(await findKey()).toBe(key.id);
      await transact((tx) => setStatus(tx, user.id, 'disabled'));
      expect([await principal(user.id), await findKey()]).toStrictEqual([null, null]);
      expect(await backend().signIns.findByEmail(user.email)).toBeNull();
      expect(await backend().accounts.findAccounts(user.email)).toMatchObject([
        { id: user.id, status: 'disabled' },
      ]);
      await transact((tx) => setStatus(tx, user.id, 'active'));
      expect(await findKey()).toBe(key.id);
      expect(await principal(user.id)).toStrictEqual({ ...before, authEpoch: (before?.authEpoch ?? 0) + 2 });
    });

    test('does nothing if the transaction fails', async () => {
      const { id } = await addUser();
      const work = transact(async (tx) => {
        await setStatus(tx, id, 'disabled');
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await principal(id)).not.toBeNull();
    });

    test('knows which places exist', async () => {
      const { a, b, p, scopes } = await createStaff(backend());
      const other = await createTenant(backend());
      const exists = (membership: Membership, scope: AccessScope = SYSTEM_SCOPE) =>
        transact((tx) => tx.people.placeExists(membership), scope);
      for (const there of [
        { scope: 'system' },
        { scope: 'organization', orgId: a },
        { scope: 'partner', partnerId: p, orgIds: null },
        { scope: 'partner', partnerId: p, orgIds: [a, b] },
      ] as const) {
        expect(await exists(there)).toBe(true);
      }
      for (const missing of [
        { scope: 'organization', orgId: newId<'organization'>() },
        { scope: 'partner', partnerId: newId<'partner'>(), orgIds: null },
        { scope: 'partner', partnerId: p, orgIds: [a, newId<'organization'>()] },
        { scope: 'partner', partnerId: p, orgIds: [a, other.orgId] },
      ] as const) {
        expect(await exists(missing)).toBe(false);
      }
      expect(await exists({ scope: 'organization', orgId: a }, scopes['organization A'])).toBe(true);
    });

    test('an email is taken by an active or invited person of any tenant', async () => {
      const { scopes } = await createStaff(backend());
      const isTaken = (email: string) =>
        transact((tx) => tx.people.isEmailTaken({ email }), scopes['organization A']);
      const user = await addUser();
      expect(await isTaken(user.email.toUpperCase())).toBe(true);
      expect(await isTaken(`${newId()}@example.com`)).toBe(false);
      await transact((tx) => setStatus(tx, user.id, 'disabled'));
      expect(await isTaken(user.email)).toBe(false);
      const other = await addUser({ email: user.email.toUpperCase() });
      expect(await isTaken(user.email)).toBe(true);
      await transact((tx) => setStatus(tx, other.id, 'disabled'));
      await transact((tx) => setStatus(tx, user.id, 'active'));
      expect(await isTaken(user.email)).toBe(true);
      expect(await backend().accounts.findUserByEmail(user.email)).toBe(user.id);
      await transact((tx) => tx.eraseAccount(user.id));
      expect(await isTaken(user.email)).toBe(false);
    });

    test('tells the roles that nobody else has, in any scope', async () => {
      const { scopes, people } = await createStaff(backend());
      const system = { membership: { scope: 'system' }, permissions: ['users:write'] } as const;
      const [first, second] = [
        await addUser({ ...system, isPlatformAdmin: true }),
        await addUser({ ...system, isPlatformAdmin: true }),
      ];
      const roles = (id: UserRecord['id'], scope = scopes['organization A']) =>
        transact((tx) => tx.people.rolesOfNobodyElse(id), scope);
      expect(await roles(first.id)).toStrictEqual([]);
      // People of other tests lose their roles for this transaction only.
      const alone = transact(async (tx) => {
        for (const one of await backend().accounts.listUsers(null)) {
          if (one.id === first.id || one.id === second.id) continue;
          if (one.isPlatformAdmin || one.membership.scope === 'system') await disarm(tx, one.id);
        }
        expect(await tx.people.rolesOfNobodyElse(first.id)).toStrictEqual([]);
        await setStatus(tx, second.id, 'disabled');
        expect(await tx.people.rolesOfNobodyElse(first.id)).toStrictEqual([
          'platform-admin',
          'system-users-write',
        ]);
        expect(await tx.people.rolesOfNobodyElse(people['of A'].id)).toStrictEqual([]);
        throw new Error('undone');
      });
      await expect(alone).rejects.toThrow('undone');
    });

    test('lets transactions that ask for roles take turns, so that only one of two people leaves', async () => {
      const system = { membership: { scope: 'system' }, permissions: ['users:write'] } as const;
      const users = [await addUser(system), await addUser(system)];
      const outcomes = await Promise.all(
        users.map(({ id }) =>
          transact(async (tx) => {
            await tx.people.rolesOfNobodyElse(id);
            const rest = await Promise.all(users.map((user) => tx.people.hold(user.id)));
            if (rest.filter((one) => one?.status === 'active').length < 2) return 'stays';
            await setStatus(tx, id, 'disabled');
            return 'leaves';
          }),
        ),
      );
      expect(outcomes.toSorted()).toStrictEqual(['leaves', 'stays']);
    });
  });
}

async function disarm({ people }: Transaction, id: UserRecord['id']): Promise<void> {
  const person = await people.hold(id);
  if (person !== null) await people.replace({ ...person, permissions: [], isPlatformAdmin: false });
}
