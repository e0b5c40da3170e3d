/** Passkeys in Chromium, with its virtual authenticator (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/system/clock.ts';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { addAuthenticator } from '#test/support/browser/virtual-authenticator.ts';
import { SYSTEM_SCOPE } from '#test/support/builders.ts';

let under: ConsoleUnderTest;
/** Has a host name, because browsers use no passkeys at an IP address. */
let origin: string;
/** How far the service's clock is ahead, in milliseconds. */
let lead = 0;

beforeAll(async () => {
  under = await openConsole({}, { clock: () => systemClock() + lead });
  origin = under.url.replace('127.0.0.1', 'localhost');
});

afterAll(() => under.close());

afterEach(() => {
  // The page is opened by name, so its own requests count as requests to another host.
  const problems = under.problems().filter((problem) => !problem.startsWith(`another host: ${origin}/`));
  expect(problems).toStrictEqual([]);
});

/** Signs in, and adds a passkey as the first factor. */
async function openWithPasskey(person: Person): Promise<Page> {
  const page = await under.openPage({ isSpoilt: true });
  await addAuthenticator(page);
  await page.goto(`${origin}/login?next=%2Fsettings%2Fsecurity`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();

  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByLabel('Password').fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
  expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page
    .getByRole('table', { name: 'Passkeys' })
    .getByRole('row', { name: /Work laptop/ })
    .waitFor();
  return page;
}

async function signInByPasskey(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
}

test('a person adds a passkey, signs in with it, and removes it', async () => {
  const person = await under.addPerson();
  const page = await openWithPasskey(person);
  expect(await accessibilityFaults(page)).toStrictEqual([]);

  await page.getByRole('button', { name: person.record.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signInByPasskey(page);
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();

  await page.goto(`${origin}/settings/security`);
  await page.getByRole('button', { name: 'Remove passkey: Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No passkeys yet.').waitFor();
});

test('a lost password is replaced with a passkey as the only second factor', async () => {
  const person = await under.addPerson();
  const page = await openWithPasskey(person);
  await page.context().clearCookies();
  await page.goto(`${origin}/reset-password`);
  await page.getByText('Help').click();
  await page.getByText('look in the spam folder').waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('a link is on its way').waitFor();
  const mail = (await takeMails(under.composition)).findLast(({ kind }) => kind === 'password-reset-link');

  await page.goto(`${origin}/reset-password#${tokenIn(mail, 'reset-password')}`);
  await page.getByLabel('New password').fill('staple staple staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByLabel('Authentication code').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Use a passkey instead of a code' }).click();
  await page.getByText('Your password is set.').waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill('staple staple staple');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Authentication code').waitFor();
});

test('a passkey signs in to delete the account, and replaces the code', async () => {
  const person = await under.addPerson();
  const page = await openWithPasskey(person);
  await page.context().clearCookies();
  await page.goto(`${origin}/account/delete`);
  await signInByPasskey(page);
  await page.getByLabel('Reason (optional)').fill('I leave in March');
  expect(await page.getByLabel('Authentication code').count()).toBe(0);
  lead += 20 * 60_000;
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Request deletion' }).click();
  await page.getByLabel('Authentication code').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Use a passkey instead of a code' }).click();
  await page.getByText('Request sent.').waitFor();
});

test('a person without a password confirms with a passkey, and cannot remove the last one', async () => {
  const person = await under.addPerson();
  const page = await openWithPasskey(person);
  // People whom an identity provider has created have no password.
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.passwords.change(person.record.id, null as never),
  );
  await page.context().clearCookies();
  await page.goto(`${origin}/login?next=%2Fsettings%2Fsecurity`);
  await signInByPasskey(page);
  await page.getByText('You have no password.').waitFor();
  expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);

  lead += 6 * 60_000;
  await page.getByRole('button', { name: 'Replace the app…' }).click();
  const enrolment = page.getByRole('dialog', { name: 'Replace the authenticator app' });
  await enrolment.getByRole('button', { name: 'Continue' }).click();
  const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await stepUp.getByText('You have no password here').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
  await enrolment.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  await enrolment.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove passkey: Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alert').getByText('your only way to sign in').waitFor();

  lead += 6 * 60_000;
  await page.goto(`${origin}/account/delete`);
  await page.getByText('your passkey confirms the request').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Request deletion' }).click();
  await page.getByText('Request sent.').waitFor();
});
