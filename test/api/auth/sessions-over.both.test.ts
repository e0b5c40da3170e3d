/** The tokens of a session that is over never work again (Contract: §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { FILTERS } from '#test/api/service/service.ts';

const DAY = 86_400;

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

async function refresh({ refreshToken }: Tokens): Promise<Tokens> {
  const answer = await service.ask('POST', `${AUTH}/refresh`, { refreshToken });
  if (answer.status !== 200) throw new Error(`not refreshed: ${answer.text}`);
  return answer.body as Tokens;
}

const statusWith = async ({ accessToken }: Tokens) =>
  (await service.ask('GET', FILTERS, undefined, accessToken)).status;

test('a session that ended right before it expired stays ended when its user signs in again', async () => {
  const user = await service.addUser();
  let tokens = await service.signIn(user);
  for (let days = 0; days < 30; days += 6) {
    service.pass(6 * DAY - 60);
    tokens = await refresh(tokens);
  }
  // It expires in five minutes; its last access token in fifteen.
  const { refreshToken } = tokens;
  expect((await service.ask('POST', `${AUTH}/logout`, { refreshToken })).status).toBe(204);
  service.pass(301);
  await service.signIn(user);
  expect(await statusWith(tokens)).toBe(401);
});

test('an ended session is remembered until its last access token expires', async () => {
  const user = await service.addUser();
  const tokens = await service.signIn(user);
  const { refreshToken } = tokens;
  expect((await service.ask('POST', `${AUTH}/logout`, { refreshToken })).status).toBe(204);
  for (let minute = 0; minute < 15; minute++) {
    await service.signIn(user);
    expect([minute, await statusWith(tokens)]).toStrictEqual([minute, 401]);
    service.pass(60);
  }
});
