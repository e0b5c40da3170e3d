/** Refusals and failures as problem documents (Contract: §1). */
import { describe, expect, test } from 'vitest';
import type { ApplicationError } from '#application/application-error.ts';
import { err } from '#domain/result.ts';
import { AS_USER, aProblem, FILTER_URL, fakeHttp, withJson } from '#test/support/http/http-fakes.ts';

const fault = { path: 'conditions.conditions[0].field', code: 'unknown_field', message: 'no such field' };

describe('a refusal of a use case', () => {
  test.each<[ApplicationError, number, string]>([
    [{ code: 'validation_failed', detail: 'd', errors: [fault] }, 400, 'Validation failed'],
    [{ code: 'ambiguous_custom_field', detail: 'd', errors: [fault] }, 400, 'Ambiguous custom field'],
    [{ code: 'forbidden', detail: 'd' }, 403, 'Forbidden'],
    [{ code: 'not_found', detail: 'd' }, 404, 'Not found'],
    [{ code: 'precondition_failed', detail: 'd' }, 412, 'Precondition failed'],
    [{ code: 'quota_exceeded', detail: 'd' }, 409, 'Quota exceeded'],
    [{ code: 'filter_timeout', detail: 'd' }, 422, 'Filter timed out'],
    [{ code: 'search_timeout', detail: 'd' }, 422, 'Search timed out'],
    [{ code: 'cancelled', detail: 'd' }, 499, 'Client closed the request'],
  ])('is answered: %j with %d', async (error, status, title) => {
    const { app, filters } = fakeHttp();
    const refusal = err(error);
    filters.createFilter.mockResolvedValue(refusal);
    filters.readFilter.mockResolvedValue(refusal);
    filters.updateFilter.mockResolvedValue(refusal);
    filters.deleteFilter.mockResolvedValue(refusal);
    filters.previewConditions.mockResolvedValue(refusal);
    filters.previewFilter.mockResolvedValue(refusal);
    const responses = await Promise.all([
      app.request('/api/v1/filters', withJson('POST', {})),
      app.request(FILTER_URL, { headers: AS_USER }),
      app.request(FILTER_URL, withJson('PATCH', {})),
      app.request(FILTER_URL, { method: 'DELETE', headers: AS_USER }),
      app.request('/api/v1/filters/preview', withJson('POST', {})),
      app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: AS_USER }),
    ]);
    const problem = aProblem(error.code, status, title, 'd', 'errors' in error ? [fault] : undefined);
    for (const response of responses) {
      expect([response.status, response.headers.get('Content-Type'), await response.json()]).toStrictEqual([
        status,
        'application/problem+json',
        problem,
      ]);
    }
  });

  test('keeps the words that clients look for', async () => {
    const { app, filters } = fakeHttp();
    const message = 'orgId is required for partner scope';
    const errors = [{ path: 'orgId', code: 'value_required', message }];
    filters.createFilter.mockResolvedValue(err({ code: 'validation_failed', detail: message, errors }));
    const response = await app.request('/api/v1/filters', withJson('POST', {}));
    expect(await response.json()).toStrictEqual(
      aProblem('validation_failed', 400, 'Validation failed', message, errors),
    );
  });

  test('shows only the path, code and message of a fault', async () => {
    const { app, filters } = fakeHttp();
    const errors = [{ ...fault, internal: 'x' }];
    filters.readFilter.mockResolvedValue(err({ code: 'validation_failed', detail: 'd', errors }));
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect(await response.json()).toHaveProperty('errors', [fault]);
  });
});

describe('a failure', () => {
  const INTERNAL = aProblem(
    'internal',
    500,
    'Internal error',
    'Something went wrong on our side; quote the requestId when you report it.',
  );

  test.each<[string, unknown]>([
    ['an error', new Error('select * from secret_table')],
    ['an error with statements on it', Object.assign(new Error('x'), { query: 'select', status: 404 })],
    ['an error with its own answer', Object.assign(new Error('x'), { getResponse: () => new Response('x') })],
    ['a text', 'secret'],
    ['undefined', undefined],
    ['an object', { status: 404 }],
  ])('that throws %s is a 500 that does not reveal it', async (_, thrown) => {
    const { app, filters } = fakeHttp();
    filters.readFilter.mockRejectedValue(thrown);
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect([response.status, response.headers.get('Content-Type'), await response.json()]).toStrictEqual([
      500,
      'application/problem+json',
      INTERNAL,
    ]);
  });

  test('to check a credential is a 500, too', async () => {
    const { app, verifyAccessToken } = fakeHttp();
    verifyAccessToken.mockRejectedValue(new Error('x'));
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([500, INTERNAL]);
  });

  test('because the database is unavailable is a 503 that says when to try again', async () => {
    const away = new Error('connect ECONNREFUSED');
    const { app, filters } = fakeHttp({ isUnavailable: (error) => error === away });
    filters.readFilter.mockRejectedValue(away);
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect([response.status, response.headers.get('Retry-After'), await response.json()]).toStrictEqual([
      503,
      '2',
      aProblem(
        'unavailable',
        503,
        'Temporarily unavailable',
        'The service is too busy, or cannot reach its database; try again shortly.',
      ),
    ]);
  });

  test('because the disk of the database is full is a 503 that says so, and is counted', async () => {
    const full = new Error('could not extend file "base/1/2": No space left on device');
    let counted = 0;
    const { app, filters } = fakeHttp({
      isUnavailable: () => true,
      isDiskFull: (error) => error === full,
      noteDiskFull: () => {
        counted += 1;
      },
    });
    filters.previewFilter.mockRejectedValue(full);
    const response = await app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: AS_USER });
    expect([response.status, response.headers.get('Retry-After')]).toStrictEqual([503, '60']);
    expect(await response.json()).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('disk is full'),
    });
    expect(counted).toBe(1);
  });

  test('because the client has left is a 499, and no error in the log', async () => {
    const gone = new Error('cancelled on user request');
    const { app, filters, lines } = fakeHttp({
      isCancelled: (error) => error === gone,
      isUnavailable: () => true,
    });
    filters.readFilter.mockRejectedValue(gone);
    const response = await app.request(FILTER_URL, { headers: AS_USER });
    expect([response.status, lines.map(({ level }) => level)]).toStrictEqual([499, ['info']]);
  });
});
