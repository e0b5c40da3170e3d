/** What is compiled once, and for whom: nobody is given the statement of another scope, limit or instant. */
import { describe, expect, test } from 'vitest';
import { makeCompiledPreviews } from '#adapters/postgres/reads/filters/compiled-previews.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, parseFilter, type RawCondition } from '#test/support/filters.ts';

const ONLINE = and({ field: 'status', operator: 'equals', value: 'online' });
const RECENT: RawCondition = {
  field: 'lastSeenAt',
  operator: 'withinLast',
  value: { amount: 1, unit: 'hours' },
};
const [A, B, PARTNER] = [newId<'organization'>(), newId<'organization'>(), newId<'partner'>()];

/** The text of the statement by scope, limit and instant, of one filter. */
function setUp(group = ONLINE) {
  const previews = makeCompiledPreviews();
  const filter = parseFilter(group);
  return (scope: AccessScope, limit = 10, at = 0) =>
    previews.compile(previews.ready(filter), scope, limit, at).statement('split');
}

test('the same filter, scope and limit give the very same statement, once it has come twice', () => {
  const compile = setUp();
  const once = compile(orgScope(A));
  expect(compile(orgScope(A))).not.toBe(once);
  expect(compile(orgScope(A)).text).toBe(once.text);
  expect(compile(orgScope(A))).toBe(compile(orgScope(A), 10, 99));
  const partner = () => partnerScope(PARTNER, [A, B]);
  expect(compile(partner())).toBe(compile(partner()));
});

test.each<[string, AccessScope, AccessScope]>([
  ['two organizations', orgScope(A), orgScope(B)],
  ['an organization, and a partner with another', orgScope(A), partnerScope(PARTNER, [B])],
  ['a partner with one more', partnerScope(PARTNER, [A]), partnerScope(PARTNER, [A, B])],
  ['a partner with none', partnerScope(PARTNER, [A]), partnerScope(PARTNER, [])],
  ['a partner with none, and the system', partnerScope(PARTNER, []), SYSTEM_SCOPE],
  ['an organization, and nothing', orgScope(A), { kind: 'none' }],
  ['the system, and nothing', SYSTEM_SCOPE, { kind: 'none' }],
  ['the system, and an organization', SYSTEM_SCOPE, orgScope(A)],
])('%s never share a statement', (_name, one, other) => {
  const compile = setUp();
  const alone = setUp();
  compile(one);
  const first = compile(one).text;
  expect(compile(other).text).toBe(alone(other).text);
  expect(compile(other).text).not.toBe(first);
  expect(compile(one).text).toBe(first);
});

test('what one organization leaves a scope is out of the next statement', () => {
  const compile = setUp();
  const orgIds = [A, B];
  const scope: AccessScope = { kind: 'partner', partnerId: PARTNER, orgIds, isWhole: true };
  for (let i = 0; i < 3; i++) expect(compile(scope).text).toContain(B);
  orgIds.pop();
  expect(compile(scope).text).not.toContain(B);
});

test('another limit gives another statement', () => {
  const compile = setUp();
  expect(compile(SYSTEM_SCOPE, 5).text).not.toBe(compile(SYSTEM_SCOPE, 6).text);
});

describe('a relative date', () => {
  test('is compiled for each instant', () => {
    const compile = setUp(and(RECENT));
    const noon = Date.UTC(2026, 5, 1, 12);
    compile(SYSTEM_SCOPE, 10, noon);
    compile(SYSTEM_SCOPE, 10, noon);
    expect(compile(SYSTEM_SCOPE, 10, noon).text).toContain('2026-06-01T11:00:00.000Z');
    expect(compile(SYSTEM_SCOPE, 10, noon + 60_000).text).toContain('2026-06-01T11:01:00.000Z');
  });
});

test('two filters never share a statement', () => {
  const previews = makeCompiledPreviews();
  const [online, offline] = ['online', 'offline'].map((value) =>
    previews
      .compile(
        previews.ready(parseFilter(and({ field: 'status', operator: 'equals', value }))),
        SYSTEM_SCOPE,
        10,
        0,
      )
      .statement('split'),
  );
  expect(online?.text).not.toBe(offline?.text);
});

test('software is compiled for the titles that were found', () => {
  const previews = makeCompiledPreviews();
  const ready = previews.ready(
    parseFilter(and({ field: 'software.installed', operator: 'equals', value: 'Zoom' })),
  );
  const withTitle = (id: number) =>
    previews.compile(ready, SYSTEM_SCOPE, 10, 0, new Map([['name zoom', [id]]])).statement('split').text;
  expect(ready.lookups).not.toBeNull();
  expect(withTitle(7)).not.toBe(withTitle(8));
});
