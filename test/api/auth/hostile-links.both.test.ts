/** Links in the wrong hands (Contract: §16, "Links"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { type Answer, refusalOf } from '#test/api/service/service.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';
import { takeMails, tokenIn } from './take-mails.ts';

const USERS = '/api/v1/users';
const PASSWORD = 'a wholly new password';
const INVALID = [404, 'link_invalid'];
const DAY_SECONDS = 86_400;

let service: AuthService;
let tenant: Tenant;
let peers = 0;
let names = 0;

beforeAll(async () => {
  service = await startAuthService();
  tenant = await createTenant(service.composition.backend, 2);
});
afterAll(() => service.close());

const post = (path: string, body: object) => service.askFrom(`203.0.${++peers}.7`, `${AUTH}${path}`, body);
const read = (token: string) => post('/invitation', { token });
const accept = (token: string, more: object = {}) =>
  post('/invitation/accept', { token, password: PASSWORD, ...more });
const confirm = (token: string, more: object = {}) =>
  post('/password-reset/confirm', { token, newPassword: PASSWORD, ...more });

async function administrator() {
  const admin = await service.addEnrolledUser({
    membership: { scope: 'partner', partnerId: tenant.partnerId, orgIds: null },
    permissions: ['users:write'],
  });
  const { accessToken } = await service.signInWithMfa(admin);
  return (method: string, path: string, body?: object) =>
    service.ask(method, `${USERS}${path}`, body, accessToken);
}

async function newInvitation() {
  const ask = await administrator();
  const email = `invited-${++names}@example.com`;
  const made = await ask('POST', '', { email, name: 'Invited', orgId: tenant.orgId });
  expect(made.status).toBe(201);
  const { id } = made.body as { readonly id: string };
  return { ask, email, id, token: await takeToken('invitation') };
}

async function newReset(given: Partial<UserRecord> = {}) {
  const membership = { scope: 'organization', orgId: tenant.orgId } as const;
  const user = await service.addUser({ membership, ...given });
  expect((await post('/password-reset', { email: user.email })).status).toBe(202);
  return { user, token: await takeToken('reset-password') };
}

/** The token of the only link that is in the mails. */
async function takeToken(page: 'invitation' | 'reset-password'): Promise<string> {
  const kind = page === 'invitation' ? 'invitation' : 'password-reset-link';
  const mails = (await takeMails(service.composition)).filter((mail) => mail.kind === kind);
  expect(mails).toHaveLength(1);
  return tokenIn(mails[0], page);
}

const signsInWith = async ({ email }: Pick<UserRecord, 'email'>, password: string) =>
  (await post('/login', { email, password })).status === 200;
const refusals = (answers: readonly Answer[]) => answers.map((answer) => refusalOf(answer));

test('a wrong guess is answered as unknown, and the token stays good', async () => {
  const [invitation, reset] = [await newInvitation(), await newReset()];
  const guessesFor = (token: string) => [
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    ...[token.slice(0, -1), `${token}A`, ` ${token}`, `${token}\n`, token.toUpperCase()],
    ...[
      token.replace('fsl_', ''),
      token.replace('fsl_', 'fsk_'),
      `#${token}`,
      encodeURIComponent(`${token}/`),
    ],
    ...['', 'fsl_', '\0', 'x'.repeat(10_000)],
  ];
  for (const guess of guessesFor(invitation.token)) {
    expect(refusals([await read(guess), await accept(guess)])).toStrictEqual([INVALID, INVALID]);
  }
  for (const guess of guessesFor(reset.token)) expect(refusalOf(await confirm(guess))).toStrictEqual(INVALID);
  for (const odd of [null, 7, {}, [invitation.token], true]) {
    expect((await post('/invitation/accept', { token: odd, password: PASSWORD })).status).toBe(400);
  }
  expect((await accept(invitation.token)).status).toBe(204);
  expect((await confirm(reset.token)).status).toBe(204);
});

test('a link is good for its purpose and its person only', async () => {
  const [mine, theirs, reset] = [await newInvitation(), await newInvitation(), await newReset()];
  expect(refusals([await read(reset.token), await accept(reset.token)])).toStrictEqual([INVALID, INVALID]);
  expect(refusalOf(await confirm(mine.token))).toStrictEqual(INVALID);
  // The members of the first run have no effect.
  const swapped = {
    email: theirs.email,
    partnerName: 'Mine',
    organizationName: 'Mine',
    isPlatformAdmin: true,
  };
  expect((await accept(mine.token, swapped)).status).toBe(204);
  expect(await signsInWith(mine, PASSWORD)).toBe(true);
  expect(await signsInWith(theirs, PASSWORD)).toBe(false);
  const me = await mine.ask('GET', `/${mine.id}`);
  expect(me.body).toMatchObject({ email: mine.email, isPlatformAdmin: false, orgId: tenant.orgId });
  expect((await read(theirs.token)).body).toMatchObject({ email: theirs.email });
  expect((await confirm(reset.token, { email: mine.email, userId: mine.id })).status).toBe(204);
  expect(await signsInWith(reset.user, reset.user.password)).toBe(false);
});

test('a replayed link is void, for every route and for good', async () => {
  const [invitation, reset] = [await newInvitation(), await newReset()];
  expect((await accept(invitation.token)).status).toBe(204);
  expect((await confirm(reset.token)).status).toBe(204);
  for (let again = 0; again < 2; again++) {
    expect(
      refusals([
        await read(invitation.token),
        await accept(invitation.token, { password: 'of a thief' }),
        await confirm(reset.token, { newPassword: 'of a thief' }),
      ]),
    ).toStrictEqual([INVALID, INVALID, INVALID]);
    service.pass(60);
  }
  expect(await signsInWith(invitation, 'of a thief')).toBe(false);
  expect(await signsInWith(reset.user, PASSWORD)).toBe(true);
});

test('an invitation is good for seven days to the second, a reset for thirty minutes', async () => {
  const [early, late] = [await newInvitation(), await newInvitation()];
  // The second is younger by the seconds that its administrator took to sign in.
  service.pass(7 * DAY_SECONDS - 31);
  expect((await accept(late.token)).status).toBe(204);
  service.pass(31);
  expect(refusals([await read(early.token), await accept(early.token)])).toStrictEqual([INVALID, INVALID]);
  const [soon, over] = [await newReset(), await newReset()];
  service.pass(1_799);
  expect((await confirm(soon.token)).status).toBe(204);
  service.pass(1);
  expect(refusalOf(await confirm(over.token))).toStrictEqual(INVALID);
});

describe('a reset is void after', () => {
  type Change = (user: UserRecord, ask: Awaited<ReturnType<typeof administrator>>) => Promise<unknown>;
  const patch =
    (...bodies: readonly (() => object)[]): Change =>
    async ({ id }, ask) => {
      for (const body of bodies) expect((await ask('PATCH', `/${id}`, body())).status).toBe(200);
    };

  test.each<[string, Change]>([
    ['the person is disabled', patch(() => ({ status: 'disabled' }))],
    [
      'the person is disabled and enabled again',
      patch(
        () => ({ status: 'disabled' }),
        () => ({ status: 'active' }),
      ),
    ],
    ['a move', patch(() => ({ orgId: tenant.orgIds[1] }))],
    [
      'a reset of factors, even if there are none',
      async ({ id }, ask) => expect((await ask('POST', `/${id}/mfa-reset`)).status).toBe(204),
    ],
    [
      'a change of the password',
      async ({ email, password }) => {
        const { body } = await post('/login', { email, password });
        const { accessToken } = body as { readonly accessToken: string };
        const sent = { currentPassword: password, newPassword: 'changed by hand' };
        expect((await service.ask('POST', `${AUTH}/password`, sent, accessToken)).status).toBe(204);
      },
    ],
    [
      'a first factor',
      async ({ email, password }) => {
        const { body } = await post('/login', { email, password });
        const { accessToken } = body as { readonly accessToken: string };
        const offer = await service.ask('POST', `${AUTH}/mfa/enroll`, { password }, accessToken);
        const code = service.nextCode((offer.body as { readonly secret: string }).secret);
        const confirmed = await service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
        expect(confirmed.status).toBe(200);
      },
    ],
  ])('%s', async (_, change) => {
    const ask = await administrator();
    const { user, token } = await newReset();
    await change(user, ask);
    expect(refusalOf(await confirm(token))).toStrictEqual(INVALID);
    expect(await signsInWith(user, PASSWORD)).toBe(false);
  });
});

test('an administrator who loses their rights meanwhile invites nobody, and withdraws nothing', async () => {
  const { ask, id, token } = await newInvitation();
  const { body } = await ask('GET', '?limit=200');
  const { data } = body as {
    readonly data: readonly { readonly id: string; readonly permissions: string[] }[];
  };
  const other = await administrator();
  const admins = data.filter(({ permissions }) => permissions.includes('users:write'));
  for (const admin of admins) await other('PATCH', `/${admin.id}`, { permissions: [] });
  const sent = { email: `late-${++names}@example.com`, name: 'Late', orgId: tenant.orgId };
  expect(
    refusals([
      await ask('POST', '', sent),
      await ask('POST', `/${id}/invitation`),
      await ask('DELETE', `/${id}`),
    ]),
  ).toStrictEqual([
    [403, 'forbidden'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ]);
  expect((await read(token)).status).toBe(200);
});

test('no link is in the audit log or in a sent mail', async () => {
  const [invitation, reset] = [await newInvitation(), await newReset()];
  await accept(invitation.token);
  await confirm(reset.token);
  const told = JSON.stringify([
    await service.probe.auditEntries(),
    await service.composition.backend.mailOutbox.list(null, 200),
  ]);
  for (const { token } of [invitation, reset]) expect(told).not.toContain(token.slice(4));
});
