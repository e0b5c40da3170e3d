/** Steps in the builder of filters: undone, redone, moved, copied and wrapped, by keys and by drag. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aFilter } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let person: Person;

beforeAll(async () => {
  under = await openConsole();
  person = await under.addPerson();
});

afterAll(() => under.close());

async function openAt(path: string, width = 1440): Promise<Page> {
  const page = await under.openPage({ width });
  await under.signIn(page, person, path);
  return page;
}

/** The filter as text, while the page stays on the builder. */
async function textOf(page: Page): Promise<string> {
  await page.getByRole('tab', { name: 'Text' }).click();
  const text = await page.getByLabel('Filter as text').inputValue();
  await page.getByRole('tab', { name: 'Builder' }).click();
  return text;
}

function handleOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Move or copy ${name}` });
}

const START = '/filters/new?q=os%3Awindows+(tags%3Avip+OR+status%3Aonline)+host%3Asrv';
const TEXT = 'os:windows (tags:vip OR status:online) host:srv';

test('every step is undone and redone by keys, whatever tab it was made in', async () => {
  const page = await openAt('/filters/new');
  await page.getByRole('combobox', { name: 'Field' }).focus();
  await page.keyboard.type('Hostname');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('startsWith');
  const value = page.getByRole('textbox', { name: 'Value' });
  await value.focus();
  await page.keyboard.type('srv');
  await page.getByRole('button', { name: 'Add condition' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Tags');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.getByText('1 condition is incomplete').first().waitFor();
  await page.getByRole('tab', { name: 'Builder' }).click();

  const fields = page.getByRole('combobox', { name: 'Field' });
  await page.keyboard.press('Control+z');
  await page.getByRole('group', { name: 'Condition: Choose a field' }).waitFor();
  await page.keyboard.press('Control+z');
  expect(await fields.count()).toBe(1);
  expect(await value.inputValue()).toBe('srv');
  await page.keyboard.press('Control+z');
  expect(await value.inputValue()).toBe('');
  await page.keyboard.press('Meta+z');
  expect(await page.getByRole('combobox', { name: 'Operator' }).inputValue()).not.toBe('startsWith');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('group', { name: 'Condition: Choose a field' }).waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);

  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+Shift+z');
  await page.getByRole('button', { name: 'Redo' }).click();
  expect(await value.inputValue()).toBe('srv');
  await page.keyboard.press('Meta+Shift+z');
  await page.keyboard.press('Control+y');
  await page.getByRole('group', { name: 'Condition: Tags' }).waitFor();
  expect(await page.getByRole('button', { name: 'Redo' }).isDisabled()).toBe(true);
  await expect.poll(() => page.locator('[aria-busy="true"], [data-old]').count()).toBe(0);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});

test('steps made in Text and JSON are undone and redone in the builder', async () => {
  const page = await openAt('/filters/new?q=os%3Alinux');
  await page.getByRole('tab', { name: 'Text' }).click();
  const text = page.getByLabel('Filter as text');
  await text.press('End');
  await page.keyboard.type(' tags:vip');
  await page.getByRole('tab', { name: 'JSON' }).click();
  const json = page.getByLabel('Filter as JSON');
  await json.fill((await json.inputValue()).replace('linux', 'macos'));
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.getByRole('group', { name: 'Condition: Tags' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Value' }).first().inputValue()).toBe('macos');
  await page.keyboard.press('Control+z');
  expect(await page.getByRole('combobox', { name: 'Value' }).first().inputValue()).toBe('linux');
  await page.keyboard.press('Control+z');
  await page.getByRole('group', { name: 'Condition: Tags' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  expect(await textOf(page)).toBe('os:macos tags:vip');
});

test('a text field undoes what was typed into it before the builder undoes a step', async () => {
  const page = await openAt('/filters/new?q=host%3Aold');
  const value = page.getByRole('textbox', { name: 'Value' });
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('endsWith');
  await value.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('er');
  await page.keyboard.press('Control+z');
  expect(await value.inputValue()).toBe('old');
  expect(await page.getByRole('combobox', { name: 'Operator' }).inputValue()).toBe('endsWith');
  await page.keyboard.press('Control+z');
  expect(await page.getByRole('combobox', { name: 'Operator' }).inputValue()).toBe('contains');
  expect(await value.inputValue()).toBe('old');
});

test('conditions and groups are moved, copied and wrapped by keys, and screen readers are told', async () => {
  const page = await openAt(START);
  const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  await handleOf(page, 'Condition: OS Type').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await said('Condition: OS Type is now 2 of 3 in “Match all”, level 1.');
  await page.locator(':focus[data-handle]').waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await said('Condition: OS Type is now 1 of 3');
  await page.keyboard.press('Alt+ArrowUp');
  await said('It cannot move there.');
  await page.keyboard.press('Alt+ArrowRight');
  await said('Condition: OS Type is now 1 of 3 in “Match any”, level 2.');
  // Without polling: a late focus would miss the next key, and close a menu that was opened meanwhile.
  expect(await page.locator(':focus').getAttribute('aria-label')).toContain('OS Type');
  await page.keyboard.press('Alt+ArrowLeft');
  await said('Condition: OS Type is now 2 of 3 in “Match all”, level 1.');
  expect(await textOf(page)).toBe('(tags:vip OR status:online) os:windows host:srv');

  const choose = async (name: string, item: string) => {
    await handleOf(page, name).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.keyboard.type(item.slice(0, 4));
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  await choose('Condition: Hostname', 'Duplicate');
  expect(await page.getByRole('group', { name: 'Condition: Hostname' }).count()).toBe(2);
  await page.keyboard.press('Control+z');
  await choose('Condition: OS Type', 'Wrap in a group');
  expect(await page.getByRole('group', { name: 'Group: Match any' }).count()).toBe(2);
  await page.keyboard.press('Control+z');
  await choose('Group: Match any', 'Unwrap the group');
  expect(await textOf(page)).toBe('tags:vip status:online os:windows host:srv');
  for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
  expect(await textOf(page)).toBe(TEXT);
  expect(under.problems()).toStrictEqual([]);
});

test.each([1440, 700])('conditions and groups are dragged by their handles at %i pixels', async (width) => {
  const page = await openAt(START, width);
  await page.setViewportSize({ width, height: 1_600 });
  const drag = async (from: string, to: string, part: number, key?: string) => {
    const [handle, target] = [
      await handleOf(page, from).boundingBox(),
      await page.getByRole('group', { name: to, exact: true }).boundingBox(),
    ];
    if (handle === null || target === null) throw new Error('not in the page');
    await page.mouse.move(handle.x + 5, handle.y + 10);
    await page.mouse.down();
    await page.mouse.move(target.x + 60, target.y + target.height * 0.5);
    await page.mouse.move(target.x + 60, target.y + target.height * part, { steps: 4 });
    await page.locator('[data-drop]').waitFor();
    if (key !== undefined) await page.keyboard.down(key);
    await page.mouse.up();
    if (key !== undefined) await page.keyboard.up(key);
  };
  await drag('Condition: Hostname', 'Condition: Status', 0.9);
  expect(await textOf(page)).toBe('os:windows (tags:vip OR status:online OR host:srv)');
  await drag('Group: Match any', 'Condition: OS Type', 0.1);
  expect(await textOf(page)).toBe('(tags:vip OR status:online OR host:srv) os:windows');
  await drag('Condition: OS Type', 'Condition: Tags', 0.1);
  expect(await textOf(page)).toBe('os:windows OR tags:vip OR status:online OR host:srv');
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await textOf(page)).toBe(TEXT);
  for (const key of ['Control', 'Alt']) {
    await drag('Condition: Hostname', 'Condition: Status', 0.9, key);
    expect(await textOf(page)).toBe('os:windows (tags:vip OR status:online OR host:srv) host:srv');
    await page.keyboard.press('Control+z');
    expect(await textOf(page)).toBe(TEXT);
  }

  const handle = await handleOf(page, 'Condition: Hostname').boundingBox();
  await page.mouse.move((handle?.x ?? 0) + 5, (handle?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((handle?.x ?? 0) + 60, (handle?.y ?? 0) - 60, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await textOf(page)).toBe(TEXT);
  expect(under.problems()).toStrictEqual([]);
});

test('the builder is never empty: removing the last condition leaves one to fill in', async () => {
  const page = await openAt('/filters/new?q=(host%3Aa+OR+host%3Ab)');
  for (let left = 2; left > 0; left--) {
    await page
      .getByRole('group', { name: 'Condition: Hostname' })
      .first()
      .getByRole('button', { name: 'Remove' })
      .click();
  }
  await page.getByRole('group', { name: 'Condition: Choose a field' }).waitFor();
  await page.keyboard.type('Tags');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Condition: Tags' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Field' }).count()).toBe(1);
});

test('the first of six hundred conditions can be edited while the last are still being drawn', async () => {
  const conditions = Array.from({ length: 600 }, (_, i) => ({
    field: 'hostname',
    operator: 'contains',
    value: `srv-${i}`,
  }));
  const filter = aFilter({
    orgId: under.orgIds[0] as (typeof under.orgIds)[number],
    createdBy: person.record.id,
    name: 'Six hundred',
    conditions: { operator: 'OR', conditions } as never,
  });
  await loadFleet(under.composition.backend, [filter]);
  const page = await under.openPage({ isSpoilt: true });
  await page.addInitScript(countRows);
  await under.signIn(page, person, `/filters/${filter.id}`);
  const values = page.getByRole('textbox', { name: 'Value' });
  await values.first().fill('srv-first');
  await expect.poll(() => values.count(), { timeout: 30_000 }).toBe(600);
  // The page answers between two turns, so no turn may draw many.
  const turns = await page.evaluate(() => (window as unknown as { turns: readonly number[] }).turns);
  expect(turns.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThanOrEqual(600);
  expect(Math.max(...turns)).toBeLessThanOrEqual(60);
  await values.last().fill('srv-last');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Text' }).click();
  expect(await page.getByLabel('Filter as text').inputValue()).toMatch(/^host:srv-first .* host:srv-last$/);
});

/** Collects in `turns` how many fields for values each change of the page has added. */
function countRows(): void {
  const turns: number[] = [];
  let before = 0;
  Object.assign(window, { turns });
  new MutationObserver(() => {
    const now = document.querySelectorAll('input[aria-label="Value"], textarea[aria-label="Value"]').length;
    if (now > before) turns.push(now - before);
    before = now;
  }).observe(document, { childList: true, subtree: true });
}
