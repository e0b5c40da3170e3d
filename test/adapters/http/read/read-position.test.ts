/** The routes that may read from replicas, and how a request says what it has seen (Contract: §15). */
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '#adapters/http/openapi/all-operations.ts';
import { mayLag, readFreshness } from '#adapters/http/read/read-position.ts';
import type { Freshness, Position, WithFreshness } from '#application/ports/freshness.ts';
import { FILTER_URL, fakeHttp, TOKEN } from '#test/support/http/http-fakes.ts';

const AS_USER = { Authorization: `Bearer ${TOKEN}` };

describe('the table of routes', () => {
  const routes = Object.entries(OPERATIONS).map(([route, operation]) => {
    const [method = '', path = ''] = route.split(' ');
    return { route, method, path, operation };
  });
  const lagging = routes.filter(({ method, path }) => mayLag(method, path));

  test('has 27 routes that exist, all of them for callers', () => {
    expect(lagging).toHaveLength(27);
    expect(lagging.filter(({ operation }) => operation.asker !== 'caller')).toStrictEqual([]);
  });

  test('has every route that reads devices or filters, except the list of partners', () => {
    const reads = routes.filter(
      ({ method, operation }) =>
        method === 'GET' && ['filters', 'devices', 'search', 'fleet'].includes(operation.tag),
    );
    // Only administrators list partners, usually after changing one.
    const others = reads.filter((read) => !lagging.includes(read)).map(({ route }) => route);
    expect(others).toStrictEqual(['GET /api/v1/partners']);
  });

  test('has no route about access, and none that changes anything', () => {
    const tags = [
      'session',
      'second factor',
      'passkeys',
      'API keys',
      'account deletion',
      'audit',
      'inventory',
    ];
    expect(lagging.filter(({ operation }) => tags.includes(operation.tag))).toStrictEqual([]);
    expect(lagging.filter(({ method }) => ['PATCH', 'PUT', 'DELETE'].includes(method))).toStrictEqual([]);
    expect(mayLag('POST', '/api/v1/filters')).toBe(false);
  });

  test('treats HEAD like GET', () => {
    expect(mayLag('HEAD', '/api/v1/devices')).toBe(true);
  });
});

describe('the header', () => {
  test.each(['0/0', '16/B374D848', 'FFFFFFFF/FFFFFFFF', ' 0/1 '])('takes %j', (header) => {
    expect(readFreshness('GET', '/api/v1/devices', header)).toStrictEqual({
      ok: true,
      value: { mayLag: true, seen: header.trim() },
    });
  });

  test.each(['', '0', '0/', '/0', '0/g', '0/1/2', '123456789/0', 'ab/cd', "0/0' or 1=1", '0/0, 0/1'])(
    'refuses %j, and says what to send',
    async (header) => {
      const { app, filters } = fakeHttp();
      const answer = await app.request(FILTER_URL, {
        headers: { ...AS_USER, 'X-Fleetsift-Position': header },
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'X-Fleetsift-Position', code: 'invalid_value' }],
      });
      expect(filters.readFilter).not.toHaveBeenCalled();
    },
  );

  test('is ignored by a change', () => {
    expect(readFreshness('POST', '/api/v1/filters', 'nonsense')).toStrictEqual({
      ok: true,
      value: { mayLag: false, seen: null },
    });
  });
});

describe('where there are replicas', () => {
  /** Answers as if everything had committed. */
  function withReplicas() {
    const asked: Freshness[] = [];
    const withFreshness: WithFreshness = async (freshness, work) => {
      asked.push(freshness);
      return { result: await work(), position: freshness.mayLag ? null : ('0/2A' as Position) };
    };
    return { asked, ...fakeHttp({ withFreshness }) };
  }

  test('a read is as fresh as it asks for, and its answer has no position', async () => {
    const { app, asked } = withReplicas();
    const headers = { ...AS_USER, 'X-Fleetsift-Position': '0/2A' };
    const answer = await app.request(FILTER_URL, { headers });
    expect([answer.status, answer.headers.get('X-Fleetsift-Position')]).toStrictEqual([200, null]);
    expect(asked).toStrictEqual([{ mayLag: true, seen: '0/2A' }]);
  });

  test('the answer to a change has its position', async () => {
    const { app, asked } = withReplicas();
    const answer = await app.request(FILTER_URL, { method: 'DELETE', headers: AS_USER });
    expect([answer.status, answer.headers.get('X-Fleetsift-Position')]).toStrictEqual([200, '0/2A']);
    expect(asked).toStrictEqual([{ mayLag: false, seen: null }]);
  });

  test('a refused caller gets no position', async () => {
    const { app, asked } = withReplicas();
    const answer = await app.request(FILTER_URL, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('X-Fleetsift-Position')]).toStrictEqual([401, null]);
    expect(asked).toStrictEqual([]);
  });
});
