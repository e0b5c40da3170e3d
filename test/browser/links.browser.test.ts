/** From an empty service to a second administrator, and a lost password with a second factor (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeFirstLink } from '#application/auth/links/invitations.ts';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

const PASSWORD = 'staple staple staple';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

async function setPassword(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Set your password', level: 1 }).waitFor();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByText('Your password is set').waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('an empty service is set up by a link; its administrator invites a second one, who signs in', async () => {
  const { composition } = under;
  const { unitOfWork } = composition.backend;
  const page = await under.openPage();
  await page.goto('/');
  await page.getByText('fleetsift admin link').waitFor();
  const token = await makeFirstLink({ unitOfWork, secrets: randomSecrets, clock: composition.clock })();
  await page.goto(`/invitation#${token}`);
  await page.getByLabel('Your company').fill('Northwind MSP');
  await page.getByLabel('First organization').fill('Kestrel Lane');
  await page.getByLabel('Email').fill('first@example.com');
  await page.getByLabel('Name', { exact: true }).fill('Rosalind Moorcroft');
  await setPassword(page);
  await signIn(page, 'first@example.com');
  await page.getByRole('button', { name: 'Rosalind Moorcroft' }).waitFor();

  const { request } = page.context();
  const call = async (path: string, data: object, accessToken?: string) => {
    const headers = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };
    const answer = await request.post(`/api/v1${path}`, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.status() === 204 ? {} : await answer.json();
  };
  const session = await call('/auth/login', { email: 'first@example.com', password: PASSWORD });
  const { secret } = await call('/auth/mfa/enroll', { password: PASSWORD }, session.accessToken);
  const code = currentTotpCode(secret, composition.clock());
  await call('/auth/mfa/enroll/confirm', { code }, session.accessToken);
  const fresh = await call('/auth/refresh', { refreshToken: session.refreshToken });
  await call(
    '/users',
    { email: 'second@example.com', name: 'Ada Blom', scope: 'system', permissions: ['users:write'] },
    fresh.accessToken,
  );
  const invitation = (await takeMails(composition)).find(({ kind }) => kind === 'invitation');

  const second = await under.openPage();
  await second.goto(`/invitation#${tokenIn(invitation, 'invitation')}`);
  await setPassword(second);
  await signIn(second, 'second@example.com');
  await second.getByRole('button', { name: 'Ada Blom' }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a lost password is replaced by a mailed link and a code', async () => {
  const person = await under.addPerson({ hasFactor: true });
  const page = await under.openPage();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The sign-in page is still shown while the next one loads, and has a field of the same name.
  await page.getByRole('heading', { name: 'Forgot your password?', level: 1 }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('a link is on its way').waitFor();
  const mails = await takeMails(under.composition);
  const mail = mails.find(({ kind }) => kind === 'password-reset-link');
  await page.goto(`/reset-password#${tokenIn(mail, 'reset-password')}`);
  await page.reload();
  await setPassword(page);
  await page.getByLabel('Authentication code').fill(await under.codeOf(person));
  await page.getByRole('button', { name: 'Set password' }).click();
  await signIn(page, person.email);
  await page.getByLabel('Authentication code').fill(await under.codeOf(person));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
});
