/** Passkeys in Chromium, with its virtual authenticator (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;
/** Browsers use no passkeys at an IP address. */
let origin: string;

beforeAll(async () => {
  under = await openConsole();
  origin = under.url.replace('127.0.0.1', 'localhost');
});

afterAll(() => under.close());

/** A device that unlocks its passkeys at once. */
async function openDevice(): Promise<Page> {
  const page = await under.openPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

test('somebody adds a passkey, signs in with it, proves themselves with it, and removes it', async () => {
  const person = await under.addPerson();
  const page = await openDevice();
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
  expect(await accessibilityFaults(page)).toStrictEqual([]);

  await page.getByRole('button', { name: person.record.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();

  await page.goto(`${origin}/settings/security`);
  await page.getByRole('button', { name: 'Remove passkey: Work laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No passkeys yet.').waitFor();
  // To the pages, the name is another host than the address.
  expect(under.problems().filter((problem) => !problem.startsWith(`another host: ${origin}/`))).toStrictEqual(
    [],
  );
});
