/** What every store of people promises. */
import type { PeopleQuery } from '#application/ports/people/people-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Person, PersonPlace } from '#domain/access/person.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createStaff, PERSON_NAMES, REACHED } from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { walkPages } from '#test/contracts/walk-pages.ts';
import { aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const EVERYBODY: PeopleQuery = {
  foldedText: '',
  orgId: null,
  partnerId: null,
  status: null,
  after: null,
  limit: 200,
};

export function testPeopleStore(backend: () => ContractBackend): void {
  const list = (scope: AccessScope, query: Partial<PeopleQuery>) =>
    backend().peopleReader.list(scope, { ...EVERYBODY, ...query });

  describe('PeopleReader', () => {
    test('people are seen by those who reach them, and by nobody else', async () => {
      const { people, scopes } = await createStaff(backend());
      const idOf = (name: (typeof PERSON_NAMES)[number]) => people[name].id;
      for (const [name, scope] of Object.entries(scopes)) {
        const seen = new Set<string>((await list(scope, {})).map(({ id }) => id));
        const reached = REACHED[name] ?? [];
        if (name !== 'system')
          expect(PERSON_NAMES.filter((who) => seen.has(idOf(who)))).toStrictEqual(reached);
        for (const who of PERSON_NAMES) {
          const found = await backend().peopleReader.find(scope, idOf(who));
          expect([name, who, found !== null]).toStrictEqual([name, who, reached.includes(who)]);
        }
      }
    });

    test('a person has their place, their rights and their second factor', async () => {
      const { a, p, people } = await createStaff(backend());
      const find = (id: Person['id']) => backend().peopleReader.find(SYSTEM_SCOPE, id);
      const { email, name, createdAt } = (await find(people['of A'].id)) as Person;
      expect(await find(people['of A'].id)).toStrictEqual({
        ...{ id: people['of A'].id, email, name, createdAt },
        membership: { scope: 'organization', orgId: a },
        organization: { id: a, name: `Contoso ${a}` },
        partner: null,
        permissions: ['users:write'],
        isPlatformAdmin: false,
        status: 'active',
        mfa: { totp: false, passkeys: 0 },
        identityProvider: null,
        lastSignInAt: null,
      });
      expect(await find(people['staff of P in A'].id)).toMatchObject({
        membership: { scope: 'partner', partnerId: p, orgIds: [a] },
        organization: null,
        partner: { id: p, name: `Northwind ${p}` },
      });
      expect(await find(people.system.id)).toMatchObject({
        membership: { scope: 'system' },
        organization: null,
        partner: null,
      });
      expect(await find(newId<'user'>())).toBeNull();
    });

    test('a last sign-in is the latest session or network', async () => {
      const { people } = await createStaff(backend());
      const { id } = people['of A'];
      const at = SOME_INSTANT + 60_000;
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.ownNetworks.remember(id, '203.0.113.0/24', SOME_INSTANT, 0);
        const session = {
          ...{ id: newId<'session'>(), userId: id, authEpoch: 1, mfa: null, ip: null, userAgent: null },
          provenAt: null,
          ...{ createdAt: at, lastUsedAt: at, expiresAt: at + 60_000, endedAt: null },
        };
        await tx.sessions.add(session, newId());
      });
      expect((await backend().peopleReader.find(SYSTEM_SCOPE, id))?.lastSignInAt).toBe(at);
    });

    test('people are paged by name in any case, and filtered by text, tenant and status', async () => {
      const tenant = await createTenant(backend());
      const membership = { scope: 'organization', orgId: tenant.orgId } as const;
      const named = (name: string, status: 'active' | 'disabled' = 'active') =>
        aUser({ membership, name, status, email: `${foldCase(name)}-${newId()}@people.example` });
      const people = [named('zoe'), named('Ælf', 'disabled'), named('anna'), named('Anna'), named('BERT')];
      await loadFleet(backend(), people);
      const { orgId } = tenant;
      const all = await walkPages<Person, PersonPlace>(
        2,
        (after, limit) => list(SYSTEM_SCOPE, { orgId, foldedText: 'people.example', after, limit }),
        ({ id, name }) => ({ id, name: sortedName(name) }),
      );
      const annas = people
        .filter(({ name }) => foldCase(name) === 'anna')
        .sort((x, y) => (x.id < y.id ? -1 : 1));
      expect(all.map(({ id }) => id)).toStrictEqual(
        [...annas, people[4], people[0], people[1]].map((person) => person?.id),
      );
      const narrowed = await list(SYSTEM_SCOPE, { orgId, status: 'disabled' });
      expect(narrowed.map(({ name }) => name)).toStrictEqual(['Ælf']);
      expect((await list(SYSTEM_SCOPE, { orgId, foldedText: 'bert' })).map(({ name }) => name)).toStrictEqual(
        ['BERT'],
      );
      expect(await list(SYSTEM_SCOPE, { orgId, status: 'invited' })).toStrictEqual([]);
    });

    test('a partner’s own staff are listed without the people of its organizations', async () => {
      const { p, people, scopes } = await createStaff(backend());
      const found = await list(scopes['partner P'] ?? SYSTEM_SCOPE, { partnerId: p });
      expect(new Set(found.map(({ id }) => id))).toStrictEqual(
        new Set([people['staff of P'].id, people['staff of P in A'].id]),
      );
    });

    test('an erased person is not found', async () => {
      const { people, scopes } = await createStaff(backend());
      const { id } = people['of A'];
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(id));
      expect(await backend().peopleReader.find(SYSTEM_SCOPE, id)).toBeNull();
      const seen = await list(scopes['organization A'] ?? SYSTEM_SCOPE, {});
      expect(seen.map((person) => person.id)).not.toContain(id);
    });
  });
}
