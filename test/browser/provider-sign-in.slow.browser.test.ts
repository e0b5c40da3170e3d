/** The sign-in by an identity provider, from its setup to the loss of a group (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { type RunningProvider, runProvider } from '#test/support/oidc/run-provider.ts';

const ENTRA_ADMINS = 'd2e4a7c1-5b0f-4a53-9d6c-0b8f1f1f7d11';
const MEI = { sub: 'mei', email: 'mei@arden.example', email_verified: true, name: 'Mei Tanaka' };

let under: ConsoleUnderTest;
let entra: RunningProvider;
/** TXT records by name. */
const records = new Map<string, readonly string[]>();

beforeAll(async () => {
  under = await openConsole(
    { outboundPrivate: true },
    { resolveTxt: async (name) => records.get(name) ?? [] },
  );
  // Like a real provider, it is on another site than the service, so cookies have to cross sites.
  entra = await runProvider(
    {
      client_id: 'fleetsift',
      client_secret: 'hush',
      redirect_uris: [`${under.url}/api/v1/auth/oidc/callback`],
    },
    'localhost',
  );
});

afterAll(async () => {
  await under.close();
  await entra.close();
});

afterEach(() => {
  const others = under.problems().filter((problem) => !problem.startsWith(`another host: ${entra.issuer}`));
  expect(others).toStrictEqual([]);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signInByOrganization(email: string): Promise<Page> {
  const page = await under.openPage();
  await page.goto('/people');
  await page.getByLabel('Email').fill(email);
  await button(page, 'Sign in with your organization').click();
  return page;
}

test('people sign in through a new provider with the rights of their groups, and lose them again', async () => {
  const administrator = await under.addPerson({ permissions: ADMINISTRATOR_PERMISSIONS, hasFactor: true });
  const page = await under.openPageAs(administrator);
  await page.goto('/admin/identity-providers');
  await page.getByText('No identity providers yet').waitFor();
  await button(page, 'Add identity provider').click();
  const dialog = page.getByRole('dialog', { name: 'Add an identity provider' });
  await dialog.getByLabel('Name').waitFor();
  await button(page, 'Save').click();
  await dialog.getByText('Fill in this field.').first().waitFor();
  await dialog.getByLabel('Name').fill('Entra');
  await dialog.getByLabel('Issuer').fill(entra.issuer);
  await dialog.getByLabel('Client ID').fill('fleetsift');
  await dialog.getByLabel('Client secret').fill('hush');
  await dialog.getByLabel('Email domains').fill('arden.example');
  await dialog.getByLabel('Groups claim').fill('groups');
  await button(page, 'Add group').click();
  await dialog.getByLabel('Group', { exact: true }).fill(ENTRA_ADMINS);
  await dialog.getByRole('checkbox', { name: 'users:write' }).last().check();
  await dialog.getByRole('checkbox', { name: 'A second factor at the provider counts here' }).check();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await button(page, 'Save').click();
  await page.getByText('“Entra” is added.').waitFor();

  await button(page, 'Verify').click();
  await page.getByText('The record of one domain was not found.').waitFor();
  const value = await page.getByText(/^fleetsift-verification=/).innerText();
  records.set('_fleetsift.arden.example', [value]);
  await button(page, 'Verify').click();
  await page.getByText('Verified', { exact: true }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);

  entra.signsIn({ ...MEI, groups: [ENTRA_ADMINS], amr: ['pwd', 'mfa'] });
  const mei = await signInByOrganization('mei@arden.example');
  await mei.waitForURL((url) => url.pathname === '/people');
  await mei.getByRole('table', { name: 'People' }).getByText('Mei Tanaka').waitFor();
  await button(mei, 'Invite').waitFor();

  // The provider removes the group, and Mei signs in on another computer.
  entra.signsIn({ ...MEI, groups: [], amr: ['pwd', 'mfa'] });
  const elsewhere = await signInByOrganization('mei@arden.example');
  await elsewhere.getByText('You don’t have access to this page').first().waitFor();
  await mei.waitForTimeout(5_000);
  const answer = await mei.request.post('/api/v1/auth/session/refresh');
  const { accessToken } = await answer.json();
  const people = await mei.request.get('/api/v1/users', {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  expect(people.status()).toBe(403);
  await mei.reload();
  await mei.getByText('You don’t have access to this page').first().waitFor();
  expect(await mei.getByRole('link', { name: 'Identity providers' }).count()).toBe(0);
});

test('the sign-in page says what is wrong, with the id of the request', async () => {
  const page = await signInByOrganization('nobody@elsewhere.example');
  await page.getByText('No organization has set up a sign-in').waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/people');
  await button(page, 'Copy ID').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  const empty = await under.openPage();
  await empty.goto('/login');
  await button(empty, 'Sign in with your organization').click();
  await empty.getByText('Enter your work email first').waitFor();
});

test('a person with an account is told to link it, links it, and signs in through the provider', async () => {
  const person = await under.addPerson({
    email: 'nils@arden.example',
    name: 'Nils Fässler',
    hasFactor: true,
  });
  entra.signsIn({ sub: 'nils', email: person.email, email_verified: true });
  const page = await signInByOrganization(person.email);
  await page.getByText('An account with your email already exists.').waitFor();
  await under.signIn(page, person, '/settings/security');
  await button(page, 'Link Entra').click();
  await button(page, 'Unlink Entra').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  const elsewhere = await signInByOrganization(person.email);
  await button(elsewhere, 'Nils Fässler').waitFor();
  await button(page, 'Unlink Entra').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await button(page, 'Link Entra').waitFor();
});

test('a person without a password signs in again to request the deletion of the account', async () => {
  entra.signsIn({ ...MEI, groups: [], amr: ['pwd', 'mfa'] });
  const page = await under.openPage();
  await page.goto('/account/delete');
  await page.getByLabel('Email').fill(MEI.email);
  await button(page, 'Sign in with your organization').click();
  await button(page, 'Request deletion').click();
  await page.getByText('this needs a sign-in of the last five minutes').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('link', { name: 'Sign in with Entra again' }).click();
  await button(page, 'Request deletion').click();
  await button(page, 'Cancel request').waitFor();
});
