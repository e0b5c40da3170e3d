import { describe, expect, test } from 'vitest';
import { findQuotaFaults, quotaExceededBy } from '#domain/filter/filter-quota.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { newId } from '#test/support/builders.ts';

const MAX_BYTES = 67_108_864;

describe('the filter quota', () => {
  test.each([
    [{ filters: 1, conditionBytes: 10 }, { filters: 999, conditionBytes: MAX_BYTES - 10 }, null],
    [
      { filters: 1, conditionBytes: 10 },
      { filters: 1_000, conditionBytes: 0 },
      'an organization holds at most 1,000 saved filters; this one has 1,000, and this would add 1',
    ],
    [
      { filters: 1, conditionBytes: 10 },
      { filters: 5, conditionBytes: MAX_BYTES - 9 },
      'an organization holds at most 67,108,864 bytes of conditions; this one has 67,108,855, and this would add 10',
    ],
    // A change that adds nothing is allowed even beyond the quota.
    [{ filters: 0, conditionBytes: 0 }, { filters: 2_000, conditionBytes: MAX_BYTES + 1 }, null],
    [{ filters: 0, conditionBytes: -5 }, { filters: 2_000, conditionBytes: MAX_BYTES + 50 }, null],
  ])('is checked when %j is added to %j: %j', (added, used, excess) => {
    expect(quotaExceededBy(added, used, 'organization')).toBe(excess);
  });
});

describe('the filters of a load', () => {
  const [one, two] = [newId<'organization'>(), newId<'organization'>()];
  const add = (orgId = one, filters = 1, conditionBytes = 10) => ({
    owner: { kind: 'organization' as const, orgId },
    filters,
    conditionBytes,
  });

  test('fit if the result is within the quotas', () => {
    const used = { filters: 998, conditionBytes: MAX_BYTES };
    const shrink = add(one, 0, -1_000);
    expect(findQuotaFaults([add(), add(), shrink], () => used)).toStrictEqual([]);
  });

  test('may use up the quotas, whatever they need in between', () => {
    const used = { filters: 1, conditionBytes: MAX_BYTES - 10 };
    expect(findQuotaFaults([add(one, 0, 20), add(one, 0, -10)], () => used)).toStrictEqual([]);
  });

  test('fit if they leave less than before, even beyond the quotas', () => {
    const used = { filters: 1, conditionBytes: MAX_BYTES + 100 };
    expect(findQuotaFaults([add(one, 0, 10), add(one, 0, -20)], () => used)).toStrictEqual([]);
  });

  test('are refused one by one once the quota is used up, separately for each organization', () => {
    const used = { filters: 998, conditionBytes: 0 };
    const changes = [add(), add(two), add(), add(), add(one, 0), add()];
    const message =
      'an organization holds at most 1,000 saved filters; this one has 998, and this would add 4';
    expect(
      findQuotaFaults(changes, () => used).map(({ change, ...fault }) => [changes.indexOf(change), fault]),
    ).toStrictEqual([
      [3, { member: 'orgId', message }],
      [5, { member: 'orgId', message }],
    ]);
  });

  test('are refused if their conditions do not fit', () => {
    const used = { filters: 1, conditionBytes: MAX_BYTES - 15 };
    expect(findQuotaFaults([add(), add()], () => used).map(({ member }) => member)).toStrictEqual([
      'conditions',
    ]);
  });

  test('are loaded again if they are unchanged, even beyond the quota', () => {
    const used = { filters: 2_000, conditionBytes: MAX_BYTES + 1 };
    expect(findQuotaFaults([add(one, 0, 0), add(one, 0, 0)], () => used)).toStrictEqual([]);
  });
});

test.each(['', 'ascii', 'Büro', '€', '🖨', 'a🖨€ü', '\u0000', '\uffff'])(
  'counts the UTF-8 bytes of %j',
  (text) => {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  },
);
