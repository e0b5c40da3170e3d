import { expect, test } from 'vitest';
import type { ExplainedNode } from '#adapters/http/api-types.ts';
import { emptyHint } from '#console/pages/filters/edit/matches/empty-hint.ts';
import { type DraftGroup, toDraft } from '#console/pages/filters/tree/draft-tree.ts';
import { idsOf, toNotes } from '#console/pages/filters/tree/node-notes.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const ONLINE = { field: 'status', operator: 'equals', value: 'online' };
const FULL = { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 };

/** Counts by path within the root, as [count, countWithout]. */
function hintOf(conditions: unknown, counts: Readonly<Record<string, readonly [number, number?]>>) {
  const draft = toDraft(conditions) as DraftGroup;
  const nodes = Object.entries(counts).map(
    ([path, [count, countWithout]]): ExplainedNode => ({
      path: `conditions${path}`,
      operator: 'AND',
      count,
      ...(countWithout !== undefined && { countWithout }),
    }),
  );
  const explanation = { evaluatedAt: '2026-11-22T12:00:00.000Z', deviceCount: 40, totalCount: 0, nodes };
  return emptyHint(draft, toNotes(explanation, idsOf(draft)), { catalog: CORE_CATALOG });
}

test('the hint names the part without which the most devices would match', () => {
  const both = { operator: 'AND', conditions: [ONLINE, FULL] };
  expect(hintOf(both, { '': [0], '.conditions[0]': [26, 12], '.conditions[1]': [12, 26] })).toBe(
    'Without the condition on Disk (%), 26 devices would match.',
  );
  const nested = { operator: 'AND', conditions: [ONLINE, { operator: 'OR', conditions: [FULL, FULL] }] };
  expect(hintOf(nested, { '': [0], '.conditions[0]': [26, 0], '.conditions[1]': [0, 26] })).toBe(
    'Without the group of 2 conditions, 26 devices would match.',
  );
});

test('if no part alone is to blame, the hint names the condition that matches the fewest devices', () => {
  const both = { operator: 'AND', conditions: [ONLINE, FULL] };
  const three = { operator: 'AND', conditions: [ONLINE, FULL, FULL] };
  expect(hintOf(both, { '': [0], '.conditions[0]': [0, 0], '.conditions[1]': [0, 0] })).toBe(
    'No device matches the condition on Status.',
  );
  expect(
    hintOf(three, { '': [0], '.conditions[0]': [26, 0], '.conditions[1]': [3, 0], '.conditions[2]': [4, 0] }),
  ).toBe('The condition on Disk (%) alone matches 3 devices; the rest rules them out.');
});

test('the hint for a filter of one condition names that condition', () => {
  expect(hintOf({ operator: 'AND', conditions: [FULL] }, { '': [0], '.conditions[0]': [0] })).toBe(
    'No device matches the condition on Disk (%).',
  );
  expect(hintOf({ operator: 'AND', conditions: [FULL] }, {})).toBeNull();
});
