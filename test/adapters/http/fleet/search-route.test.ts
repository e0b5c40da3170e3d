/** The route of the search: what it takes from a request and what it answers (Spec: GET /search; Contract: §6). */
import { describe, expect, test } from 'vitest';
import { err, ok } from '#domain/result.ts';
import { AS_KEY, AS_USER, aProblem, fakeHttp } from '#test/support/http/http-fakes.ts';

const SEARCH = '/api/v1/search';

/** The defaults of a search. */
const PLAIN = { match: false, approximate: false, context: false, orgId: null };

describe('GET /search', () => {
  test('answers with the results, field by field, and leaves out what is absent', async () => {
    const { app, search } = fakeHttp();
    const extra = { orgId: 'not for show' };
    search.mockResolvedValue(
      ok([
        { type: 'devices', id: '1', title: 'srv', description: 'online', ...extra },
        { type: 'scripts', id: '2', title: 'srv', description: null, ...extra },
        { type: 'settings', id: '3', title: 'Srv', description: 'd', href: '/srv', ...extra },
      ]),
    );
    const response = await app.request(`${SEARCH}?q=srv`, { headers: AS_USER });
    expect([response.status, response.headers.get('Content-Type'), await response.text()]).toStrictEqual([
      200,
      'application/json',
      JSON.stringify({
        results: [
          { id: '1', type: 'devices', title: 'srv', description: 'online' },
          { id: '2', type: 'scripts', title: 'srv' },
          { id: '3', type: 'settings', title: 'Srv', description: 'd', href: '/srv' },
        ],
      }),
    ]);
  });

  test.each([
    ['?q=srv', { q: 'srv', limit: 20, ...PLAIN }],
    ['?q=%20srv+01%0A', { q: 'srv 01', limit: 20, ...PLAIN }],
    ['?q=100%25_%5C', { q: '100%_\\', limit: 20, ...PLAIN }],
    ['?q=%C3%84&limit=50', { q: 'Ä', limit: 50, ...PLAIN }],
    ['?q=srv&q=srv&limit=1&limit=1', { q: 'srv', limit: 1, ...PLAIN }],
    ['?q=srv&match=true', { q: 'srv', limit: 20, ...PLAIN, match: true }],
    ['?q=srv&match=false&approximate=true', { q: 'srv', limit: 20, ...PLAIN, approximate: true }],
    ['?q=srv&category=devices', { q: 'srv', limit: 20, ...PLAIN }],
  ])('with %j asks for %j', async (query, input) => {
    const { app, search } = fakeHttp();
    for (const headers of [AS_USER, AS_KEY]) await app.request(`${SEARCH}${query}`, { headers });
    expect(search.mock.calls.map(([, asked]) => asked)).toStrictEqual([input, input]);
    expect(search.mock.calls.map(([{ caller }]) => caller.credential.kind)).toStrictEqual([
      'session',
      'api-key',
    ]);
  });

  test.each([
    ['', [['q', 'value_required', 'q is required: the text to search for, 1 to 100 characters']]],
    ['?q=', [['q', 'invalid_value', 'q must have 1 to 100 characters after trimming; it has 0']]],
    ['?q=a%00', [['q', 'invalid_value', 'q must not contain a NUL character (U+0000)']]],
    ['?q=%ff', [['q', 'invalid_value', 'q must be UTF-8']]],
    ['?q=a&limit=051', [['limit', 'out_of_range', 'limit must be a whole number from 1 to 50']]],
    [
      '?q=a&q=b&limit=1&limit=2',
      [
        ['q', 'repeated_parameter', 'q appears more than once with different values'],
        ['limit', 'repeated_parameter', 'limit appears more than once with different values'],
      ],
    ],
  ])('with %j is refused, and every fault is named', async (query, faults) => {
    const { app, search } = fakeHttp();
    const response = await app.request(`${SEARCH}${query}`, { headers: AS_USER });
    const errors = faults.map(([path, code, message]) => ({ path, code, message }));
    const detail = `${errors[0]?.message}${errors.length > 1 ? ' (and 1 more; see errors)' : ''}`;
    expect(await response.json()).toStrictEqual(
      aProblem('validation_failed', 400, 'Validation failed', detail, errors),
    );
    expect(search).not.toHaveBeenCalled();
  });

  test.each([
    ['search_timeout', 422, 'Search timed out'],
    ['cancelled', 499, 'Client closed the request'],
  ] as const)('that ends with %s is %d', async (code, status, title) => {
    const { app, search } = fakeHttp();
    search.mockResolvedValue(err({ code, detail: 'd' }));
    const response = await app.request(`${SEARCH}?q=srv`, { headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([
      status,
      aProblem(code, status, title, 'd'),
    ]);
  });

  test('without a credential is 401, whatever is asked', async () => {
    const { app, search } = fakeHttp();
    expect((await app.request(SEARCH)).status).toBe(401);
    expect(search).not.toHaveBeenCalled();
  });
});
