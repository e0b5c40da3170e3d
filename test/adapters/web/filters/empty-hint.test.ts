import { expect, test } from 'vitest';
import type { ExplainedNode, Explanation } from '#adapters/http/api-types.ts';
import { emptyHint } from '#console/pages/filters/edit/matches/empty-hint.ts';
import { type DraftGroup, toDraft } from '#console/pages/filters/tree/draft-tree.ts';
import { idsOf, toNotes } from '#console/pages/filters/tree/node-notes.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const ONLINE = { field: 'status', operator: 'equals', value: 'online' };
const FULL = { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 };

/** Counts by path within the root, as [count, countWithout]. */
function hintOf(
  conditions: unknown,
  counts: Readonly<Record<string, readonly [number, number?]>>,
  sample?: Explanation['sample'],
) {
  const draft = toDraft(conditions) as DraftGroup;
  const nodes = Object.entries(counts).map(
    ([path, [count, countWithout]]): ExplainedNode => ({
      path: `conditions${path}`,
      operator: 'AND',
      count,
      ...(countWithout !== undefined && { countWithout }),
    }),
  );
  const explanation = {
    evaluatedAt: '2026-11-22T12:00:00.000Z',
    deviceCount: 40,
    totalCount: 0,
    nodes,
    ...(sample !== undefined && { sample }),
  };
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

test('the hint from a sample has estimates, and calls no condition empty', () => {
  const both = { operator: 'AND', conditions: [ONLINE, FULL] };
  const sample = { devices: 10_000, of: 1_000_000 };
  const counts = { '': [0], '.conditions[0]': [2_600, 1_200], '.conditions[1]': [1_200, 2_600] } as const;
  expect(hintOf(both, counts, sample)).toBe(
    'Without the condition on Disk (%), ≈ 2,600 devices would match.',
  );
  const noneAlone = { '': [0], '.conditions[0]': [0, 0], '.conditions[1]': [0, 0] } as const;
  expect(hintOf(both, noneAlone, sample)).toBe('Few or no devices match the condition on Status.');
  const rare = { '': [0], '.conditions[0]': [1_200, 0], '.conditions[1]': [300, 0] } as const;
  expect(hintOf(both, rare, sample)).toBe(
    'The condition on Disk (%) alone matches ≈ 300 devices; the rest rules them out.',
  );
});
