/** When a session ends or a token expires during work, nothing typed is lost (Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { focusOf } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type EveryPath, type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';
import type { OpenOptions } from '#test/support/browser/page-pool.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

async function openAt(path: EveryPath, person: Person, options?: OpenOptions): Promise<Page> {
  const page = await under.openPageAs(person, options);
  await visit(page, path);
  return page;
}

async function visit(page: Page, path: EveryPath): Promise<void> {
  const { address, shows } = places.visits[path];
  await page.goto(address);
  await shows(page).waitFor();
}

/** Ends the session on the server without telling any tab. */
async function endSession(page: Page): Promise<void> {
  expect((await page.context().request.delete('/api/v1/auth/session')).status()).toBe(204);
}

/** Ends the session just before the change with this text is sent, so no other request notices it earlier. */
async function endSessionBefore(page: Page, url: string, text = ''): Promise<void> {
  let hasEnded = false;
  await page.route(url, async (route) => {
    const body = route.request().postData() ?? '';
    if (!hasEnded && route.request().method() !== 'GET' && body.includes(text)) {
      hasEnded = true;
      await endSession(page);
    }
    await route.continue();
  });
}

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in', exact: true });

async function signInAgain(page: Page, person: Person): Promise<void> {
  await again(page).getByLabel('Password').fill(person.password);
  await again(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await again(page)
    .getByLabel('Authentication code')
    .fill(await under.codeOf(person));
  await again(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await again(page).waitFor({ state: 'detached' });
}

describe('a session ends during typing', () => {
  test('in a new filter: it is saved after signing in again', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/filters/new', person);
    await page.getByLabel('Name').fill('Half done');
    await page.getByRole('combobox', { name: 'Covers' }).selectOption('Arden Manufacturing');
    await page.getByLabel('Description').fill('All that runs Linux');
    // No earlier: the request of a late count would open the sign-in dialog over the button.
    await endSessionBefore(page, '**/api/v1/filters');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await again(page).waitFor();
    expect(await again(page).getByLabel('Email').inputValue()).toBe(person.email);
    await expect.poll(() => focusOf(page)).toBe('input: Password');
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await signInAgain(page, person);
    await page.waitForURL(/\/filters\/[0-9a-f-]{36}/);
    expect(await page.getByLabel('Description').inputValue()).toBe('All that runs Linux');
  });

  test('in the list filter: text and focus stay', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/devices', person);
    const field = page.getByRole('textbox', { name: 'Filter devices' });
    await field.focus();
    await page.keyboard.press('End');
    // Only the request with the whole text ends the session, so no dialog opens during typing.
    await endSessionBefore(page, '**/api/v1/devices/query', 'bor-ws-2');
    await page.keyboard.insertText(' host:bor-ws-2');
    await again(page).waitFor();
    await signInAgain(page, person);
    await page.getByRole('status').getByText('11 devices', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe('os:linux -role:printer host:bor-ws-2');
    await expect.poll(() => focusOf(page)).toBe('input: Filter devices');
  });

  test('in a dialog: its request is completed with everything typed', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/settings/api-keys', person);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('Deployment');
    await dialog.getByRole('switch', { name: /Edit devices/ }).check({ force: true });
    await endSessionBefore(page, '**/api/v1/auth/api-keys');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await signInAgain(page, person);
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('row', { name: 'Deployment' }).getByText('devices:write').waitFor();
  });

  test('in a device name: it is saved after signing in again, and the page is blocked until then', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/devices/:id', person);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('The old server');
    await endSessionBefore(page, '**/api/v1/devices/*', 'The old server');
    await page.keyboard.press('Enter');
    await again(page).waitFor();
    // Another person may sit here, so nothing of the page may be visible or reachable.
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog', { name: 'Command palette' }).count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await again(page).locator(':focus').count()).toBe(1);
    await signInAgain(page, person);
    await page.getByRole('heading', { name: 'The old server', level: 1 }).waitFor();
  });

  test('on the account deletion page: the reason stays', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/account/delete', person);
    await page.getByLabel('Reason (optional)').fill('I leave in March');
    await page.getByLabel('Password').fill(person.password);
    await endSessionBefore(page, '**/api/v1/auth/account-deletion-request');
    await page.getByRole('button', { name: 'Request deletion' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Authentication code').fill(await under.codeOf(person));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Request deletion' }).waitFor();
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('I leave in March');
  });
});

describe('signing in again', () => {
  test('reports a wrong password, and offers a way to the public page', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/filters/new', person);
    await page.getByLabel('Name').fill('Left behind');
    await endSession(page);
    await page.getByLabel('Filter as text').fill('os:windows');
    await again(page).getByLabel('Password').fill('wrong password');
    await again(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await again(page).getByRole('alert').filter({ hasText: 'email or password' }).waitFor();
    await again(page).getByRole('button', { name: 'Not you? Leave this page' }).click();
    await page.waitForURL((url) => url.pathname === '/login');
    await again(page).waitFor({ state: 'detached' });
  });

  test('as another person shows nothing that belongs to the first', async () => {
    const person = await places.addAdministrator('Mara Keller');
    const other = await places.addAdministrator('Olga Other');
    const page = await openAt('/filters/new', person);
    await page.getByLabel('Name').fill('Of the first');
    await endSession(page);
    await page.getByLabel('Filter as text').fill('os:windows');
    await again(page).getByLabel('Email').fill(other.email);
    await signInAgain(page, other);
    await page.getByRole('button', { name: 'Olga Other' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    const filters = await page.context().newPage();
    await filters.goto('/filters');
    await filters.getByRole('cell', { name: 'Full disks', exact: true }).waitFor();
    expect(await filters.getByText('Of the first').count()).toBe(0);
  });
});

test('an expired or refused access token is renewed silently', async () => {
  const person = await places.addAdministrator();
  const page = await openAt('/filters/new', person, { isSpoilt: true });
  await page.getByLabel('Name').fill('Of an hour ago');
  await page.clock.setFixedTime(Date.now() + 3_600_000);
  let refused = 0;
  await page.route('**/api/v1/devices/query', async (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    const body = JSON.stringify({ code: 'unauthenticated', detail: 'The token has expired.' });
    return route.fulfill({ status: 401, contentType: 'application/problem+json', body });
  });
  await page.getByLabel('Filter as text').fill('os:windows');
  await page.getByRole('status').filter({ hasText: '1 device' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Of an hour ago');
  expect(await again(page).count()).toBe(0);
});

describe('two tabs', () => {
  test('keep their session when reloaded at once, repeatedly', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/scripts', person);
    const other = await page.context().newPage();
    await visit(other, '/alerts');
    for (let i = 0; i < 3; i += 1) {
      await Promise.all([page.reload(), other.reload()]);
      await Promise.all([
        places.visits['/scripts'].shows(page).waitFor(),
        places.visits['/alerts'].shows(other).waitFor(),
      ]);
    }
  });

  test('continue once one of them has signed in again', async () => {
    const person = await places.addAdministrator();
    const page = await openAt('/filters/new', person);
    const other = await page.context().newPage();
    await visit(other, '/filters/new');
    await page.getByLabel('Name').fill('One');
    await other.getByLabel('Name').fill('Other');
    await endSession(page);
    for (const one of [page, other]) {
      await one.getByLabel('Filter as text').fill('os:windows');
      await again(one).waitFor();
    }
    await page.bringToFront();
    await signInAgain(page, person);
    await again(other).waitFor({ state: 'detached' });
    for (const one of [page, other]) await one.getByRole('status').filter({ hasText: '1 device' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('One');
    expect(await other.getByLabel('Name').inputValue()).toBe('Other');
    // Signing out still ends both.
    await other.bringToFront();
    await other.getByRole('button', { name: 'Mara Keller' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.pathname === '/login');
  });
});
