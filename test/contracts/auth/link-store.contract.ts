/** What every store of invited people and links promises. */
import type { NewPerson } from '#application/ports/auth/stores/link-store.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { LINK_LIFETIME_MS, type LinkPurpose } from '#domain/access/account-link.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aUser, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, setStatus } from '#test/support/tenant.ts';

const NOW = Date.UTC(2026, 10, 24, 8);

export function testLinkStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);

  const aPerson = (orgId: OrgId, given: Partial<NewPerson> = {}): NewPerson => {
    const id = newId<'user'>();
    return {
      ...{ id, email: `${id}@Example.com`, name: 'Grace Hopper' },
      membership: { scope: 'organization', orgId },
      permissions: ['devices:write'],
      isPlatformAdmin: false,
      ...given,
    };
  };
  const invite = async (given: Partial<NewPerson> = {}): Promise<NewPerson> => {
    const person = aPerson((await createTenant(backend())).orgId, given);
    expect(await transact((tx) => tx.links.invite(person, NOW))).toBeNull();
    return person;
  };
  const addUser = async (): Promise<UserId> => {
    const user = aUser();
    await loadFleet(backend(), [user]);
    return user.id;
  };
  const addLink = async (purpose: LinkPurpose, userId: UserId | null, at = NOW): Promise<string> => {
    const tokenSha256 = `sha256-${newId()}`;
    await transact((tx) => tx.links.addLink({ purpose, userId, tokenSha256, at }));
    return tokenSha256;
  };
  const hold = (tokenSha256: string, purpose: LinkPurpose, now = NOW) =>
    transact((tx) => tx.links.hold(tokenSha256, purpose, now));

  describe('LinkWriter: invited people', () => {
    test('are held as invited, cannot sign in, and become active when they accept', async () => {
      const { id, email, name, membership } = await invite();
      const invited = { id, email, name, membership, status: 'invited' };
      expect(await transact((tx) => tx.people.hold(id))).toMatchObject(invited);
      expect(await backend().signIns.findByEmail(email)).toBeNull();
      expect(await backend().principals.findUser(id)).toBeNull();
      await transact((tx) => tx.links.accept(id, { name: 'Grace', passwordHash: 'hash' }));
      expect(await transact((tx) => tx.people.hold(id))).toMatchObject({ status: 'active' });
      expect(await backend().signIns.findByEmail(email.toUpperCase())).toMatchObject({
        ...{ name: 'Grace', passwordHash: 'hash', email },
        principal: { userId: id, permissions: new Set(['devices:write']) },
      });
    });

    test('keep the partner and the subset of their invitation', async () => {
      const { partnerId, orgId } = await createTenant(backend());
      const membership = { scope: 'partner', partnerId, orgIds: [orgId] } as const;
      const { id } = await invite({ membership });
      expect(await transact((tx) => tx.people.hold(id))).toMatchObject({ membership });
    });

    test('are refused with the email of an active, disabled or invited person', async () => {
      const { orgId } = await createTenant(backend());
      const [active, disabled] = [aUser(), aUser({ status: 'disabled' })];
      await loadFleet(backend(), [active, disabled]);
      const invited = await invite();
      for (const { email } of [active, disabled, invited]) {
        const person = aPerson(orgId, { email: email.toUpperCase() });
        expect(await transact((tx) => tx.links.invite(person, NOW))).toBe('email-taken');
        expect(await transact((tx) => tx.people.hold(person.id))).toBeNull();
      }
      const again = { ...aUser(), email: invited.email };
      expect(await backend().accounts.createUser(again)).toMatchObject({ error: 'email-taken' });
    });

    test('may have the email of an erased person', async () => {
      const { id, email } = await invite();
      await transact((tx) => tx.eraseAccount(id));
      await invite({ email });
    });

    test('are refused if their organization or partner is unknown', async () => {
      const { partnerId, orgId } = await createTenant(backend());
      const foreign = (await createTenant(backend())).orgId;
      const refusalOf = (membership: NewPerson['membership']) =>
        transact((tx) => tx.links.invite(aPerson(orgId, { membership }), NOW));
      expect(await refusalOf({ scope: 'organization', orgId: newId<'organization'>() })).toBe(
        'unknown-organization',
      );
      expect(await refusalOf({ scope: 'partner', partnerId: newId<'partner'>(), orgIds: null })).toBe(
        'unknown-partner',
      );
      expect(await refusalOf({ scope: 'partner', partnerId, orgIds: [foreign] })).toBe(
        'unknown-organization',
      );
    });

    test('are limited to one if ten are invited at once with the same email', async () => {
      const { orgId } = await createTenant(backend());
      const email = `${newId()}@example.com`;
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => transact((tx) => tx.links.invite(aPerson(orgId, { email }), NOW))),
      );
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'email-taken')).toHaveLength(9);
    });
  });

  describe('LinkWriter: links', () => {
    test('lead to their person for their purpose, until they expire', async () => {
      const { id } = await invite();
      const user = await addUser();
      for (const [purpose, userId, other] of [
        ['invitation', id, 'password-reset'],
        ['password-reset', user, 'invitation'],
      ] as const) {
        const link = await addLink(purpose, userId);
        const last = NOW + LINK_LIFETIME_MS[purpose] - 1;
        expect(await hold(link, purpose, last)).toMatchObject({ userId });
        expect(await hold(link, purpose, last + 1)).toBeNull();
        expect(await hold(link, other)).toBeNull();
        expect(await hold(`${link}x`, purpose)).toBeNull();
      }
      const first = await addLink('first-run', null);
      expect(await hold(first, 'first-run')).toBe('nobody');
      await transact((tx) => tx.links.removeLinks(null));
      expect(await hold(first, 'first-run')).toBeNull();
    });

    test('only the newest invitation is valid, until it is accepted', async () => {
      const { id } = await invite();
      const [former, newest] = [await addLink('invitation', id), await addLink('invitation', id, NOW + 1)];
      expect(await hold(former, 'invitation', NOW + 1)).toBeNull();
      expect(await hold(newest, 'invitation', NOW + 1)).toMatchObject({ userId: id });
      await transact((tx) => tx.links.accept(id, { name: 'Grace', passwordHash: 'hash' }));
      expect(await hold(newest, 'invitation', NOW + 1)).toBeNull();
    });

    test('only the three newest password resets are valid', async () => {
      const user = await addUser();
      const links: string[] = [];
      for (let i = 0; i < 4; i++) links.push(await addLink('password-reset', user, NOW + i));
      const held = await Promise.all(links.map((link) => hold(link, 'password-reset', NOW + 4)));
      expect(held.map((one) => one !== null)).toStrictEqual([false, true, true, true]);
      await transact((tx) => tx.links.removeLinks(user));
      expect(await hold(links[3] ?? '', 'password-reset', NOW + 4)).toBeNull();
    });

    test('last for the lifetime that was given', async () => {
      const user = await addUser();
      const tokenSha256 = newId();
      const link = { purpose: 'password-reset', userId: user, tokenSha256, at: NOW, lifetimeMs: 7 } as const;
      await transact((tx) => tx.links.addLink(link));
      expect(await hold(tokenSha256, 'password-reset', NOW + 6)).toMatchObject({ userId: user });
      expect(await hold(tokenSha256, 'password-reset', NOW + 7)).toBeNull();
    });

    test('password resets are void after a change of password, factor or status', async () => {
      const changes: readonly ((tx: Transaction, userId: UserId) => Promise<unknown>)[] = [
        (tx, userId) => tx.passwords.change(userId, 'another hash'),
        (tx, userId) =>
          tx.mfa.completeEnrollment(userId, { secret: 'JBSWY3DPEHPK3PXP', step: 1, recoveryCodeSha256s: [] }),
        (tx, userId) => tx.mfa.removeFactor(userId),
        (tx, userId) => setStatus(tx, userId, 'disabled'),
        async (tx, userId) => {
          await setStatus(tx, userId, 'disabled');
          await setStatus(tx, userId, 'active');
        },
        (tx, userId) => tx.eraseAccount(userId),
      ];
      for (const change of changes) {
        const user = aUser({ totpSecret: 'JBSWY3DPEHPK3PXP' });
        await loadFleet(backend(), [user]);
        const link = await addLink('password-reset', user.id);
        expect(await hold(link, 'password-reset')).not.toBeNull();
        await transact((tx) => change(tx, user.id));
        expect(await hold(link, 'password-reset')).toBeNull();
      }
    });

    test('are not made for a person whose status does not allow them', async () => {
      const { id } = await invite();
      expect(await hold(await addLink('password-reset', id), 'password-reset')).toBeNull();
      expect(await hold(await addLink('invitation', await addUser()), 'invitation')).toBeNull();
    });

    test('can be used by only one of ten concurrent callers', async () => {
      const { id } = await invite();
      const link = await addLink('invitation', id);
      const accept = () =>
        transact(async (tx) => {
          if ((await tx.links.hold(link, 'invitation', NOW)) === null) return false;
          await tx.links.accept(id, { name: 'Grace', passwordHash: 'hash' });
          return true;
        });
      const outcomes = await Promise.all(Array.from({ length: 10 }, accept));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });

    test('are not found within a scope narrower than the system', async () => {
      const { id, membership } = await invite();
      const link = await addLink('invitation', id);
      const { orgId } = membership as { orgId: OrgId };
      const work = backend().unitOfWork(orgScope(orgId), (tx) => tx.links.hold(link, 'invitation', NOW));
      expect(await work.catch(() => null)).toBeNull();
    });
  });

  describe('LinkWriter: requests for a reset', () => {
    const takeAll = async () => {
      const taken: unknown[] = [];
      for (;;) {
        const one = await transact((tx) => tx.links.takeResetRequest());
        if (one === null) return taken;
        taken.push(one === 'nobody' ? one : one.userId);
      }
    };

    test('lead only to active people with a password, and are taken once', async () => {
      const [active, disabled, erased] = [aUser(), aUser({ status: 'disabled' }), aUser()];
      await loadFleet(backend(), [active, disabled, erased]);
      const invited = await invite();
      await takeAll();
      for (const { email } of [active, disabled, invited, erased, { email: 'nobody@example.com' }]) {
        await transact((tx) => tx.links.requestReset(email.toUpperCase(), NOW));
      }
      await transact((tx) => tx.eraseAccount(erased.id));
      const taken = await takeAll();
      expect(taken.filter((one) => one !== 'nobody')).toStrictEqual([active.id]);
      expect(await takeAll()).toStrictEqual([]);
    });
  });
}
