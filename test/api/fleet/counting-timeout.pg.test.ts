/** Counts that take the database too long (Contract: §1, §10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseOf, refusalOf, startService, type TestService } from '#test/api/service/service.ts';

let hasty: TestService;

beforeAll(async () => {
  hasty = await startService({ filterTimeoutMs: 1_000 });
});
afterAll(() => hasty.close());

test.each([
  ['organizations', 'device'],
  ['patches', 'patch'],
  ['summary', 'device_state'],
])('/%s is 422 filter_timeout, and the next request is answered', async (path, table) => {
  const ask = () => hasty.as('A-user')('GET', `/api/v1/${path}`);
  expect((await ask()).status).toBe(200);
  const { owner } = databaseOf(hasty);
  await owner.query('begin');
  await owner.query(`lock table ${table} in access exclusive mode`);
  try {
    expect(refusalOf(await ask())).toStrictEqual([422, 'filter_timeout']);
  } finally {
    await owner.query('rollback');
  }
  expect((await ask()).status).toBe(200);
});
