/**
 * Laws of filter texts over HTTP, on the case table of conditions: a formatted text parses to conditions that
 * match the same devices, and formats to the same text again (Contract: §11).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#domain/ids.ts';
import {
  type Ask,
  FILTERS,
  hostnamesOf,
  PREVIEW,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aUser, movableClock } from '#test/support/builders.ts';
import { CONDITION_AT, CONDITION_FLEET, CONDITION_ORG_ID } from '#test/support/condition-cases/fleet.ts';
import { CONDITION_CASES } from '#test/support/condition-cases.ts';
import { and } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

const { clock, moveTo } = movableClock(CONDITION_AT);

let service: TestService;
let userId: UserId;
beforeAll(async () => {
  service = await startService({ overrides: { clock } });
  const user = aUser({ membership: { scope: 'organization', orgId: CONDITION_ORG_ID } });
  userId = user.id;
  await loadFleet(service.composition.backend, [...CONDITION_FLEET, user]);
});
afterAll(() => service.close());

async function dataOf<T>(ask: Ask, path: string, body: object): Promise<T> {
  const { status, text, body: answer } = await ask('POST', `${FILTERS}${path}`, body);
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${text}`);
  return (answer as { data: T }).data;
}

test.each(CONDITION_CASES)('$name', async ({ condition, at, matches }) => {
  moveTo(at ?? CONDITION_AT);
  const ask = service.asUser(userId);
  const { q } = await dataOf<{ q: string }>(ask, '/format', { conditions: and(condition) });
  const parsed = await dataOf<{ conditions: object; q: string }>(ask, '/parse', { q });
  expect(parsed.q).toBe(q);
  const preview = await ask('POST', PREVIEW, { conditions: parsed.conditions, limit: 100 });
  expect([q, hostnamesOf(preview)]).toStrictEqual([q, matches]);
});
