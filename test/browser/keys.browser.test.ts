/** Keys, the card of shortcuts, the sidebar and the help (Spec: Web client behaviors; Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;
let person: Person;

beforeAll(async () => {
  under = await openConsole();
  person = await under.addPerson();
});

afterAll(() => under.close());

async function openSignedIn(path = '/'): Promise<Page> {
  const page = await under.openPage();
  await under.signIn(page, person, path);
  await page.getByRole('banner').waitFor();
  return page;
}

/** A press as a keyboard of another layout or an input method makes it. */
function dispatch(page: Page, press: Readonly<Record<string, string | boolean>>): Promise<unknown> {
  const init = JSON.stringify({ bubbles: true, cancelable: true, ...press });
  return page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${init}))`);
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

test('chords go to every place', async () => {
  const page = await openSignedIn();
  for (const [key, path] of [
    ['o', '/organizations'],
    ['d', '/devices'],
    ['a', '/alerts'],
    ['i', '/incidents'],
    ['r', '/remote-access'],
    ['s', '/scripts'],
    ['p', '/patches'],
    ['v', '/vulnerabilities'],
    ['h', '/'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.pathname === path);
  }
  // A layout of another script: by the key's place.
  await dispatch(page, { key: 'п', code: 'KeyG' });
  await dispatch(page, { key: 'ы', code: 'KeyS' });
  await page.waitForURL((url) => url.pathname === '/scripts');
  expect(under.problems()).toStrictEqual([]);
});

test('[ takes the sidebar round, however it is typed, and the browser remembers', async () => {
  const page = await openSignedIn();
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  const mode = () => sidebar.getAttribute('data-mode');
  expect(await mode()).toBe('open');
  await page.keyboard.press('[');
  expect(await mode()).toBe('auto-hide');
  await dispatch(page, { key: '[', code: 'Digit8', ctrlKey: true, altKey: true, modifierAltGraph: true });
  expect(await mode()).toBe('icons');
  await page.reload();
  await sidebar.waitFor();
  expect(await mode()).toBe('icons');
  await dispatch(page, { key: '[', code: 'BracketLeft', altKey: true });
  await dispatch(page, { key: '[', code: 'BracketLeft', repeat: true });
  await dispatch(page, { key: '[', code: 'BracketLeft', isComposing: true });
  expect(await mode()).toBe('icons');
  expect(under.problems()).toStrictEqual([]);
});

test('? shows the card, made of the keys that work, and dialogs keep the keys', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('?');
  const card = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await card.getByText('Vulnerabilities').waitFor();
  expect(await card.getByText('Devices & Assets').count()).toBe(1);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  expect(await palette(page).count()).toBe(0);
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  expect(under.problems()).toStrictEqual([]);
});

test('Ctrl+Shift+H opens the help, Esc closes it', async () => {
  const page = await openSignedIn();
  const help = page.getByRole('complementary', { name: 'Help' });
  await page.keyboard.press('Control+Shift+H');
  await help.getByRole('heading', { name: 'Dashboard' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Help' }).click();
  await help.waitFor();
  await page.keyboard.press('Meta+Shift+H');
  await help.waitFor({ state: 'detached' });
  expect(under.problems()).toStrictEqual([]);
});

test('single keys rest where they are switched off; the others do not', async () => {
  const page = await openSignedIn();
  await page.evaluate(() =>
    localStorage.setItem('fleetsift.preferences', JSON.stringify({ hasSingleKeys: false })),
  );
  await page.reload();
  await page.getByRole('banner').waitFor();
  await page.keyboard.press('[');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).getAttribute('data-mode')).toBe('open');
});

test('the user menu comes when it is opened, by keys alone, and gives the focus back', async () => {
  const page = await openSignedIn();
  const button = page.getByRole('button', { name: person.record.name });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' });
  await button.and(page.locator(':focus')).waitFor();
  expect(under.problems()).toStrictEqual([]);
});
