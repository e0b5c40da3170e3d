/** Signing in and out of the console (Contract: §14). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

describe('without a session', () => {
  test.each(['/', '/devices?q=status%3Aonline'])('%s leads to the sign-in page and back', async (path) => {
    const person = await under.addPerson();
    const page = await under.openPage();
    await page.goto(path);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await under.signInByForm(page, person, path);
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(path);
    expect(under.problems()).toStrictEqual([]);
  });
});

test('a wrong password is reported, and the form keeps its text', async () => {
  const person = await under.addPerson();
  const page = await under.openPage();
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'email or password' }).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
  // The page says what to do without an authenticator app.
  await page.getByText('Lost your authenticator app?').waitFor();
});

test('holding Enter sends a wrong password once', async () => {
  const person = await under.addPerson();
  const page = await under.openPage();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/session') && request.method() === 'POST') sent.push(request.url());
  });
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill('wrong password');
  const fault = page.getByRole('alert').filter({ hasText: 'email or password' });
  await page.keyboard.down('Enter');
  await fault.waitFor();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(sent).toHaveLength(1);
});

test('a second factor needs a code, which may contain spaces', async () => {
  const person = await under.addPerson({ hasFactor: true });
  const page = await under.openPage();
  await page.goto('/');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.keyboard.press('Enter');
  const code = await under.codeOf(person);
  await page.getByLabel('Authentication code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: person.record.name }).waitFor();
});

test('signing out in one tab ends the session in the other', async () => {
  const person = await under.addPerson();
  const one = await under.openPage();
  const other = await one.context().newPage();
  await under.signInByForm(one, person);
  await other.goto('/');
  await other.getByRole('button', { name: person.record.name }).waitFor();
  // A background tab rarely draws, and takes no click before it has.
  await one.bringToFront();
  await one.getByRole('button', { name: person.record.name }).click();
  await one.getByRole('menuitem', { name: 'Sign out' }).click();
  await one.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
});

test('a failed sign-out is reported and can be repeated', async () => {
  const person = await under.addPerson();
  const page = await under.openPage();
  await under.signIn(page, person, '/scripts');
  await page.route('**/api/v1/auth/session', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'unavailable', detail: 'The database cannot be reached.' }),
    }),
  );
  await page.getByRole('button', { name: person.record.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'You are still signed in' });
  await dialog.getByRole('alert').filter({ hasText: 'The database cannot be reached.' }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('>sign out');
  await page.getByRole('option', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(under.problems()).toStrictEqual([]);
});
