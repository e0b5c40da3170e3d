/** Step-up: the console asks for a fresh code when the API needs one, and the request continues (Contract: §2, §14). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/system/clock.ts';
import { focusOf } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type EveryPath, type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;

/** How far the service's clock is ahead, in milliseconds. */
let lead = 0;

beforeAll(async () => {
  under = await openConsole({}, { clock: () => systemClock() + lead });
  places = await fillPlaces(under);
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

/** A page whose user's last code is too old. */
async function openStale(path: EveryPath): Promise<{ readonly page: Page; readonly person: Person }> {
  const person = await places.addAdministrator();
  const page = await under.openPageAs(person);
  const { address, shows } = places.visits[path];
  await page.goto(address);
  await shows(page).waitFor();
  lead += 20 * 60_000;
  return { page, person };
}

const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });

async function prove(page: Page, person: Person): Promise<void> {
  await stepUp(page)
    .getByLabel('Authentication code')
    .fill(await under.codeOf(person));
  await stepUp(page).getByRole('button', { name: 'Confirm' }).click();
  await stepUp(page).waitFor({ state: 'detached' });
}

test('step-up over a dialog: giving up loses nothing, and the code continues the request', async () => {
  const { page, person } = await openStale('/settings/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Deployment');
  await page.keyboard.press('Enter');
  await stepUp(page).waitFor();
  await expect.poll(() => focusOf(page)).toBe('input: Authentication code');
  // A recovery code has letters, which a numeric keypad lacks.
  expect(await stepUp(page).getByLabel('Authentication code').getAttribute('inputmode')).toBeNull();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await stepUp(page).waitFor({ state: 'detached' });
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Deployment');
  await dialog.locator(':focus').waitFor();

  await dialog.getByRole('button', { name: 'Create key' }).click();
  await stepUp(page).getByLabel('Authentication code').fill('000000');
  await page.keyboard.press('Enter');
  await stepUp(page).getByRole('alert').waitFor();
  await prove(page, person);
  await page.getByRole('dialog', { name: 'Your new key' }).locator(':focus').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('row', { name: 'Deployment' }).waitFor();
});

test('step-up after opening another page: the request is still completed', async () => {
  const { page, person } = await openStale('/admin/account-deletion-requests/:id');
  const held = Promise.withResolvers<void>();
  await page.route('**/process', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve deletion' });
  const email = (await dialog.getByText(/user-.*@example\.com/).textContent())?.match(/user-\S+\.com/)?.[0];
  await dialog.getByLabel('Type the email to confirm').fill(email ?? '');
  const asked = page.waitForRequest('**/process');
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Scripts' }).click();
  await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
  held.resolve();
  await stepUp(page).waitFor();
  await prove(page, person);
  await expect.poll(() => focusOf(page)).not.toBe('body');
  await page.goBack();
  await page.getByRole('heading', { name: 'Decision' }).waitFor();
});

test('step-up after the session has ended: the code for signing in again is enough', async () => {
  const { page, person } = await openStale('/settings/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Deployment');
  await page.keyboard.press('Enter');
  await stepUp(page).waitFor();
  await page.context().request.delete('/api/v1/auth/session');
  await stepUp(page).getByLabel('Authentication code').fill('000000');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in', exact: true });
  await again.getByLabel('Password').fill(person.password);
  await page.keyboard.press('Enter');
  await again.getByLabel('Authentication code').fill(await under.codeOf(person));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
  expect(await stepUp(page).count()).toBe(0);
});
