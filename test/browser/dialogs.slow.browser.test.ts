/**
 * Everything that opens over a page is accessible in every look, closes on Esc, and gives the focus back
 * (Contract: §14).
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlacePath } from '#adapters/web/places.ts';
import { focusOf } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;
let person: Person;
let page: Page;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
  person = await places.addAdministrator();
  page = await under.openPageAs(person);
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

async function visit(path: PlacePath): Promise<void> {
  const { address, shows } = places.visits[path];
  await page.goto(address);
  await shows(page).waitFor();
}

interface Floating {
  readonly name: string;
  readonly at: PlacePath;
  /** The button that opens it. Without one, `keys` do. */
  readonly button?: string | RegExp;
  readonly keys?: string;
  readonly shows: () => Locator;
}

const dialog = (name?: string) => page.getByRole('dialog', name === undefined ? {} : { name });

const FLOATING: readonly Floating[] = [
  {
    name: 'the palette',
    at: '/',
    keys: 'Control+k',
    shows: () => page.getByRole('option').first(),
  },
  { name: 'the shortcut card', at: '/', keys: '?', shows: () => dialog() },
  {
    name: 'the help',
    at: '/alerts',
    button: 'Help',
    shows: () => page.getByRole('complementary', { name: 'Help' }),
  },
  {
    name: 'the user menu',
    at: '/',
    button: 'Mara Keller',
    shows: () => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  {
    name: 'the organization picker',
    at: '/scripts',
    button: /^Organization/,
    shows: () => page.getByRole('option', { name: 'Arden Manufacturing' }),
  },
  {
    name: 'the filter syntax',
    at: '/devices',
    button: 'Filter syntax',
    shows: () => dialog('Filter syntax'),
  },
  { name: 'the export dialog', at: '/devices', button: 'Export', shows: () => dialog('Export devices') },
  {
    name: 'the column menu',
    at: '/devices',
    button: 'Columns',
    shows: () => page.getByRole('menuitemcheckbox', { name: 'Tags' }),
  },
  {
    name: 'the dialog to save a filter',
    at: '/devices',
    button: 'Save as filter',
    shows: () => dialog('Save as filter'),
  },
  { name: 'the dialog to explain a filter', at: '/devices', button: 'Explain', shows: () => dialog() },
  {
    name: 'the menu of a filter',
    at: '/filters',
    button: 'Actions for Full disks',
    shows: () => page.getByRole('menuitem', { name: 'Duplicate' }),
  },
  {
    name: 'the dialog to reject a request',
    at: '/admin/account-deletion-requests/:id',
    button: 'Reject',
    shows: () => dialog('Reject request'),
  },
  {
    name: 'the dialog to approve a request',
    at: '/admin/account-deletion-requests/:id',
    button: 'Approve',
    shows: () => dialog('Approve deletion'),
  },
  {
    name: 'the dialog to replace the recovery codes',
    at: '/settings/security',
    button: 'New recovery codes…',
    shows: () => dialog('New recovery codes'),
  },
  {
    name: 'the dialog to replace the second factor',
    at: '/settings/security',
    button: 'Replace the app…',
    shows: () => dialog().getByLabel('Password'),
  },
  {
    name: 'the dialog to create an API key',
    at: '/settings/api-keys',
    button: 'Create key',
    shows: () => dialog().getByLabel('Name'),
  },
];

describe.each(FLOATING)('$name', ({ at, button, keys = 'Enter', shows }) => {
  test('is accessible, closes on Esc, and gives the focus back', async () => {
    await visit(at);
    const from =
      button === undefined
        ? page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Scripts' })
        : page.getByRole('button', { name: button }).first();
    await from.focus();
    await page.keyboard.press(keys);
    await shows().waitFor();
    await expect.poll(() => from.and(page.locator(':focus')).count()).toBe(0);
    await expect.poll(() => focusOf(page)).not.toBe('body');
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await shows().waitFor({ state: 'detached' });
    await from.and(page.locator(':focus')).waitFor();
  });
});
