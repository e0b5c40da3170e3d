/** How the query strings of the administrator's lists are read, and how faults are reported (Contract: §1, §7, §8). */
import { describe, expect, test, vi } from 'vitest';
import type { ReadAuditLog } from '#application/audit/read-audit-log.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import { RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import { AS_USER, aProblem, fakeHttp } from '#test/support/http/http-fakes.ts';
import { makeMemoryDeletions } from '#test/support/http/memory-deletions.ts';

const AUDIT_LOG = '/api/v1/admin/audit-log';
const REQUESTS = '/api/v1/admin/account-deletion-requests';
const ID = '0196f000-0000-7000-8000-00000000abcd';
const POSITION = { at: Date.UTC(2026, 1, 10), id: ID as AuditEntryId };

function adminHttp() {
  const readAuditLog = vi.fn<ReadAuditLog>(async () => ok({ entries: [], next: null }));
  const listDeletions = vi.fn<DeletionUseCases['listDeletions']>(async () => ok({ requests: [], total: 0 }));
  const deletions = { ...makeMemoryDeletions().deletions, listDeletions };
  const { app } = fakeHttp({ readAuditLog, deletions });
  return { readAuditLog, listDeletions, get: (url: string) => app.request(url, { headers: AS_USER }) };
}

const EVERYTHING = {
  action: null,
  actor: null,
  actorId: null,
  result: null,
  resourceId: null,
  orgId: null,
  from: null,
  to: null,
  after: null,
  limit: 50,
};

describe('GET /admin/audit-log', () => {
  test.each([
    ['', {}],
    ['?limit=1', { limit: 1 }],
    ['?limit=200&limit=200', { limit: 200 }],
    ['?action=filter.create&other=1', { action: 'filter.create' }],
    [`?actorId=${ID.toUpperCase()}&resourceId=${ID}`, { actorId: ID, resourceId: ID }],
    [`?orgId=${ID.toUpperCase()}`, { orgId: ID }],
    ['?from=2026-02-10', { from: Date.UTC(2026, 1, 10) }],
    ['?to=2026-02-10', { to: Date.UTC(2026, 1, 11) - 1 }],
    ['?to=2026-02-10T08:00Z', { to: Date.UTC(2026, 1, 10, 8) }],
    ['?from=0001-01-01T00:00%2B15:59', { from: Date.parse('0001-01-01T00:00:00Z') }],
    ['?to=9999-12-31T23:59-15:59', { to: Date.parse('9999-12-31T23:59:59.999Z') }],
  ])('with %j asks for %j', async (query, asked) => {
    const { get, readAuditLog } = adminHttp();
    expect((await get(`${AUDIT_LOG}${query}`)).status).toBe(200);
    expect(readAuditLog.mock.calls.map(([, sent]) => sent)).toStrictEqual([{ ...EVERYTHING, ...asked }]);
  });

  test.each([
    ['limit=0', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['limit=201', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['limit=1.5', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['limit=abc', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['limit=', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['limit=%FF', 'limit', 'out_of_range', 'limit must be a whole number from 1 to 200'],
    ['actorId=7', 'actorId', 'invalid_value', 'actorId must be a UUID'],
    ['orgId=', 'orgId', 'invalid_value', 'orgId must be a UUID'],
    [
      'from=yesterday',
      'from',
      'invalid_value',
      'from must be an ISO 8601 date, such as 2026-02-10 or 2026-02-10T08:00:00Z',
    ],
    ['from=2026-02-30', 'from', 'invalid_value', 'from must be a day that exists; there is no 2026-02-30'],
    ['to=2026-13-01T08:00Z', 'to', 'invalid_value', 'to must be a day that exists; there is no 2026-13-01'],
    [
      'to=2026-02-10T25:00Z',
      'to',
      'invalid_value',
      'to must be an ISO 8601 date, such as 2026-02-10 or 2026-02-10T08:00:00Z',
    ],
    ['from=2026-02-11&to=2026-02-10', 'from', 'out_of_range', 'from must not be after to'],
    ['limit=1&limit=2', 'limit', 'repeated_parameter', 'limit appears more than once with different values'],
  ])('with %j is refused', async (query, path, code, message) => {
    const { get, readAuditLog } = adminHttp();
    const answer = await (await get(`${AUDIT_LOG}?${query}`)).json();
    expect(answer).toStrictEqual(
      aProblem('validation_failed', 400, 'Validation failed', message, [{ path, code, message }]),
    );
    expect(readAuditLog).not.toHaveBeenCalled();
  });

  test('continues from the cursor of the previous page, with the same query', async () => {
    const { get, readAuditLog } = adminHttp();
    readAuditLog.mockResolvedValueOnce(ok({ entries: [], next: POSITION }));
    const { nextCursor } = (await (await get(`${AUDIT_LOG}?actorId=${ID}&limit=1`)).json()) as {
      nextCursor: string;
    };
    const next = await get(`${AUDIT_LOG}?cursor=${nextCursor}&limit=2&actorId=${ID}`);
    expect(next.status).toBe(200);
    expect(readAuditLog.mock.calls[1]?.[1]).toStrictEqual({
      ...{ ...EVERYTHING, actorId: ID, after: POSITION, limit: 2 },
    });
    const other = await get(`${AUDIT_LOG}?cursor=${nextCursor}`);
    expect([other.status, await other.json()]).toMatchObject([400, { code: 'invalid_cursor' }]);
  });

  test('names every fault, and for an unknown action every action that exists', async () => {
    const { get } = adminHttp();
    const query = 'action=x&actorId=&from=2026-02-11&to=2026-02-10&limit=x';
    const { errors } = (await (await get(`${AUDIT_LOG}?${query}`)).json()) as {
      errors: { path: string; message: string }[];
    };
    expect(errors.map(({ path }) => path)).toStrictEqual(['action', 'actorId', 'limit', 'from']);
    expect(errors[0]?.message).toBe(`action must be one of ${Object.keys(RESOURCE_TYPES).join(', ')}`);
  });
});

describe('GET /admin/account-deletion-requests', () => {
  test.each([
    ['', {}],
    ['?status=pending&limit=200', { status: 'pending', limit: 200 }],
    [`?orgId=${ID}&offset=1000000000`, { orgId: ID, offset: 1_000_000_000 }],
  ])('with %j asks for %j', async (query, asked) => {
    const { get, listDeletions } = adminHttp();
    expect((await get(`${REQUESTS}${query}`)).status).toBe(200);
    expect(listDeletions.mock.calls.map(([, sent]) => sent)).toStrictEqual([
      { status: null, orgId: null, limit: 50, offset: 0, ...asked },
    ]);
  });

  test.each([
    ['status=', 'status', 'invalid_value', 'status must be one of pending, processing, completed, cancelled'],
    [
      'status=Pending',
      'status',
      'invalid_value',
      'status must be one of pending, processing, completed, cancelled',
    ],
    ['orgId=mine', 'orgId', 'invalid_value', 'orgId must be a UUID'],
    ['offset=-1', 'offset', 'out_of_range', 'offset must be a whole number from 0 to 1000000000'],
    ['offset=01', 'offset', 'out_of_range', 'offset must be a whole number from 0 to 1000000000'],
  ])('with %j is refused', async (query, path, code, message) => {
    const { get, listDeletions } = adminHttp();
    const answer = await (await get(`${REQUESTS}?${query}`)).json();
    expect(answer).toStrictEqual(
      aProblem('validation_failed', 400, 'Validation failed', message, [{ path, code, message }]),
    );
    expect(listDeletions).not.toHaveBeenCalled();
  });
});
