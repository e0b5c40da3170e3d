/** Meaning of conditions over HTTP: the shared table of cases, and the law of complements (Contract: §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FILTERS,
  hostnamesOf,
  PREVIEW,
  previewOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { anApiKey, aUser, movableClock } from '#test/support/builders.ts';
import {
  CONDITION_AT,
  CONDITION_FLEET,
  CONDITION_ORG_ID,
  DEVICE_NAMES,
} from '#test/support/condition-cases/fleet.ts';
import { COMPLEMENT_PAIRS, CONDITION_CASES } from '#test/support/condition-cases.ts';
import type { RawCondition } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

const time = movableClock(CONDITION_AT);
const user = aUser({ membership: { scope: 'organization', orgId: CONDITION_ORG_ID } });
const key = anApiKey({ userId: user.id });

let service: TestService;

beforeAll(async () => {
  service = await startService({ overrides: { clock: time.clock } });
  await loadFleet(service.composition.backend, [...CONDITION_FLEET, user, key]);
});
afterAll(() => service.close());

// An API key stays valid when a case moves the clock to another year.
const ask = (method: string, path: string, body?: unknown) =>
  service.as('none')(method, path, body, { 'X-API-Key': key.key });

async function find(condition: RawCondition, at = CONDITION_AT): Promise<readonly string[]> {
  time.moveTo(at);
  const conditions = { operator: 'AND', conditions: [condition] };
  const answer = await ask('POST', PREVIEW, { conditions, limit: 100 });
  const { totalCount, evaluatedAt } = previewOf(answer);
  const hostnames = hostnamesOf(answer);
  expect([totalCount, evaluatedAt]).toStrictEqual([hostnames.length, new Date(at).toISOString()]);
  return hostnames;
}

test('the table has a few hundred cases', () => {
  expect(CONDITION_CASES.length).toBeGreaterThanOrEqual(220);
});

test.each(CONDITION_CASES)('$name', async ({ condition, at, matches }) => {
  expect(await find(condition, at)).toStrictEqual(matches);
});

describe('every device matches exactly one of two complements', () => {
  const complements = new Map<string, string>(
    COMPLEMENT_PAIRS.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
  );
  const operatorsOf = new Map<string, readonly string[]>();

  beforeAll(async () => {
    time.moveTo(CONDITION_AT);
    const { data } = (await ask('GET', `${FILTERS}/fields`)).body as {
      data: readonly { readonly key: string; readonly operators: readonly string[] }[];
    };
    for (const field of data) operatorsOf.set(field.key, field.operators);
  });

  test.each(COMPLEMENT_PAIRS)('%s and %s, with every value of the table', async (one, other) => {
    const cases = CONDITION_CASES.filter(
      ({ condition: { field, operator } }) =>
        (operator === one || operator === other) &&
        operatorsOf.get(field)?.includes(complements.get(operator) ?? '') === true,
    );
    expect(cases.length).toBeGreaterThan(0);
    for (const { condition, at, matches } of cases) {
      const rest = await find({ ...condition, operator: complements.get(condition.operator) ?? '' }, at);
      expect([condition, [...matches, ...rest].toSorted()]).toStrictEqual([
        condition,
        DEVICE_NAMES.toSorted(),
      ]);
    }
  });
});
