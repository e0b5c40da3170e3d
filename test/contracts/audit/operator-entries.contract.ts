/** Every change by an operator is audited in the same transaction, whichever port makes it (Contract: §8). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import {
  claimOne,
  createRecipient,
  emptyOutbox,
  queue,
  SOON,
} from '#test/contracts/mail/mail-outbox/mail-desk.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  anApiKey,
  anAuditEntry,
  anInventory,
  anOrganization,
  aPartner,
  aUser,
  located,
  newId,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { importInventory, isKnown } from '#test/support/inventories.ts';
import { aMail } from '#test/support/mail/mails.ts';
import { createTenant } from '#test/support/tenant.ts';

const FAILURE = 'the log is down';

export function testOperatorEntries(backend: () => ContractBackend): void {
  /** An entry that is found by its resource. */
  const anEntry = (given: Partial<AuditEntry> = {}) =>
    anAuditEntry({ actor: { type: 'system', id: null }, resourceId: newId(), ...given });

  const recorded = ({ resourceId }: AuditEntry) =>
    backend().readAuditEntries(SYSTEM_SCOPE, {
      action: null,
      actorIds: null,
      orgId: null,
      result: null,
      resourceId,
      from: null,
      to: null,
      after: null,
      limit: 10,
    });

  describe('what an operator changes is on record', () => {
    test('creating a user is audited, a refused creation is not', async () => {
      const user = aUser();
      const [made, refused] = [anEntry(), anEntry()];
      expect(await backend().accounts.createUser(user, () => made)).toStrictEqual(ok(undefined));
      expect(await backend().accounts.createUser(aUser({ email: user.email }), () => refused)).toStrictEqual(
        err('email-taken'),
      );
      expect(await recorded(made)).toStrictEqual([made]);
      expect(await recorded(refused)).toStrictEqual([]);
    });

    test('creating an API key is audited, a refused creation is not', async () => {
      const user = aUser();
      await backend().accounts.createUser(user);
      const [made, refused] = [anEntry(), anEntry()];
      await backend().accounts.createApiKey(anApiKey({ userId: user.id }), () => made);
      await backend().accounts.createApiKey(anApiKey({ userId: newId() }), () => refused);
      expect(await recorded(made)).toStrictEqual([made]);
      expect(await recorded(refused)).toStrictEqual([]);
    });

    test('a load is audited with its counts, a refused load is not', async () => {
      const partner = aPartner();
      const records = [partner, anOrganization({ partnerId: partner.id })];
      const made = anEntry();
      const withCounts = { ...made, details: { organization: 1 } };
      await backend().fleetWriter(located(records), undefined, ({ organization }) => ({
        ...made,
        details: { organization },
      }));
      expect(await recorded(made)).toStrictEqual([withCounts]);
      const refused = anEntry();
      const result = await backend().fleetWriter(
        located([anOrganization({ partnerId: newId() })]),
        undefined,
        () => refused,
      );
      expect(result.ok).toBe(false);
      expect(await recorded(refused)).toStrictEqual([]);
    });

    test('an inventory is audited with its outcome, a refused inventory is not', async () => {
      const { orgId } = await createTenant(backend());
      const made = anEntry({ orgId });
      const inventory = anInventory();
      for (const created of [true, false]) {
        const stored = await importInventory(backend(), orgId, inventory, SOON, (outcome) => ({
          ...made,
          id: newId(),
          details: { created: outcome.created },
        }));
        expect(stored).toMatchObject({ ok: true, value: { created } });
      }
      expect((await recorded(made)).map(({ details }) => details.created).toSorted()).toStrictEqual([
        false,
        true,
      ]);
      const refused = anEntry();
      await importInventory(backend(), newId(), inventory, SOON, () => refused);
      expect(await recorded(refused)).toStrictEqual([]);
    });

    test('a retry of mails is audited; a refused retry, or one without mails, is not', async () => {
      await emptyOutbox(backend());
      const to = await createRecipient(backend());
      for (let i = 0; i < 3; i++) {
        await queue(backend(), aMail({ to }));
        const claimed = await claimOne(backend());
        await backend().mailOutbox.settle(claimed, { status: 'failed', at: SOON, problem: '550 no' });
        if (i > 0) continue;
        const [one, again] = [anEntry(), anEntry()];
        expect(await backend().mailOutbox.retry(claimed.id, SOON, () => one)).toStrictEqual(ok(undefined));
        const second = await claimOne(backend());
        expect(await backend().mailOutbox.retry(claimed.id, SOON, () => again)).toStrictEqual(
          err('being-sent'),
        );
        await backend().mailOutbox.settle(second, { status: 'failed', at: SOON, problem: '550 no' });
        expect(await recorded(one)).toStrictEqual([one]);
        expect(await recorded(again)).toStrictEqual([]);
      }
      const all = anEntry();
      const none = anEntry();
      await backend().mailOutbox.retryAllFailed(SOON, (mails) => ({ ...all, details: { mails } }));
      expect((await recorded(all))[0]?.details.mails).toBeGreaterThanOrEqual(3);
      expect(await backend().mailOutbox.retryAllFailed(SOON, () => none)).toBe(0);
      expect(await recorded(none)).toStrictEqual([]);
    });

    test.each<
      [string, (fail: () => Promise<never>) => Promise<{ readonly isUndone: () => Promise<boolean> }>]
    >([
      [
        'a user',
        async (fail) => {
          const user = aUser();
          await expect(backend().accounts.createUser(user, fail)).rejects.toThrow(FAILURE);
          return { isUndone: async () => (await backend().accounts.findUserByEmail(user.email)) === null };
        },
      ],
      [
        'an API key',
        async (fail) => {
          const user = aUser();
          await backend().accounts.createUser(user);
          const key = anApiKey({ userId: user.id });
          await expect(backend().accounts.createApiKey(key, fail)).rejects.toThrow(FAILURE);
          return { isUndone: async () => (await backend().apiKeys.list(user.id)).length === 0 };
        },
      ],
      [
        'a load',
        async (fail) => {
          const organization = anOrganization({ partnerId: (await createTenant(backend())).partnerId });
          const load = backend().fleetWriter(located([organization]), undefined, fail);
          await expect(load).rejects.toThrow(FAILURE);
          return { isUndone: async () => !(await backend().organizationExists(organization.id)) };
        },
      ],
      [
        'an inventory',
        async (fail) => {
          const { orgId } = await createTenant(backend());
          const inventory = anInventory();
          await expect(importInventory(backend(), orgId, inventory, SOON, fail)).rejects.toThrow(FAILURE);
          return { isUndone: async () => !(await isKnown(backend(), orgId, inventory.inventoryId, SOON)) };
        },
      ],
      [
        'a retry of mails',
        async (fail) => {
          await emptyOutbox(backend());
          await queue(backend(), aMail({ to: await createRecipient(backend()) }));
          const claimed = await claimOne(backend());
          await backend().mailOutbox.settle(claimed, { status: 'failed', at: SOON, problem: '550 no' });
          await expect(backend().mailOutbox.retry(claimed.id, SOON, fail)).rejects.toThrow(FAILURE);
          await expect(backend().mailOutbox.retryAllFailed(SOON, fail)).rejects.toThrow(FAILURE);
          return { isUndone: async () => (await backend().mailOutbox.claim(SOON, 1)) === null };
        },
      ],
    ])('undoes %s if the audit entry cannot be made', async (_what, change) => {
      const { isUndone } = await change(async () => {
        throw new Error(FAILURE);
      });
      expect(await isUndone()).toBe(true);
    });
  });
}
