/** A search that the database cannot answer in time (Contract: §6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, databaseOf, SEARCH, startService, type TestService } from '#test/api/service/service.ts';

async function titlesOf(ask: Ask, q: string): Promise<readonly string[]> {
  const { body } = await ask('GET', `${SEARCH}?q=${q}`);
  return (body as { results: readonly { title: string }[] }).results.map(({ title }) => title);
}

describe('a search that takes too long', () => {
  let hasty: TestService;
  beforeAll(async () => {
    hasty = await startService({ searchTimeoutMs: 1_000 });
  });
  afterAll(() => hasty.close());

  test('is 422 search_timeout, and the next search is answered', async () => {
    const ask = hasty.as('A-user');
    const canary = hasty.tenants.devices[0]?.hostname ?? '';
    expect(await titlesOf(ask, canary)).toHaveLength(1);
    await databaseOf(hasty).owner.query('begin');
    await databaseOf(hasty).owner.query('lock table device in access exclusive mode');
    try {
      const answer = await ask('GET', `${SEARCH}?q=${canary}`, undefined, { 'X-Request-Id': 'late' });
      const detail = 'The search took too long; try a longer or less common text.';
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toStrictEqual([
        422,
        'application/problem+json',
        {
          type: 'urn:fleetsift:problem:search_timeout',
          title: 'Search timed out',
          status: 422,
          detail,
          message: detail,
          code: 'search_timeout',
          requestId: 'late',
        },
      ]);
    } finally {
      await databaseOf(hasty).owner.query('rollback');
    }
    expect(await titlesOf(ask, canary)).toHaveLength(1);
  });
});
