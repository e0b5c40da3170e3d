/** Entries of the audit log as sentences. */
import { expect, test } from 'vitest';
import type { AuditEntry } from '#adapters/http/api-types.ts';
import { sentenceOf } from '#console/pages/administration/audit-sentences.ts';

test.each<[Partial<AuditEntry>, string]>([
  [{ action: 'device.bulk_update', details: { changed: 40, unchanged: 2 } }, 'changed 40 devices'],
  [{ action: 'device.bulk_update', details: { changed: 1, unchanged: 0 } }, 'changed 1 device'],
  [{ action: 'device.bulk_undo', details: { restored: 39, skipped: 1 } }, 'undid a change of 39 devices'],
  [{ action: 'device.bulk_update', result: 'denied', details: {} }, 'tried to change many devices'],
])('%j is put into words: %s', (given, did) => {
  const actor = { type: 'user', id: null, name: 'Mara Ellingsen' } as const;
  const entry = { result: 'success', resourceId: null, resourceName: null, actor, ...given } as AuditEntry;
  expect(sentenceOf(entry)).toStrictEqual({ actor: 'Mara Ellingsen', did, resource: null });
});
