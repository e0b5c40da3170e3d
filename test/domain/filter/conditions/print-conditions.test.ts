/** Filters printed for people, and the fields that filters use. */
import { expect, test } from 'vitest';
import { fieldsUsed } from '#domain/filter/conditions/fold-conditions.ts';
import { printConditions } from '#domain/filter/conditions/print-conditions.ts';
import { and, or, parseFilter } from '#test/support/filters.ts';

const ONLINE = { field: 'status', operator: 'equals', value: 'online' };
const TAGGED = { field: 'tags', operator: 'hasAny', value: ['vpn', 'a "b"'] };
const UNSEEN = { field: 'lastSeenAt', operator: 'isNull' };
const NAMED = { field: 'hostname', operator: 'matches', value: '^srv' };

test.each([
  [and(ONLINE), 'status equals "online"'],
  [and(UNSEEN), 'lastSeenAt isNull'],
  [and({ ...UNSEEN, value: null }), 'lastSeenAt isNull'],
  [and(ONLINE, TAGGED), 'status equals "online" AND tags hasAny ["vpn","a \\"b\\""]'],
  [
    and(ONLINE, or(TAGGED, and(UNSEEN, NAMED))),
    'status equals "online" AND (tags hasAny ["vpn","a \\"b\\""] OR (lastSeenAt isNull AND hostname matches "^srv"))',
  ],
  [or(and(or(ONLINE))), 'status equals "online"'],
  [
    and({ field: 'uptimeSeconds', operator: 'between', value: { from: 1, to: 2 } }),
    'uptimeSeconds between {"from":1,"to":2}',
  ],
])('prints %j', (group, text) => {
  expect(printConditions(parseFilter(group))).toBe(text);
});

test('names each field once, in the order of first use', () => {
  expect(fieldsUsed(parseFilter(or(NAMED, and(ONLINE, NAMED), UNSEEN, ONLINE)))).toStrictEqual([
    'hostname',
    'status',
    'lastSeenAt',
  ]);
});
