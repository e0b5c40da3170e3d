/** Entries of the audit log as sentences. */
import { expect, test } from 'vitest';
import type { AuditEntry } from '#adapters/http/api-types.ts';
import { outcomeOf, sentenceOf, titleOfAction } from '#console/pages/administration/audit-sentences.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

const ACTIONS = Object.keys(RESOURCE_TYPES) as readonly AuditAction[];

function anEntry(given: Partial<AuditEntry>): AuditEntry {
  const actor = { type: 'user', id: 'u1', name: 'Mara Ellingsen' } as const;
  return {
    result: 'success',
    resourceId: 'r1',
    resourceName: null,
    actor,
    details: {},
    ...given,
  } as AuditEntry;
}

function textOf(given: Partial<AuditEntry>): string {
  const { actor, did, resource } = sentenceOf(anEntry(given));
  return [actor, did, resource].filter((part) => part !== null).join(' ');
}

test.each<[Partial<AuditEntry>, string]>([
  [{ action: 'device.bulk_update', details: { changed: 40, unchanged: 2 } }, 'changed 40 devices'],
  [{ action: 'device.bulk_update', details: { changed: 1, unchanged: 0 } }, 'changed 1 device'],
  [{ action: 'device.bulk_undo', details: { restored: 39, skipped: 1 } }, 'undid a change of 39 devices'],
  [{ action: 'device.bulk_update', result: 'denied' }, 'tried to change many devices'],
  [{ action: 'device.delete', details: { name: 'till-7' } }, 'deleted the device till-7'],
  [{ action: 'device.update', resourceName: 'till-7' }, 'changed the device till-7'],
  [
    { action: 'device.update', result: 'denied', resourceName: 'till-7' },
    'tried to change the device till-7',
  ],
  [
    { action: 'device.merge', resourceName: 'till-7', details: { name: 'old' } },
    'merged old into the device till-7',
  ],
  // The device that stayed was deleted later.
  [{ action: 'device.merge', details: { name: 'old' } }, 'merged old into a device'],
  [
    { action: 'device.merge', result: 'denied', resourceName: 'till-7' },
    'tried to merge another device into the device till-7',
  ],
  [
    { action: 'alert.update', resourceName: 'Door', details: { status: 'acknowledged' } },
    'acknowledged the alert Door',
  ],
  [
    { action: 'alert.update', resourceName: 'Door', details: { status: 'resolved' } },
    'resolved the alert Door',
  ],
  [
    { action: 'alert.update', resourceName: 'Door', details: { status: 'active' } },
    'reopened the alert Door',
  ],
  [
    { action: 'alert.update', result: 'denied', resourceName: 'Door', details: { status: 'resolved' } },
    'tried to change the alert Door',
  ],
  [{ action: 'auth.api_key.created', resourceName: 'CI' }, 'created the API key CI'],
  [{ action: 'enrolment_key.revoked', resourceName: 'Laptops' }, 'revoked the enrolment key Laptops'],
  [{ action: 'filter.delete', details: { name: 'Full' } }, 'deleted the filter Full'],
  [{ action: 'user.disabled', resourceName: 'Nils' }, 'disabled the account of Nils'],
  [{ action: 'auth.login', resourceId: 'u1', resourceName: 'Mara Ellingsen' }, 'signed in'],
  [
    { action: 'filter.explain', result: 'denied', details: { reason: 'filter_not_found' } },
    'tried to explain the filter',
  ],
  [
    { action: 'filter.preview', result: 'denied', details: { reason: 'timeout' } },
    'began to preview conditions',
  ],
])('%j is put into words: Mara Ellingsen %s', (given, said) => {
  expect(textOf(given)).toBe(`Mara Ellingsen ${said}`);
});

test.each<[AuditEntry['actor'], Partial<AuditEntry>, string]>([
  [{ type: 'user', id: 'u1', name: null }, {}, 'Someone loaded a fleet'],
  [{ type: 'api_key', id: 'k1', name: 'CI' }, {}, 'The API key CI loaded a fleet'],
  [{ type: 'identity_provider', id: 'p1', name: null }, {}, 'An identity provider loaded a fleet'],
  [{ type: 'system', id: null, name: null }, {}, 'Fleetsift loaded a fleet'],
  [{ type: 'system', id: null, name: null }, { details: { command: 'load' } }, 'An operator loaded a fleet'],
])('the actor %j is put into words', (actor, given, said) => {
  expect(textOf({ action: 'fleet.load', actor, ...given })).toBe(said);
});

test('every action has a sentence for each result, and a title that no other action has', () => {
  const titles = ACTIONS.map(titleOfAction);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toStrictEqual([]);
  for (const action of ACTIONS) {
    expect(textOf({ action }), action).toMatch(/^Mara Ellingsen [a-z]+/);
    expect(textOf({ action, result: 'denied' }), action).toMatch(/^Mara Ellingsen tried to [a-z]+/);
  }
});

test.each(['timeout', 'cancelled', 'too_slow', 'failed', 'invalid-pattern'])(
  'an evaluation that ended by "%s" is not finished, and not denied',
  (reason) => {
    const outcome = (action: AuditAction, result: AuditEntry['result'] = 'denied') =>
      outcomeOf(anEntry({ action, result, details: { reason } }));
    const runs = ['filter.preview', 'filter.saved.preview', 'filter.explain', 'device.export'] as const;
    expect(runs.map((action) => outcome(action))).toStrictEqual(runs.map(() => 'unfinished'));
    expect(outcome('auth.login')).toBe('denied');
    expect(outcome('filter.preview', 'success')).toBe('success');
  },
);

test.each(['access_lost', 'filter_not_found', 'forbidden'])('a refusal for "%s" is denied', (reason) => {
  expect(outcomeOf(anEntry({ action: 'device.export', result: 'denied', details: { reason } }))).toBe(
    'denied',
  );
});
