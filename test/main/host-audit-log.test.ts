/** An audit log that the embedding program supplies keeps the contracts of ours, over any backend. */
import { compose } from 'fleetsift';
import { createMemoryBackend } from 'fleetsift/memory';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAuditReader } from '#adapters/memory/stores/audit-stores.ts';
import { recordMaintenance, recordResealing } from '#application/audit/record-elsewhere.ts';
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { PartnerMaintenance } from '#application/ports/partner-maintenance.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { contractsWith } from '#test/contracts/testing.ts';
import { anAuditEntry, newId } from '#test/support/builders.ts';

describe('a composition with a log of the host', () => {
  let backend: ContractBackend;

  beforeAll(async () => {
    const auditEntries: AuditEntry[] = [];
    const service = await compose(
      { databaseUrl: null, logLevel: 'silent' },
      {
        backend: createMemoryBackend(),
        auditLog: async (entry) => void auditEntries.push(structuredClone(entry)),
        readAuditEntries: makeAuditReader({ auditEntries }),
      },
    );
    backend = { ...service.backend, auditEntries: async () => structuredClone(auditEntries) };
  });

  const contracts = contractsWith({ beforeAll, beforeEach, describe, expect, test });
  contracts.testAuditLog(() => backend);
  contracts.testAuditReader(() => backend);
  contracts.testOperatorEntries(() => backend);
  contracts.testUnitOfWork(() => backend);
});

test('dropping months of our own log is recorded in the log of the host', async () => {
  const own = createMemoryBackend();
  await own.auditLog(anAuditEntry({ at: Date.UTC(2020, 0, 10) }));
  const entries: AuditEntry[] = [];
  const { backend } = await compose(
    { databaseUrl: null, logLevel: 'silent' },
    { backend: own, auditLog: async (entry) => void entries.push(entry) },
  );
  const entry = anAuditEntry({ action: 'audit.months_dropped' });
  const dropped = await backend.auditArchive.dropMonthsBefore(Date.UTC(2020, 1, 1), () => entry);
  expect([dropped, entries, own.auditEntries()]).toStrictEqual([['2020-01'], [entry], []]);
});

test('operator tools record in the log of the host', async () => {
  const entries: AuditEntry[] = [];
  const auditLog = async (entry: AuditEntry) => void entries.push(entry);
  const left: (AuditEntry | null)[] = [];
  const change = async (makeEntry: MakeChangeEntry) => {
    left.push(await makeEntry());
    return true;
  };
  const maintenance = recordMaintenance(
    {
      begin: (_id, makeEntry) => change(makeEntry),
      end: (_id, makeEntry) => change(makeEntry),
      remove: async (_id, makeEntry) => ((await change(makeEntry)) ? null : 'not-in-maintenance'),
    } as Partial<PartnerMaintenance> as PartnerMaintenance,
    auditLog,
  );
  const reseal = recordResealing(async ({ makeEntry }) => {
    await change(makeEntry);
    return { resealed: 1, unreadable: 0 };
  }, auditLog);
  const made = [1, 2, 3, 4].map(() => anAuditEntry());
  const [begun, ended, removed, resealed] = made.map((entry) => () => entry);
  if (!begun || !ended || !removed || !resealed) throw new Error('four were made');
  await maintenance.begin(newId(), begun, () => undefined);
  await maintenance.end(newId(), ended);
  await maintenance.remove(newId(), removed);
  await reseal({ makeEntry: resealed, onProgress: () => undefined });
  expect([entries, left]).toStrictEqual([made, [null, null, null, null]]);
});
