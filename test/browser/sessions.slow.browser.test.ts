/**
 * Sessions and recovery codes (Contract: §2, §14). Apart from the other settings, because a client may sign in only ten
 * times in five minutes.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

test('new recovery codes replace the old ones', async () => {
  const person = await under.addPerson({ hasFactor: true });
  const page = await under.openPage();
  await under.signIn(page, person, '/settings/security');
  await page.getByRole('button', { name: 'New recovery codes…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace codes' }).click();
  await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  expect(await codes.count()).toBe(10);
  const code = await codes.first().innerText();

  const other = await under.openPage();
  await other.goto('/login');
  await other.getByLabel('Email').fill(person.email);
  await other.getByLabel('Password').fill(person.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByLabel('Authentication code').fill(code);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('sessions are listed with the current one marked, and end one by one or all at once', async () => {
  const person = await under.addPerson();
  const page = await under.openPage();
  await under.signIn(page, person, '/settings/security');
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await rows.filter({ hasText: 'This session' }).filter({ hasText: 'Chrome on Linux' }).waitFor();

  const [other, third] = [await under.openPage(), await under.openPage()];
  await under.signIn(other, person);
  await page.reload();
  await page.getByRole('button', { name: 'End session: Chrome on Linux' }).click();
  await page.getByRole('button', { name: 'End session: Chrome on Linux' }).waitFor({ state: 'detached' });
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();

  await under.signIn(third, person);
  await page.reload();
  await page.getByRole('button', { name: 'End all others…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(2);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await third.reload();
  await third.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});
