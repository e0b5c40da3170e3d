/** What every store of identity providers promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { FederatedIdentity, IdentityProvider } from '#domain/access/identity-provider.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId, UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  anIdentityProvider,
  anOrganization,
  aPartner,
  aUser,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

export function testIdentityProviderStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);
  const find = (id: IdentityProviderId) => backend().identityProviderReader.find(SYSTEM_SCOPE, id);
  const aDomain = (isVerified = true) => ({ domain: `${newId()}.example`, isVerified });

  async function addTenant() {
    const partner = aPartner();
    const [one, two] = [anOrganization({ partnerId: partner.id }), anOrganization({ partnerId: partner.id })];
    await loadFleet(backend(), [partner, one, two]);
    return {
      one: { kind: 'organization', orgId: one.id } as const,
      two: { kind: 'organization', orgId: two.id } as const,
      partner: { kind: 'partner', partnerId: partner.id } as const,
      orgIds: [one.id, two.id] as const,
      partnerId: partner.id,
    };
  }

  async function add(given: Partial<IdentityProvider> = {}, secret = 'secret'): Promise<IdentityProvider> {
    const provider = anIdentityProvider({ owner: given.owner ?? (await addTenant()).partner, ...given });
    expect(await transact((tx) => tx.identityProviders.add(provider, secret))).toBeNull();
    return provider;
  }

  const disable = (userId: UserId) =>
    transact(async ({ people }) => {
      const person = await people.hold(userId);
      if (person !== null) await people.replace({ ...person, status: 'disabled' });
    });

  const anIdentity = (providerId: IdentityProviderId, userId: UserId): FederatedIdentity => ({
    ...{ providerId, subject: newId(), userId, isMade: false },
    ...{ createdAt: SOME_INSTANT, lastSignInAt: null },
  });

  async function makePerson(provider: IdentityProvider, membership: Membership = { scope: 'system' }) {
    const id = newId<'user'>();
    const person = {
      id,
      email: `${id}@kestrel.example`,
      name: 'Mei',
      permissions: [USERS_WRITE],
      membership,
    };
    const identity = { ...anIdentity(provider.id, id), isMade: true };
    const made = await transact((tx) =>
      tx.identityProviders.makePerson({ ...person, isPlatformAdmin: false }, identity),
    );
    expect(made).toBeNull();
    return { person, identity };
  }

  describe('IdentityProviderReader', () => {
    test('lists the providers of owners that the scope may change, by name, and finds no others', async () => {
      const { one, two, partner, orgIds, partnerId } = await addTenant();
      const ofOne = await add({ owner: one, name: 'C' });
      const ofTwo = await add({ owner: two, name: 'B' });
      const ofPartner = await add({
        owner: partner,
        name: 'A',
        domains: [aDomain(), aDomain(false)].sort(byDomain),
      });
      const ofOthers = await add();
      const { identityProviderReader } = backend();
      expect(await identityProviderReader.list(partnerScope(partnerId, orgIds))).toStrictEqual([
        ofPartner,
        ofTwo,
        ofOne,
      ]);
      expect(await identityProviderReader.list(orgScope(orgIds[0]))).toStrictEqual([ofOne]);
      const some = { kind: 'partner', partnerId, orgIds: [orgIds[1]], isWhole: false } as const;
      expect(await identityProviderReader.list(some)).toStrictEqual([ofTwo]);
      expect(await identityProviderReader.list(SYSTEM_SCOPE)).toStrictEqual(
        expect.arrayContaining([ofPartner, ofTwo, ofOne, ofOthers]),
      );
      expect(await identityProviderReader.find(orgScope(orgIds[0]), ofOne.id)).toStrictEqual(ofOne);
      for (const hidden of [ofTwo, ofPartner, ofOthers]) {
        expect(await identityProviderReader.find(orgScope(orgIds[0]), hidden.id)).toBeNull();
      }
      expect(await find(newId())).toBeNull();
    });

    test('finds a provider with its secret by id or by a verified domain', async () => {
      const [verified, claimed] = [aDomain(), aDomain(false)];
      const provider = await add({ domains: [verified, claimed].sort(byDomain) }, 'a "secret", ü');
      const found = { provider, clientSecret: 'a "secret", ü' };
      const { findForSignIn } = backend().identityProviderReader;
      expect(await findForSignIn({ id: provider.id })).toStrictEqual(found);
      expect(await findForSignIn({ domain: verified.domain })).toStrictEqual(found);
      expect(await findForSignIn({ domain: claimed.domain })).toBeNull();
      expect(await findForSignIn({ id: newId() })).toBeNull();
    });
  });

  describe('IdentityProviderWriter', () => {
    test('keeps every setting', async () => {
      const { partner, orgIds } = await addTenant();
      const provider = await add({
        owner: partner,
        provisions: true,
        permissions: [USERS_WRITE],
        groupsClaim: 'realm_access.roles',
        groups: [
          { group: 'a, "b" {c}', permissions: [USERS_WRITE], orgIds: [orgIds[0]] },
          { group: 'all', permissions: [], orgIds: null },
        ],
        trustsMfa: true,
        acrValues: ['urn:a,b', '{"x"}', ''],
      });
      expect(await find(provider.id)).toStrictEqual(provider);
      expect(await transact((tx) => tx.identityProviders.hold(provider.id))).toStrictEqual(provider);
      expect(await transact((tx) => tx.identityProviders.hold(newId()))).toBeNull();
    });

    test('adds nothing for an owner that does not exist', async () => {
      for (const owner of [
        { kind: 'organization', orgId: newId<'organization'>() },
        { kind: 'partner', partnerId: newId<'partner'>() },
      ] as const) {
        const provider = anIdentityProvider({ owner });
        expect(await transact((tx) => tx.identityProviders.add(provider, 'x'))).toBe('unknown-owner');
        expect(await find(provider.id)).toBeNull();
      }
    });

    test('changes settings, and the secret if there is a new one, but neither owner nor issuer', async () => {
      const before = await add({ domains: [aDomain()], permissions: [USERS_WRITE] }, 'old');
      const other = (await addTenant()).one;
      const after = { ...before, name: 'New', domains: [aDomain()], permissions: [], acrValues: ['gold'] };
      const sent = { ...after, owner: other, issuer: 'https://evil.example', createdAt: 0 };
      expect(await transact((tx) => tx.identityProviders.replace(sent, null))).toBeNull();
      const { findForSignIn } = backend().identityProviderReader;
      expect(await findForSignIn({ id: before.id })).toStrictEqual({ provider: after, clientSecret: 'old' });
      expect(await findForSignIn({ domain: before.domains[0]?.domain ?? '' })).toBeNull();
      await transact((tx) => tx.identityProviders.replace(after, 'new'));
      expect(await findForSignIn({ id: before.id })).toStrictEqual({ provider: after, clientSecret: 'new' });
      const unknown = anIdentityProvider({ owner: other });
      await expect(transact((tx) => tx.identityProviders.replace(unknown, null))).rejects.toThrow(unknown.id);
    });

    test('lets several providers claim a domain, but only one verify it', async () => {
      const domain = `${newId()}.example`;
      const [claimed, verified] = [
        { domain, isVerified: false },
        { domain, isVerified: true },
      ];
      const [first, second] = [await add({ domains: [claimed] }), await add({ domains: [claimed] })];
      const replace = (provider: IdentityProvider) =>
        transact((tx) => tx.identityProviders.replace({ ...provider, domains: [verified] }, null));
      expect(await replace(first)).toBeNull();
      expect(await replace(first)).toBeNull();
      expect(await replace(second)).toBe('domain-taken');
      expect(await find(second.id)).toStrictEqual(second);
      const late = anIdentityProvider({ owner: first.owner, domains: [claimed] });
      expect(await transact((tx) => tx.identityProviders.add(late, 'x'))).toBe('domain-taken');
      await transact((tx) => tx.identityProviders.remove(first.id));
      expect(await replace(second)).toBeNull();
    });

    test('gives a domain to only one of many providers that verify it at once', async () => {
      const domain = `${newId()}.example`;
      const { one } = await addTenant();
      const providers = Array.from({ length: 10 }, () =>
        anIdentityProvider({ owner: one, domains: [{ domain, isVerified: true }] }),
      );
      const added = await Promise.all(
        providers.map((provider) => transact((tx) => tx.identityProviders.add(provider, 'x'))),
      );
      expect(added.filter((refusal) => refusal === null)).toHaveLength(1);
    });

    test('creates an active person without a password, once for each email', async () => {
      const { partnerId, orgIds, partner } = await addTenant();
      const provider = await add({ owner: partner, name: 'Entra' });
      for (const reach of [null, [orgIds[0]], []]) {
        const membership = { scope: 'partner', partnerId, orgIds: reach } as const;
        const { person, identity } = await makePerson(provider, membership);
        expect(await backend().peopleReader.find(SYSTEM_SCOPE, person.id)).toMatchObject({
          ...person,
          ...{ status: 'active', isPlatformAdmin: false },
          identityProvider: { id: provider.id, name: 'Entra' },
        });
        const { providerId, subject } = identity;
        expect(await transact((tx) => tx.identityProviders.findIdentity(providerId, subject))).toStrictEqual(
          identity,
        );
        const again = {
          ...person,
          id: newId<'user'>(),
          email: person.email.toUpperCase(),
          isPlatformAdmin: false,
        };
        const other = anIdentity(provider.id, again.id);
        expect(await transact((tx) => tx.identityProviders.makePerson(again, other))).toBe('email-taken');
        expect(
          await transact((tx) => tx.identityProviders.findIdentity(provider.id, other.subject)),
        ).toBeNull();
      }
    });

    test('links a subject to one person, and a person to one subject', async () => {
      const provider = await add();
      const [user, other] = [aUser(), aUser()];
      await loadFleet(backend(), [user, other]);
      const link = (identity: FederatedIdentity) => transact((tx) => tx.identityProviders.link(identity));
      const identity = anIdentity(provider.id, user.id);
      const links = await Promise.all(Array.from({ length: 10 }, () => link(identity)));
      expect(links.filter(Boolean)).toHaveLength(1);
      expect(await link({ ...identity, userId: other.id })).toBe(false);
      expect(await link({ ...identity, subject: 'second' })).toBe(false);
      expect(await link(anIdentity((await add()).id, user.id))).toBe(true);
      const find = (subject: string) =>
        transact((tx) => tx.identityProviders.findIdentity(provider.id, subject));
      expect(await find(identity.subject)).toStrictEqual(identity);
      // Subjects differ by case.
      expect(await find(identity.subject.toUpperCase())).toBeNull();
      expect(await backend().peopleReader.find(SYSTEM_SCOPE, user.id)).toMatchObject({
        identityProvider: null,
      });
    });

    test('lists the providers that sign a person in, or could', async () => {
      const { one, two, partner, partnerId, orgIds } = await addTenant();
      const ofPartner = await add({ owner: partner, name: 'B' });
      const [ofOne, ofTwo] = [await add({ owner: one, name: 'A' }), await add({ owner: two, name: 'C' })];
      await add();
      const member = aUser({ membership: { scope: 'organization', orgId: orgIds[0] } });
      const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgIds[1]] } });
      const nobodys = [
        aUser({ membership: { scope: 'system' } }),
        aUser({ membership: { scope: 'organization', orgId: orgIds[0] }, isPlatformAdmin: true }),
      ];
      await loadFleet(backend(), [member, staff, ...nobodys]);
      const identity = anIdentity(ofPartner.id, member.id);
      await transact((tx) => tx.identityProviders.link(identity));
      const list = (userId: UserId) => backend().identityProviderReader.listForPerson(userId);
      expect(await list(member.id)).toStrictEqual([
        { provider: { id: ofOne.id, name: 'A' }, identity: null },
        { provider: { id: ofPartner.id, name: 'B' }, identity },
      ]);
      expect(await list(staff.id)).toStrictEqual([
        { provider: { id: ofPartner.id, name: 'B' }, identity: null },
      ]);
      for (const { id } of nobodys) expect(await list(id)).toStrictEqual([]);
      const { person, identity: made } = await makePerson(ofTwo, { scope: 'organization', orgId: orgIds[1] });
      expect((await list(person.id)).map((each) => each.identity)).toStrictEqual([null, made]);
      await disable(person.id);
      expect(await list(person.id)).toStrictEqual([]);
    });

    test('ends a link, except for people whom the provider created', async () => {
      const provider = await add();
      const [user, other] = [aUser(), aUser()];
      await loadFleet(backend(), [user, other]);
      await transact((tx) => tx.identityProviders.link(anIdentity(provider.id, user.id)));
      const { person } = await makePerson(provider);
      const unlink = (userId: UserId) => transact((tx) => tx.identityProviders.unlink(provider.id, userId));
      expect(await unlink(other.id)).toBe(false);
      expect(await unlink(person.id)).toBe(false);
      expect([await unlink(user.id), await unlink(user.id)]).toStrictEqual([true, false]);
    });

    test('records the last sign-in', async () => {
      const { identity } = await makePerson(await add());
      const { providerId, subject } = identity;
      await transact((tx) => tx.identityProviders.recordSignIn(providerId, subject, SOME_INSTANT + 1));
      expect(await transact((tx) => tx.identityProviders.findIdentity(providerId, subject))).toStrictEqual({
        ...identity,
        lastSignInAt: SOME_INSTANT + 1,
      });
    });

    test('keeps its people when it is removed, and names the active ones without a password', async () => {
      const provider = await add();
      const { person, identity } = await makePerson(provider);
      const disabled = await makePerson(provider);
      await disable(disabled.person.id);
      const user = aUser();
      await loadFleet(backend(), [user]);
      await transact((tx) => tx.identityProviders.link(anIdentity(provider.id, user.id)));
      const dependent = await transact(async (tx) => {
        const ids = await tx.identityProviders.listDependent(provider.id);
        await tx.identityProviders.remove(provider.id);
        return ids;
      });
      expect(dependent).toStrictEqual([person.id]);
      expect(await find(provider.id)).toBeNull();
      expect(await backend().peopleReader.find(SYSTEM_SCOPE, person.id)).toMatchObject({
        ...{ status: 'active', identityProvider: null },
      });
      expect(
        await transact((tx) => tx.identityProviders.findIdentity(provider.id, identity.subject)),
      ).toBeNull();
    });

    test('forgets the identities of an erased person', async () => {
      const { person, identity } = await makePerson(await add());
      await transact((tx) => tx.eraseAccount(person.id));
      const { providerId, subject } = identity;
      expect(await transact((tx) => tx.identityProviders.findIdentity(providerId, subject))).toBeNull();
    });
  });
}

function byDomain(a: { readonly domain: string }, b: { readonly domain: string }): number {
  return a.domain < b.domain ? -1 : 1;
}
