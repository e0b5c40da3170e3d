/** Deletion requests: their deadlines, when they are overdue, and their texts (Contract: §7). */
import { expect, test } from 'vitest';
import {
  compareNewestRequestFirst,
  isOverdue,
  parseDeletionText,
  processByOf,
  verdictOf,
  withoutTexts,
} from '#domain/deletion/deletion-request.ts';
import { err, ok } from '#domain/result.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import {
  aCancelledRequest,
  aCompletedRequest,
  aPendingRequest,
  aProcessingRequest,
} from '#test/support/deletions.ts';

test.each([
  ['an ordinary day', '2026-02-10T08:00:00.000Z', '2026-03-12T08:00:00.000Z'],
  ['clocks go forward in Berlin', '2026-03-15T01:30:00.000Z', '2026-04-14T01:30:00.000Z'],
  ['clocks go back in Berlin', '2026-10-11T00:30:00.000Z', '2026-11-10T00:30:00.000Z'],
  ['a leap day between', '2028-02-10T23:59:59.999Z', '2028-03-11T23:59:59.999Z'],
  ['on the leap day', '2028-02-29T12:00:00.000Z', '2028-03-30T12:00:00.000Z'],
  ['over the end of the year', '2026-12-15T00:00:00.000Z', '2027-01-14T00:00:00.000Z'],
])('a request is due after 720 hours: %s', (_case, requestedAt, processBy) => {
  expect(new Date(processByOf(Date.parse(requestedAt))).toISOString()).toBe(processBy);
});

test.each([
  ['a pending request is overdue once its time is over', aPendingRequest(), true],
  ['a processing request is overdue once its time is over', aProcessingRequest(), true],
  ['a completed request is never overdue', aCompletedRequest(), false],
  ['a cancelled request is never overdue', aCancelledRequest(), false],
])('%s', (_status, request, canBeOverdue) => {
  expect(isOverdue(request, request.processBy - 1)).toBe(false);
  expect(isOverdue(request, request.processBy)).toBe(false);
  expect(isOverdue(request, request.processBy + 1)).toBe(canBeOverdue);
});

test.each([
  [undefined, null],
  [null, null],
  ['', null],
  [' \t\u0085\u00a0\n', null],
  [' I have left \n', 'I have left'],
  ['🖨'.repeat(2000), '🖨'.repeat(2000)],
  [` ${'x'.repeat(2000)} `, 'x'.repeat(2000)],
])('takes %j as a text', (given, text) => {
  expect(parseDeletionText('reason', given)).toStrictEqual(ok(text));
});

test.each([
  [5, 'reason must be a string of at most 2000 characters'],
  [['x'], 'reason must be a string of at most 2000 characters'],
  ['🖨'.repeat(2001), 'reason must have at most 2000 characters; it has 2001'],
  ['a\u0000', 'reason must not contain a NUL character (U+0000)'],
  ['a\ud83d', 'reason must not contain an unpaired surrogate'],
])('refuses %j as a text', (given, reason) => {
  expect(parseDeletionText('reason', given)).toStrictEqual(err(reason));
});

test('only a decided request has a verdict', () => {
  const verdict = { at: SOME_INSTANT, by: newId<'user'>(), note: 'no' };
  expect([
    verdictOf(aPendingRequest()),
    verdictOf(aCancelledRequest()),
    verdictOf(aCancelledRequest({ verdict })),
    verdictOf(aProcessingRequest({ verdict })),
  ]).toStrictEqual([null, null, verdict, verdict]);
});

test('without its texts a request still says who decided it, and when', () => {
  const verdict = { at: SOME_INSTANT, by: newId<'user'>(), note: 'no' };
  const [bare, reason] = [{ ...verdict, note: null }, 'I have left'];
  const [pending, taken, closed] = [aPendingRequest({ reason }), aProcessingRequest(), aCompletedRequest()];
  const [left, rejected] = [aCancelledRequest({ reason }), aCancelledRequest({ reason, verdict })];
  expect([pending, { ...taken, reason, verdict }, closed, left, rejected].map(withoutTexts)).toStrictEqual([
    { ...pending, reason: null },
    { ...taken, verdict: bare },
    closed,
    { ...left, reason: null },
    { ...rejected, reason: null, verdict: bare },
  ]);
});

test('requests are ordered newest first, and by descending id at the same instant', () => {
  const [first, second] = [aPendingRequest(), aPendingRequest()];
  const newer = aPendingRequest({ requestedAt: SOME_INSTANT + 1 });
  expect([first, newer, second].toSorted(compareNewestRequestFirst)).toStrictEqual([newer, second, first]);
  expect(compareNewestRequestFirst(first, second)).toBeGreaterThan(0);
  expect(compareNewestRequestFirst(first, first)).toBe(0);
});
