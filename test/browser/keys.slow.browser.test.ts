/** Keys, the card of shortcuts, the sidebar and the help (Spec: Web client behaviors; Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { pressChord } from '#test/support/browser/press-chord.ts';

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

/** Presses a key as another layout or an input method does. */
function dispatch(page: Page, press: Press): Promise<unknown> {
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
    await pressChord(page, key, path);
  }
  // On a layout of another script, the place of a key counts.
  await dispatch(page, { key: 'п', code: 'KeyG' });
  await dispatch(page, { key: 'ы', code: 'KeyS' });
  await page.waitForURL((url) => url.pathname === '/scripts');
  expect(under.problems()).toStrictEqual([]);
});

test('[ switches the sidebar mode on any layout, and the browser remembers it', async () => {
  const page = await openSignedIn();
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  const mode = () => sidebar.getAttribute('data-mode');
  await expect.poll(() => mode()).toBe('open');
  await page.keyboard.press('[');
  await expect.poll(() => mode()).toBe('auto-hide');
  await dispatch(page, { key: '[', code: 'Digit8', ctrlKey: true, altKey: true, modifierAltGraph: true });
  await expect.poll(() => mode()).toBe('icons');
  await page.reload();
  await sidebar.waitFor();
  await expect.poll(() => mode()).toBe('icons');
  await dispatch(page, { key: '[', code: 'BracketLeft', altKey: true });
  await dispatch(page, { key: '[', code: 'BracketLeft', repeat: true });
  await dispatch(page, { key: '[', code: 'BracketLeft', isComposing: true });
  expect(await mode()).toBe('icons');
  expect(under.problems()).toStrictEqual([]);
});

test('? shows the shortcuts, and no shortcut works while a dialog is open', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('?');
  const card = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await card.getByText('Vulnerabilities').waitFor();
  expect(await card.getByText('Devices & Assets').count()).toBe(1);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  const before = await stateOf(page);
  for (const { presses } of KEYS) {
    for (const press of presses) await dispatch(page, press);
  }
  expect(await stateOf(page)).toStrictEqual(before);
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

test('switching single keys off leaves the others on', async () => {
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

test('the user menu loads when it is opened, works by keys alone, and returns the focus', async () => {
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

type Press = Readonly<Record<string, string | number | boolean>>;

/** Every key of the specification on a US and a Russian layout, and its effect. */
const KEYS: readonly {
  readonly name: string;
  readonly presses: readonly Press[];
  readonly russian: readonly Press[];
  readonly leadsTo: Partial<PageState>;
}[] = [
  {
    name: 'g d',
    presses: [
      { key: 'g', code: 'KeyG' },
      { key: 'd', code: 'KeyD' },
    ],
    russian: [
      { key: 'п', code: 'KeyG' },
      { key: 'в', code: 'KeyD' },
    ],
    leadsTo: { path: '/devices' },
  },
  {
    name: '/',
    presses: [{ key: '/', code: 'Slash' }],
    russian: [{ key: '/', code: 'Backslash', shiftKey: true }],
    leadsTo: { dialog: 'Command palette' },
  },
  {
    name: '[',
    presses: [{ key: '[', code: 'BracketLeft' }],
    russian: [{ key: 'х', code: 'BracketLeft' }],
    leadsTo: { sidebar: 'auto-hide' },
  },
  {
    name: '?',
    presses: [{ key: '?', code: 'Slash', shiftKey: true }],
    russian: [{ key: '?', code: 'Digit7', shiftKey: true }],
    leadsTo: { dialog: 'Keyboard shortcuts' },
  },
  {
    name: 'Ctrl+K',
    presses: [{ key: 'k', code: 'KeyK', ctrlKey: true }],
    russian: [{ key: 'л', code: 'KeyK', ctrlKey: true }],
    leadsTo: { dialog: 'Command palette' },
  },
  {
    name: 'Cmd+Shift+H',
    presses: [{ key: 'H', code: 'KeyH', metaKey: true, shiftKey: true }],
    russian: [{ key: 'Р', code: 'KeyH', metaKey: true, shiftKey: true }],
    leadsTo: { hasHelp: true },
  },
];

interface PageState {
  readonly path: string;
  /** Empty if none is open. */
  readonly dialog: string;
  readonly sidebar: string | null;
  readonly hasHelp: boolean;
}

/** What the keys change. */
async function stateOf(page: Page): Promise<PageState> {
  const dialog = page.getByRole('dialog');
  return {
    path: new URL(page.url()).pathname,
    dialog: await dialog.evaluateAll((all) =>
      all
        .map((one) => {
          const id = one.getAttribute('aria-labelledby')?.split(' ').at(-1) ?? '';
          return one.getAttribute('aria-label') ?? document.getElementById(id)?.textContent ?? '';
        })
        .join(),
    ),
    sidebar: await page.locator('nav[data-mode]').getAttribute('data-mode'),
    hasHelp: (await page.locator('aside#help').count()) > 0,
  };
}

describe.each(KEYS)('$name', ({ presses, russian, leadsTo }) => {
  test('works on both layouts, but not with other modifiers, when repeated, or for an input method', async () => {
    const page = await openSignedIn('/alerts');
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    const before = await stateOf(page);
    const isSingle = presses.every(({ ctrlKey, metaKey }) => ctrlKey !== true && metaKey !== true);
    for (const wrong of [
      { isComposing: true },
      { keyCode: 229 },
      { repeat: true },
      { altKey: true },
      ...(isSingle ? [{ ctrlKey: true }, { metaKey: true }] : []),
    ]) {
      for (const press of [...presses, ...russian]) {
        await dispatch(page, { ...press, ...wrong });
      }
      expect(await stateOf(page), JSON.stringify(wrong)).toStrictEqual(before);
    }
    for (const layout of [presses, russian]) {
      for (const press of layout) await dispatch(page, press);
      await expect.poll(() => stateOf(page)).toStrictEqual({ ...before, ...leadsTo });
      await page.evaluate(() => localStorage.removeItem('fleetsift.preferences'));
      await page.goto('/alerts');
      await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    }
    expect(under.problems()).toStrictEqual([]);
  });
});

test('no shortcut works in a text field, except Ctrl+K', async () => {
  const page = await openSignedIn('/scripts');
  const field = page.getByRole('searchbox', { name: 'Search scripts' });
  await field.focus();
  const before = await stateOf(page);
  await page.keyboard.type('gd/[?');
  await page.keyboard.press('Control+Shift+H');
  await expect.poll(() => field.inputValue()).toBe('gd/[?');
  expect(await stateOf(page)).toStrictEqual(before);
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type('gd/[?');
  await expect.poll(() => page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('gd/[?');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor({ state: 'detached' });
  await field.and(page.locator(':focus')).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('Enter and Esc are left to an active input method', async () => {
  const page = await openSignedIn('/devices');
  const filter = page.getByRole('textbox', { name: 'Filter devices' });
  await page.keyboard.press('/');
  await filter.and(page.locator(':focus')).waitFor();
  await dispatch(page, { key: 'Escape', code: 'Escape', isComposing: true });
  expect(await filter.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  const before = await stateOf(page);
  for (const key of ['Enter', 'Escape']) {
    await dispatch(page, { key, code: key, isComposing: true });
    await dispatch(page, { key, code: key, keyCode: 229 });
  }
  expect(await stateOf(page)).toStrictEqual(before);
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'detached' });
  expect(under.problems()).toStrictEqual([]);
});
