/** What every reader of the audit log promises. */
import type { AuditQuery } from '#application/ports/audit/audit-reader.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createStaff, type Staff } from '#test/contracts/deletion/deletion-request-store/staff.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anAuditEntry, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';

const EVERYTHING: AuditQuery = {
  action: null,
  actorIds: null,
  resourceId: null,
  orgId: null,
  result: null,
  from: null,
  to: null,
  after: null,
  limit: 1000,
};

/** What happened where, and which scopes see it. */
const PLACES: readonly (readonly [
  string,
  (staff: Staff) => Pick<AuditEntry, 'orgId' | 'partnerId'>,
  readonly string[],
])[] = [
  [
    'in A',
    ({ a }) => ({ orgId: a, partnerId: null }),
    ['organization A', 'partner P', 'partner P, but for B', 'system'],
  ],
  [
    'in A, by staff of P',
    ({ a, p }) => ({ orgId: a, partnerId: p }),
    ['organization A', 'partner P', 'partner P, but for B', 'system'],
  ],
  ['in B', ({ b }) => ({ orgId: b, partnerId: null }), ['partner P', 'system']],
  [
    'beyond one organization, by staff of P',
    ({ p }) => ({ orgId: null, partnerId: p }),
    ['partner P', 'system'],
  ],
  ['in the system', () => ({ orgId: null, partnerId: null }), ['system']],
];

export function testAuditReader(backend: () => ContractBackend): void {
  const read = (scope: Staff['scopes'][string] | undefined, query: Partial<AuditQuery> = {}) =>
    backend().readAuditEntries(scope ?? SYSTEM_SCOPE, { ...EVERYTHING, ...query });

  /** Records the entries in the order given. */
  const record = async (...entries: readonly AuditEntry[]) => {
    for (const entry of entries) await backend().auditLog(entry);
    return entries;
  };

  describe('AuditReader', () => {
    test('gives an entry with all its fields', async () => {
      const { a, p, scopes } = await createStaff(backend());
      const entry = anAuditEntry({
        actor: { type: 'api_key', id: newId() },
        orgId: a,
        partnerId: p,
        action: 'user.account_deletion.requested',
        resourceType: 'account_deletion_request',
        result: 'denied',
        resourceId: newId(),
        details: { reason: 'invalid_password', list: ['a', 'b'], number: 0.5, nothing: null },
        requestId: 'r'.repeat(128),
        ip: '2001:db8::7',
      });
      await record(entry);
      expect(await read(scopes['organization A'])).toStrictEqual([entry]);
    });

    test.each(PLACES)('what happened %s is seen by those who reach it', async (_place, placeOf, seenBy) => {
      const staff = await createStaff(backend());
      const [entry] = await record(anAuditEntry({ ...placeOf(staff), resourceId: newId() }));
      const seen = [];
      for (const [name, scope] of Object.entries(staff.scopes)) {
        if ((await read(scope, { resourceId: entry?.resourceId ?? null })).length > 0) seen.push(name);
      }
      expect(seen).toStrictEqual(seenBy);
    });

    test('selects by every criterion that is given', async () => {
      const { a, b, scopes } = await createStaff(backend());
      const actor = { type: 'user', id: newId() } as const;
      const resourceId = newId();
      const [plain, byActor, onResource, early, late] = await record(
        anAuditEntry({ orgId: a, action: 'filter.create' }),
        anAuditEntry({ orgId: a, actor }),
        anAuditEntry({ orgId: a, resourceId, result: 'denied' }),
        anAuditEntry({ orgId: a, at: SOME_INSTANT - 1 }),
        anAuditEntry({ orgId: a, at: SOME_INSTANT + 1, actor, resourceId }),
      );
      const ask = (query: Partial<AuditQuery>) => read(scopes['organization A'], query);
      expect(await ask({})).toStrictEqual([late, onResource, byActor, plain, early]);
      expect(await ask({ action: 'filter.create' })).toStrictEqual([plain]);
      expect(await ask({ action: 'auth.login' })).toStrictEqual([]);
      expect(await ask({ actorIds: [newId(), actor.id] })).toStrictEqual([late, byActor]);
      expect(await ask({ actorIds: [] })).toStrictEqual([]);
      expect(await ask({ resourceId })).toStrictEqual([late, onResource]);
      expect(await ask({ actorIds: [actor.id], resourceId })).toStrictEqual([late]);
      expect(await ask({ orgId: a, actorIds: [actor.id] })).toStrictEqual([late, byActor]);
      expect(await ask({ orgId: b })).toStrictEqual([]);
      expect(await ask({ result: 'denied' })).toStrictEqual([onResource]);
      expect(await ask({ result: 'success' })).toStrictEqual([late, byActor, plain, early]);
      expect(await ask({ from: SOME_INSTANT })).toStrictEqual([late, onResource, byActor, plain]);
      expect(await ask({ to: SOME_INSTANT - 1 })).toStrictEqual([early]);
      expect(await ask({ from: SOME_INSTANT, to: SOME_INSTANT })).toStrictEqual([onResource, byActor, plain]);
    });

    test('continues after any entry, also among entries of the same instant', async () => {
      const { a, scopes } = await createStaff(backend());
      const times = [0, 0, 0, 1, 1, 5, 5, 5, 5, 9];
      const entries = await record(...times.map((ms) => anAuditEntry({ orgId: a, at: SOME_INSTANT + ms })));
      const newestFirst = entries.toReversed();
      for (const limit of [1, 2, 3, 10]) {
        const seen: AuditEntry[] = [];
        for (;;) {
          const last = seen.at(-1);
          const after = last === undefined ? null : { at: last.at, id: last.id };
          const page = await read(scopes['organization A'], { limit, after });
          if (page.length === 0) break;
          seen.push(...page);
        }
        expect(seen).toStrictEqual(newestFirst);
      }
    });

    test('skips and repeats nothing if entries arrive between two pages', async () => {
      const { a, scopes } = await createStaff(backend());
      const entries = await record(
        ...[0, 1, 2, 3].map((ms) => anAuditEntry({ orgId: a, at: SOME_INSTANT + ms })),
      );
      const [fourth, third] = await read(scopes['organization A'], { limit: 2 });
      await record(anAuditEntry({ orgId: a, at: SOME_INSTANT + 10 }));
      const after = { at: third?.at ?? 0, id: third?.id ?? newId() };
      const rest = await read(scopes['organization A'], { limit: 2, after });
      expect([fourth, third, ...rest]).toStrictEqual(entries.toReversed());
    });
  });
}
