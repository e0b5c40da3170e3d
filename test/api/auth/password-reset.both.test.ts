/** A lost password (Contract: §16, "Links"). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService } from '#test/api/service/auth-service.ts';
import { refusalOf } from '#test/api/service/service.ts';
import { anApiKey } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { takeMails, tokenIn } from './take-mails.ts';

const NEW_PASSWORD = 'a wholly new password';

let service: AuthService;
let peers = 0;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

/** A network from which nobody has asked yet. */
const newPeer = () => `198.51.${++peers}.7`;

const request = (email: unknown, peer = newPeer()) =>
  service.askFrom(peer, `${AUTH}/password-reset`, { email });
const confirm = (body: object, peer = newPeer()) =>
  service.askFrom(peer, `${AUTH}/password-reset/confirm`, body);
const takeLinks = async () =>
  (await takeMails(service.composition)).filter(({ kind }) => kind === 'password-reset-link');
async function newLink(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202);
  return tokenIn((await takeLinks())[0], 'reset-password');
}

test('a link sets a new password once, ends sessions but not API keys, sends a mail and is audited', async () => {
  const user = await service.addUser({ permissions: ['users:write'] });
  const { accessToken } = await service.signIn(user);
  const key = anApiKey({ userId: user.id, key: `fsk_${'k'.repeat(43)}` });
  await loadFleet(service.composition.backend, [key]);
  const answer = await request(user.email.toUpperCase());
  expect([answer.status, answer.text]).toStrictEqual([202, '']);
  const [mail] = await takeLinks();
  expect(mail).toMatchObject({ to: { userId: user.id, email: user.email } });
  const token = tokenIn(mail, 'reset-password');
  expect((await confirm({ token, newPassword: NEW_PASSWORD })).status).toBe(204);
  expect(await service.isGood(accessToken)).toBe(false);
  const byKey = await service.as('none')('GET', '/api/v1/filters', undefined, { 'X-API-Key': key.key });
  expect(byKey.status).toBe(200);
  expect(refusalOf(await service.login({ email: user.email, password: user.password }))).toStrictEqual([
    ...[401, 'invalid_credentials'],
  ]);
  await service.signIn({ ...user, password: NEW_PASSWORD });
  expect((await takeMails(service.composition)).map(({ kind }) => kind)).toStrictEqual(['password-reset']);
  expect(refusalOf(await confirm({ token, newPassword: NEW_PASSWORD }))).toStrictEqual([404, 'link_invalid']);
  const entries = (await service.probe.auditEntries()).filter(
    ({ action }) => action === 'auth.password.reset',
  );
  expect(entries).toMatchObject([
    { actor: { type: 'user', id: user.id }, resourceId: user.id, result: 'success', details: {} },
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test('every email is answered alike, and only active people with a password get a mail', async () => {
  const { orgIds } = service.tenants;
  const disabled = await service.addUser();
  await service.probe.changeUser(disabled.id, { status: 'disabled' });
  const invited = { ...disabled, id: service.composition.newId<'user'>(), email: 'invited@example.com' };
  await service.composition.backend.unitOfWork({ kind: 'system' }, (tx) =>
    tx.links.invite({ ...invited, membership: { scope: 'organization', orgId: orgIds.A } }, service.now()),
  );
  const without = await service.addUser({ email: 'without@example.com', password: null as never });
  for (const email of [disabled.email, invited.email, without.email, 'nobody@example.com', 'no email', '']) {
    const answer = await request(email);
    expect([answer.status, answer.text]).toStrictEqual([202, '']);
  }
  expect(await takeMails(service.composition)).toStrictEqual([]);
  expect(refusalOf(await request(7))).toStrictEqual([400, 'validation_failed', ['email', 'invalid_value']]);
  expect(refusalOf(await request(undefined))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['email', 'value_required'],
  ]);
});

test('three links are good at once, and using one voids the others', async () => {
  const user = await service.addUser();
  const tokens: string[] = [];
  for (let i = 0; i < 3; i++) tokens.push(await newLink(user.email));
  const [first = '', second = '', third = ''] = tokens;
  expect((await confirm({ token: second, newPassword: NEW_PASSWORD })).status).toBe(204);
  for (const token of [first, second, third]) {
    expect(refusalOf(await confirm({ token, newPassword: 'yet another one' }))).toStrictEqual([
      ...[404, 'link_invalid'],
    ]);
  }
  await service.signIn({ ...user, password: NEW_PASSWORD });
});

test('unknown, expired and void links get the same answer', async () => {
  const [user, changed, disabled] = [
    await service.addUser(),
    await service.addUser(),
    await service.addUser(),
  ];
  const tokens = [await newLink(changed.email), await newLink(disabled.email), await newLink(user.email)];
  const { accessToken } = await service.signIn(changed);
  const passwords = { currentPassword: changed.password, newPassword: 'changed by hand' };
  expect((await service.ask('POST', `${AUTH}/password`, passwords, accessToken)).status).toBe(204);
  await service.probe.changeUser(disabled.id, { status: 'disabled', newAuthEpoch: true });
  await service.probe.changeUser(disabled.id, { status: 'active' });
  service.pass(1_800);
  const answers = await Promise.all(
    [...tokens, `fsl_${'x'.repeat(43)}`, '', 'x'.repeat(5_000)].map((token) =>
      confirm({ token, newPassword: NEW_PASSWORD }),
    ),
  );
  const withoutId = answers.map(({ status, body }) => ({ status, ...(body as object), requestId: null }));
  expect(new Set(withoutId.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(withoutId[0]).toMatchObject({ status: 404, code: 'link_invalid' });
});

test('a person with a second factor needs a right code, and the link stays good until then', async () => {
  const { user, totpSecret } = await service.addEnrolledUser();
  const token = await newLink(user.email);
  const attempt = (code?: string) => confirm({ token, newPassword: NEW_PASSWORD, code });
  expect(refusalOf(await attempt())).toStrictEqual([401, 'mfa_required']);
  expect(refusalOf(await attempt('000000'))).toStrictEqual([401, 'invalid_mfa_code']);
  expect(refusalOf(await attempt('aaaa-bbbb-cccc-dddd'))).toStrictEqual([401, 'invalid_mfa_code']);
  await service.signInWithMfa({ user, totpSecret });
  expect((await attempt(service.nextCode(totpSecret))).status).toBe(204);
  await service.signInWithMfa({ user: { ...user, password: NEW_PASSWORD }, totpSecret });
});

test('a recovery code works in place of a code, once', async () => {
  const user = await service.addUser();
  const { accessToken } = await service.signIn(user);
  const { password } = user;
  const offer = await service.ask('POST', `${AUTH}/mfa/enroll`, { password }, accessToken);
  const code = service.nextCode((offer.body as { readonly secret: string }).secret);
  const enrolled = await service.ask('POST', `${AUTH}/mfa/enroll/confirm`, { code }, accessToken);
  const [recovery = ''] = (enrolled.body as { readonly recoveryCodes: readonly string[] }).recoveryCodes;
  const token = await newLink(user.email);
  expect((await confirm({ token, newPassword: NEW_PASSWORD, code: recovery })).status).toBe(204);
  const next = await newLink(user.email);
  expect(
    refusalOf(await confirm({ token: next, newPassword: 'yet another one', code: recovery })),
  ).toStrictEqual([401, 'invalid_mfa_code']);
});

test('codes are limited as in a challenge, and only attempts with the link count', async () => {
  const { user, totpSecret } = await service.addEnrolledUser();
  const token = await newLink(user.email);
  for (let i = 0; i < 6; i++)
    await confirm({ token: `${token}x`, newPassword: NEW_PASSWORD, code: '000000' });
  const attempts = [];
  for (let i = 0; i < 6; i++)
    attempts.push(refusalOf(await confirm({ token, newPassword: NEW_PASSWORD, code: '000000' })));
  expect(attempts).toStrictEqual([...Array(5).fill([401, 'invalid_mfa_code']), [429, 'rate_limited']]);
  const right = service.nextCode(totpSecret);
  expect((await confirm({ token, newPassword: NEW_PASSWORD, code: right })).status).toBe(429);
});

test('a new password is checked like any other, and every fault is named', async () => {
  const user = await service.addUser();
  const token = await newLink(user.email);
  expect(refusalOf(await confirm({ token, newPassword: 'short' }))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['newPassword', 'out_of_range'],
  ]);
  expect(refusalOf(await confirm({ newPassword: 'x'.repeat(257), code: 7 }))).toStrictEqual([
    ...[400, 'validation_failed'],
    ['token', 'value_required'],
    ['code', 'invalid_value'],
    ['newPassword', 'out_of_range'],
  ]);
  expect((await confirm({ token, newPassword: ' 8 chars' })).status).toBe(204);
});

test('only one of ten who use a link at once succeeds', async () => {
  const user = await service.addUser();
  const token = await newLink(user.email);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => confirm({ token, newPassword: `password of ${i}` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([204, ...Array(9).fill(404)]);
});

test('an email gets three mails an hour, and a network of the person is counted separately', async () => {
  const user = await service.addUser();
  const home = newPeer();
  await service.askFrom(home, `${AUTH}/login`, { email: user.email, password: user.password });
  for (let i = 0; i < 5; i++) expect((await request(user.email)).status).toBe(202);
  expect(await takeLinks()).toHaveLength(3);
  for (let i = 0; i < 5; i++) expect((await request(user.email, home)).status).toBe(202);
  expect(await takeLinks()).toHaveLength(3);
  service.pass(3_600);
  expect((await request(user.email)).status).toBe(202);
  expect(await takeLinks()).toHaveLength(1);
});

test('a network gets ten mails an hour', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => service.addUser()));
  const peer = newPeer();
  for (const { email } of people) expect((await request(email, peer)).status).toBe(202);
  expect(await takeLinks()).toHaveLength(10);
});
