/** What every store of principals promises of users: their current reach. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anOrganization, aUser, newId } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

export function testPrincipalUsers(backend: () => ContractBackend): void {
  /** A principal's identity and reach. Epochs only increase, and no order is promised. */
  const describePrincipal = ({ userId, permissions, isPlatformAdmin, scope }: Principal) => ({
    userId,
    permissions,
    isPlatformAdmin,
    scope: scope.kind === 'partner' ? { ...scope, orgIds: scope.orgIds.toSorted() } : scope,
  });

  const findUser = async (id: UserId) => {
    const found = await backend().principals.findUser(id);
    if (found === null) throw new Error(`there is no user ${id}`);
    return found;
  };

  const loadUser = async (membership: Membership): Promise<UserId> => {
    const user = aUser({ membership });
    await loadFleet(backend(), [user]);
    return user.id;
  };

  describe('PrincipalStore.findUser', () => {
    test.each<[string, (tenant: Tenant) => Membership, (tenant: Tenant) => AccessScope]>([
      ['of the system', () => ({ scope: 'system' }), () => ({ kind: 'system' })],
      [
        'of an organization',
        ({ orgId }) => ({ scope: 'organization', orgId }),
        ({ orgId }) => ({ kind: 'organization', orgId }),
      ],
      [
        'of a whole partner',
        ({ partnerId }) => ({ scope: 'partner', partnerId, orgIds: null }),
        ({ partnerId, orgIds }) => ({ kind: 'partner', partnerId, orgIds: orgIds.toSorted(), isWhole: true }),
      ],
      [
        'of a partner with a subset',
        ({ partnerId, orgIds }) => ({ scope: 'partner', partnerId, orgIds: orgIds.slice(0, 2) }),
        ({ partnerId, orgIds }) => ({
          kind: 'partner',
          partnerId,
          orgIds: orgIds.slice(0, 2).toSorted(),
          isWhole: false,
        }),
      ],
      [
        'of a partner with an empty subset',
        ({ partnerId }) => ({ scope: 'partner', partnerId, orgIds: [] }),
        ({ partnerId }) => ({ kind: 'partner', partnerId, orgIds: [], isWhole: false }),
      ],
    ])('gives a user %s with the organizations in reach', async (_name, membershipOf, scopeOf) => {
      const tenant = await createTenant(backend(), 3);
      const user = aUser({
        membership: membershipOf(tenant),
        permissions: ['users:write', 'filters:read'],
        isPlatformAdmin: true,
      });
      await loadFleet(backend(), [user]);
      expect(describePrincipal(await findUser(user.id))).toStrictEqual({
        userId: user.id,
        scope: scopeOf(tenant),
        permissions: new Set(['users:write', 'filters:read']),
        isPlatformAdmin: true,
      });
    });

    test('gives no permissions to a user without any', async () => {
      const id = await loadUser({ scope: 'system' });
      expect(describePrincipal(await findUser(id))).toStrictEqual({
        userId: id,
        scope: { kind: 'system' },
        permissions: new Set(),
        isPlatformAdmin: false,
      });
    });

    test('gives null for an unknown user', async () => {
      expect(await backend().principals.findUser(newId())).toBeNull();
    });

    test('lets a whole partner reach an organization as soon as it joins', async () => {
      const { partnerId, orgIds } = await createTenant(backend());
      const id = await loadUser({ scope: 'partner', partnerId, orgIds: null });
      const newcomer = anOrganization({ partnerId });
      await loadFleet(backend(), [newcomer]);
      expect(describePrincipal(await findUser(id)).scope).toStrictEqual({
        kind: 'partner',
        partnerId,
        orgIds: [...orgIds, newcomer.id].toSorted(),
        isWhole: true,
      });
    });

    test('does not extend a subset when an organization joins', async () => {
      const { partnerId, orgIds } = await createTenant(backend());
      const id = await loadUser({ scope: 'partner', partnerId, orgIds });
      await loadFleet(backend(), [anOrganization({ partnerId })]);
      expect((await findUser(id)).scope).toStrictEqual({
        kind: 'partner',
        partnerId,
        orgIds,
        isWhole: false,
      });
    });

    test('takes an organization out of reach of the partner that it leaves, with or without a subset', async () => {
      const tenant = await createTenant(backend(), 2);
      const other = await createTenant(backend());
      const { partnerId, orgIds, orgId } = tenant;
      const whole = await loadUser({ scope: 'partner', partnerId, orgIds: null });
      const subset = await loadUser({ scope: 'partner', partnerId, orgIds });
      await loadFleet(
        backend(),
        orgIds.slice(1).map((id) => anOrganization({ id, partnerId: other.partnerId })),
      );
      expect((await findUser(whole)).scope).toStrictEqual({
        kind: 'partner',
        partnerId,
        orgIds: [orgId],
        isWhole: true,
      });
      expect((await findUser(subset)).scope).toStrictEqual({
        kind: 'partner',
        partnerId,
        orgIds: [orgId],
        isWhole: false,
      });
    });

    test('shows changed membership and permissions at once, and raises the epoch', async () => {
      const { partnerId, orgId } = await createTenant(backend());
      const user = aUser({
        membership: { scope: 'partner', partnerId, orgIds: null },
        permissions: ['users:write'],
        isPlatformAdmin: true,
      });
      await loadFleet(backend(), [user]);
      const before = await findUser(user.id);
      const changed = aUser({
        ...user,
        membership: { scope: 'organization', orgId },
        permissions: [],
        isPlatformAdmin: false,
      });
      await loadFleet(backend(), [changed]);
      const after = await findUser(user.id);
      expect(describePrincipal(after)).toStrictEqual({
        userId: user.id,
        scope: { kind: 'organization', orgId },
        permissions: new Set(),
        isPlatformAdmin: false,
      });
      expect(after.authEpoch).toBeGreaterThan(before.authEpoch);
    });

    test('raises the epoch when the password changes', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      const before = await findUser(user.id);
      await loadFleet(backend(), [{ ...user, password: 'another one altogether' }]);
      expect((await findUser(user.id)).authEpoch).toBeGreaterThan(before.authEpoch);
    });

    test('does not raise the epoch of others', async () => {
      const id = await loadUser({ scope: 'system' });
      const before = await findUser(id);
      await loadUser({ scope: 'system' });
      expect(await findUser(id)).toStrictEqual(before);
    });

    test('is not affected by changes to a principal object that was found', async () => {
      const { partnerId, orgIds } = await createTenant(backend());
      const id = await loadUser({ scope: 'partner', partnerId, orgIds: null });
      const before = await findUser(id);
      const again = await findUser(id);
      Reflect.set(again, 'isPlatformAdmin', true);
      Reflect.set(again.scope, 'isWhole', false);
      if (again.scope.kind === 'partner') Reflect.set(again.scope.orgIds, 0, newId());
      (again.permissions as Set<string>).add('users:write');
      expect(await findUser(id)).toStrictEqual(before);
      expect(before.scope).toStrictEqual({ kind: 'partner', partnerId, orgIds, isWhole: true });
    });
  });
}
