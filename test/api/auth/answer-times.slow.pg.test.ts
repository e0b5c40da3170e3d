/** Asking for a new password costs the same for every email (Contract: §16, "in the same time"). */
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: AuthService;
let asked = 0;

beforeAll(async () => {
  service = await startAuthService();
});
afterAll(() => service.close());

/** From a network and for an email that nobody has asked for yet, so no limit is reached. */
function ask(email: string) {
  const n = asked++;
  return service.askFrom(`10.${n >> 8}.${n & 255}.7`, `${AUTH}/password-reset`, { email });
}

async function addUsers(count: number, given: Partial<UserRecord> = {}): Promise<readonly string[]> {
  const users = Array.from({ length: count }, () => aUser(given));
  await loadFleet(service.composition.backend, users);
  return users.map(({ email }) => email);
}

const addUnknown = (count: number) =>
  Array.from({ length: count }, (_, i) => `nobody-${asked}-${i}@example.com`);

test('the same statements run for emails of every kind', async () => {
  const [known = '', other = ''] = await addUsers(2);
  const [disabled = ''] = await addUsers(1, { status: 'disabled' });
  const [invited = ''] = await addUsers(1, { status: 'invited', password: null as never });
  const [unknown = ''] = addUnknown(1);
  // The first request has to open connections.
  await ask('first@example.com');
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const statementsOf = async (email: string) => {
    spy.mockClear();
    expect((await ask(email)).status).toBe(202);
    const texts = spy.mock.calls.map(([sent]) => String((sent as { readonly text?: string }).text ?? sent));
    // Values are written into the statements.
    return texts.map((text) => text.replace(/'[^']*'/g, '?'));
  };
  const expected = await statementsOf(known);
  expect(expected.length).toBeGreaterThan(3);
  for (const email of [other, unknown, disabled, invited, 'no email', '']) {
    expect(await statementsOf(email)).toStrictEqual(expected);
  }
  spy.mockRestore();
});
