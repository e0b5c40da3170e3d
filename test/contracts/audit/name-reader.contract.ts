/** What every reader of names promises. */
import { nameKey, type ThingReference } from '#application/ports/names.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import {
  createStaff,
  PERSON_NAMES,
  putRequest,
  REACHED,
} from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anIdentityProvider,
  aUser,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testNameReader(backend: () => ContractBackend): void {
  const namesOf = async (scope: AccessScope, things: readonly ThingReference[]) => {
    const names = await backend().names.namesOf(scope, things);
    return things.map((thing) => names.get(nameKey(thing)) ?? null);
  };

  describe('NameReader', () => {
    test('names things of every kind to those who reach them, and to nobody else', async () => {
      const { a, p, people, scopes } = await createStaff(backend());
      const person = people['of A'];
      const device = aDevice({ orgId: a, hostname: 'till-3', displayName: 'Till 3' });
      const bare = aDevice({ orgId: a, hostname: 'till-4', displayName: '' });
      const filter = aFilter({ orgId: a, createdBy: person.id, name: 'Almost full' });
      const alert = anAlert({ orgId: a, title: 'Disk' });
      const field = aCustomField({
        owner: { kind: 'organization', orgId: a },
        key: 'tag',
        name: 'Asset tag',
      });
      const key = anApiKey({ userId: person.id, name: 'Reports' });
      await loadFleet(backend(), [device, bare, filter, alert, field, key]);
      const enrolmentKey = {
        ...{ id: newId<'enrolment-key'>(), orgId: a, siteId: null, name: 'Rollout', expiresAt: null },
        ...{ createdAt: SOME_INSTANT, keySha256: newId().replaceAll('-', '').repeat(2) },
      };
      const provider = anIdentityProvider({ owner: { kind: 'organization', orgId: a }, name: 'Okta' });
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.enrolmentKeys.add(enrolmentKey);
        await tx.identityProviders.add(provider, 'hush');
      });
      const things: readonly ThingReference[] = [
        { kind: 'device', id: device.id },
        { kind: 'device', id: bare.id },
        { kind: 'filter', id: filter.id },
        { kind: 'alert', id: alert.id },
        { kind: 'custom_field', id: field.id },
        { kind: 'api_key', id: key.id },
        { kind: 'enrolment_key', id: enrolmentKey.id },
        { kind: 'identity_provider', id: provider.id },
        { kind: 'organization', id: a },
      ];
      const names = [
        'Till 3',
        'till-4',
        'Almost full',
        'Disk',
        'Asset tag',
        'Reports',
        'Rollout',
        'Okta',
        `Contoso ${a}`,
      ];
      for (const [name, scope] of Object.entries(scopes)) {
        const isInReach = REACHED[name]?.includes('of A') ?? false;
        expect(await namesOf(scope, things)).toStrictEqual(names.map((each) => (isInReach ? each : null)));
      }
      const partner = [{ kind: 'partner', id: p }] as const;
      expect(await namesOf(orgScope(a), partner)).toStrictEqual([`Northwind ${p}`]);
      expect(await namesOf(scopes['partner Q'] ?? SYSTEM_SCOPE, partner)).toStrictEqual([null]);
    });

    test("names a partner's identity provider to those who reach the whole partner", async () => {
      const { p, scopes } = await createStaff(backend());
      const provider = anIdentityProvider({ owner: { kind: 'partner', partnerId: p }, name: 'Entra' });
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.identityProviders.add(provider, 'hush'));
      const seenBy = [];
      for (const [name, scope] of Object.entries(scopes)) {
        const [seen] = await namesOf(scope, [{ kind: 'identity_provider', id: provider.id }]);
        if (seen === 'Entra') seenBy.push(name);
      }
      expect(seenBy).toStrictEqual(['partner P', 'system']);
    });

    test('names people, and their deletion requests and keys, to those who reach the people', async () => {
      const { people, scopes, requestOf } = await createStaff(backend());
      for (const [name, scope] of Object.entries(scopes)) {
        for (const who of PERSON_NAMES) {
          const expected = REACHED[name]?.includes(who) ? 'Sam Example' : null;
          expect(await namesOf(scope, [{ kind: 'user', id: people[who].id }])).toStrictEqual([expected]);
        }
      }
      for (const who of PERSON_NAMES) {
        const request = requestOf(who);
        await putRequest(backend(), request);
        const key = anApiKey({ userId: people[who].id });
        await loadFleet(backend(), [key]);
        for (const [name, scope] of Object.entries(scopes)) {
          const things = [
            { kind: 'account_deletion_request', id: request.id },
            { kind: 'api_key', id: key.id },
          ] as const;
          expect(await namesOf(scope, things)).toStrictEqual(
            REACHED[name]?.includes(who) ? ['Sam Example', 'Deployment'] : [null, null],
          );
        }
      }
    });

    test('has no name for things that are unknown, erased or of another kind', async () => {
      const { orgId, userId } = await createTenant(backend());
      const key = anApiKey({ userId });
      await loadFleet(backend(), [key]);
      const things: readonly ThingReference[] = [
        { kind: 'user', id: userId },
        { kind: 'api_key', id: key.id },
        { kind: 'device', id: userId },
        { kind: 'user', id: newId() },
        { kind: 'session', id: newId() },
      ];
      expect(await namesOf(orgScope(orgId), things)).toStrictEqual([
        'Sam Example',
        'Deployment',
        null,
        null,
        null,
      ]);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(userId));
      expect(await namesOf(SYSTEM_SCOPE, things)).toStrictEqual([null, null, null, null, null]);
      expect(await namesOf(SYSTEM_SCOPE, [])).toStrictEqual([]);
      expect(await namesOf({ kind: 'none' }, [{ kind: 'organization', id: orgId }])).toStrictEqual([null]);
    });

    test('finds people in reach by part of a name or email, in any case', async () => {
      const { orgId, partnerId } = await createTenant(backend());
      const membership = { scope: 'organization', orgId } as const;
      const mark = newId();
      const mara = aUser({ name: 'Mara ÉLLINGSEN', email: `mara-${mark}@example.com`, membership });
      const nils = aUser({ name: '50%_Off', email: `Nils-${mark}@example.com`, membership });
      const staff = aUser({
        email: `staff-${mark}@example.com`,
        membership: { scope: 'partner', partnerId, orgIds: null },
      });
      await loadFleet(backend(), [mara, nils, staff]);
      const found = async (text: string, scope: AccessScope = orgScope(orgId)) =>
        (await backend().names.findPeople(scope, text)).toSorted();
      expect(await found('éllin')).toStrictEqual([mara.id]);
      expect(await found(`nils-${mark}`)).toStrictEqual([nils.id]);
      expect(await found('%_')).toStrictEqual([nils.id]);
      expect(await found(mark)).toStrictEqual([mara.id, nils.id].toSorted());
      expect(await found(mark, SYSTEM_SCOPE)).toStrictEqual([mara.id, nils.id, staff.id].toSorted());
      expect(await found(mark, { kind: 'none' })).toStrictEqual([]);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(mara.id));
      expect(await found(mark)).toStrictEqual([nils.id]);
      expect(await found('éllin')).toStrictEqual([]);
    });
  });
}
