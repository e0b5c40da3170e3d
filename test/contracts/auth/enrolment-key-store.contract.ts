/** What every store of enrolment keys promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aSite, newId, orgScope, partnerScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

type AddedKey = EnrolmentKey & { readonly keySha256: string };

function aKey(given: Partial<AddedKey> & Pick<EnrolmentKey, 'orgId'>): AddedKey {
  const id = given.id ?? newId<'enrolment-key'>();
  const keySha256 = id.replaceAll('-', '').repeat(2);
  return { id, siteId: null, name: 'Rollout', expiresAt: null, createdAt: SOME_INSTANT, keySha256, ...given };
}

function shown({ keySha256: _, ...key }: AddedKey): EnrolmentKey {
  return key;
}

export function testEnrolmentKeyStore(backend: () => ContractBackend): void {
  const transact = <T>(scope: AccessScope, work: (tx: Transaction) => Promise<T>) =>
    backend().unitOfWork(scope, work);
  const add = (key: AddedKey, scope: AccessScope = SYSTEM_SCOPE) =>
    transact(scope, (tx) => tx.enrolmentKeys.add(key));
  const revoke = ({ id }: AddedKey, scope: AccessScope = SYSTEM_SCOPE) =>
    transact(scope, (tx) => tx.enrolmentKeys.revoke(id, SOME_INSTANT));
  const find = ({ keySha256 }: AddedKey) => backend().findEnrolmentKey(keySha256);

  describe('EnrolmentKeyReader, EnrolmentKeyWriter and FindEnrolmentKey', () => {
    test('an added key is found by its digest, and is listed without the digest', async () => {
      const { orgId } = await createTenant(backend());
      const site = aSite({ orgId });
      await loadFleet(backend(), [site]);
      const key = aKey({ orgId, siteId: site.id, expiresAt: SOME_INSTANT - 1 });
      expect(await find(key)).toBeNull();
      expect(await add(key, orgScope(orgId))).toBeNull();
      expect(await find(key)).toStrictEqual(shown(key));
      expect(await backend().enrolmentKeys.list(orgScope(orgId))).toStrictEqual([shown(key)]);
    });

    test('lists the keys in reach, newest first', async () => {
      const { partnerId, orgIds } = await createTenant(backend(), 2);
      const [one, two] = orgIds as [OrgId, OrgId];
      const old = aKey({ orgId: one, createdAt: SOME_INSTANT - 1 });
      const [second, third] = [aKey({ orgId: one }), aKey({ orgId: one })];
      const other = aKey({ orgId: two, createdAt: SOME_INSTANT + 1 });
      for (const key of [second, old, other, third]) await add(key);
      const ids = async (scope: AccessScope) =>
        (await backend().enrolmentKeys.list(scope)).map(({ id }) => id);
      expect(await ids(orgScope(one))).toStrictEqual([third.id, second.id, old.id]);
      expect(await ids(orgScope(two))).toStrictEqual([other.id]);
      expect(await ids(partnerScope(partnerId, orgIds))).toStrictEqual(
        [other, third, second, old].map(({ id }) => id),
      );
      expect(await ids(partnerScope(partnerId, [two]))).toStrictEqual([other.id]);
      expect(await ids({ kind: 'none' })).toStrictEqual([]);
      const stranger = await createTenant(backend());
      expect(await ids(orgScope(stranger.orgId))).toStrictEqual([]);
      expect(await ids(SYSTEM_SCOPE)).toEqual(expect.arrayContaining([other.id, old.id]));
    });

    test('a revoked key is neither found nor listed, and cannot be revoked again', async () => {
      const { orgId } = await createTenant(backend());
      const [key, other] = [aKey({ orgId }), aKey({ orgId })];
      await add(key);
      await add(other);
      expect(await revoke(key, orgScope(orgId))).toStrictEqual(shown(key));
      expect(await revoke(key)).toBeNull();
      expect(await find(key)).toBeNull();
      expect(await backend().enrolmentKeys.list(orgScope(orgId))).toStrictEqual([shown(other)]);
    });

    test('only one of ten concurrent callers revokes a key', async () => {
      const { orgId } = await createTenant(backend());
      const key = aKey({ orgId });
      await add(key);
      const revoked = await Promise.all(Array.from({ length: 10 }, () => revoke(key, orgScope(orgId))));
      expect(revoked.filter((each) => each !== null)).toStrictEqual([shown(key)]);
    });

    test('refuses organizations, sites and keys that are unknown or out of reach', async () => {
      const { partnerId, orgIds, orgId } = await createTenant(backend(), 2);
      const stranger = await createTenant(backend());
      const [own, theirs] = [aSite({ orgId }), aSite({ orgId: stranger.orgId })];
      await loadFleet(backend(), [own, theirs]);
      const scope = partnerScope(partnerId, orgIds);
      const refused = [
        await add(aKey({ orgId: stranger.orgId }), scope),
        await add(aKey({ orgId: newId() })),
        await add(aKey({ orgId, siteId: theirs.id })),
        await add(aKey({ orgId, siteId: newId() }), scope),
        await add(aKey({ orgId: orgIds[1] ?? orgId, siteId: own.id }), scope),
      ];
      expect(refused).toStrictEqual([
        'unknown-organization',
        'unknown-organization',
        'unknown-site',
        'unknown-site',
        'unknown-site',
      ]);
      expect(await backend().enrolmentKeys.list(scope)).toStrictEqual([]);

      const key = aKey({ orgId: stranger.orgId });
      await add(key);
      expect([await revoke(key, scope), await revoke(aKey({ orgId }), scope)]).toStrictEqual([null, null]);
      expect(await find(key)).toStrictEqual(shown(key));
    });

    test('refuses a second key with the same digest, and changes nothing if the work fails', async () => {
      const { orgId } = await createTenant(backend());
      const key = aKey({ orgId });
      await add(key);
      await expect(add(aKey({ orgId, keySha256: key.keySha256 }))).rejects.toThrow();
      const other = aKey({ orgId });
      const work = transact(SYSTEM_SCOPE, async (tx) => {
        await tx.enrolmentKeys.add(other);
        await tx.enrolmentKeys.revoke(key.id, SOME_INSTANT);
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await backend().enrolmentKeys.list(orgScope(orgId))).toStrictEqual([shown(key)]);
      expect([await find(key), await find(other)]).toStrictEqual([shown(key), null]);
    });
  });
}
