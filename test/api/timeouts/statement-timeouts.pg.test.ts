/** No statement of a request runs forever: every connection of a service has a limit (issue 8, §1). */
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { FILTERS, PREVIEW, SEARCH, startService } from '#test/api/service/service.ts';
import { aDevice } from '#test/support/builders.ts';

const EVERY = { field: 'hostname', operator: 'matches', value: '.' };

/** The application name and the statement timeout of a connection. */
async function limitOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ limit: string }>(
    `select split_part(current_setting('application_name'), ' #', 1) || ' ' || current_setting('statement_timeout') as "limit"`,
  );
  return rows[0]?.limit ?? '';
}

test('every connection of every pool has a statement_timeout', async () => {
  const connect = vi.spyOn(Client.prototype, 'connect');
  const end = vi.spyOn(Client.prototype, 'end');
  const service = await startService({ filterTimeoutMs: 3_000, searchTimeoutMs: 2_000 });
  try {
    // A load runs without a limit, and leaves no connection without one behind.
    const org = await service.inNewOrg((orgId) => [aDevice({ orgId })]);
    // Several requests of each kind at once make every pool open connections.
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => [
        org.ask('POST', PREVIEW, { conditions: { operator: 'AND', conditions: [EVERY] } }),
        org.ask('GET', `${SEARCH}?q=host`),
        org.ask('GET', FILTERS),
        org.ask('GET', '/api/v1/auth/me'),
        org.ask('POST', FILTERS, { name: 'x', conditions: { operator: 'AND', conditions: [EVERY] } }),
        service.as('none')('POST', '/api/v1/auth/login', { email: 'a@example.com', password: 'wrong' }),
      ]).flat(),
    );
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200, 201, 401]));
    const ended = new Set(end.mock.contexts);
    const open = (connect.mock.contexts as Client[]).filter((one) => !ended.has(one) && isOfService(one));
    expect(new Set(await Promise.all(open.map(limitOf)))).toStrictEqual(
      new Set(['fleetsift 30s', 'fleetsift reader 3s', 'fleetsift reader 2s', 'fleetsift look-up 10s']),
    );
  } finally {
    await service.close();
  }
});

/** Whether the service opened the connection, and not the test. */
function isOfService({ user }: Client): boolean {
  return /_(?:app|reader)$/.test(user ?? '');
}
