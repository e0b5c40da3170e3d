/** What people do, by the keyboard alone, and where the focus is on the way (Contract: §14). */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { focusOf } from '#test/support/browser/check-focus.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';
import { pressChord } from '#test/support/browser/press-chord.ts';
import { aCall, anAlert, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

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

async function openAt(person: Person, address: string): Promise<Page> {
  const page = await under.openPageAs(person);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** After so many presses of Tab, a target counts as unreachable. */
const MAX_TABS = 80;

/** Moves the focus to the target by Tab or Shift+Tab. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < MAX_TABS; i += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${MAX_TABS} presses of ${key} do not lead to ${target}, but to ${await focusOf(page)}`);
}

const focused = (page: Page, target: Locator) => target.and(page.locator(':focus')).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('sign in, find a device, open it, and go back to the same place', async () => {
  const person = await places.addAdministrator();
  const page = await under.openPage();
  await page.goto('/devices');
  await focused(page, page.getByLabel('Email'));
  await page.keyboard.type(person.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await focused(page, page.getByLabel('Authentication code'));
  await page.keyboard.type(await under.codeOf(person));
  await page.keyboard.press('Enter');

  const table = page.getByRole('table', { name: 'Devices' });
  await table.getByRole('link').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('os:linux host:bor-ws-2');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('11 devices', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  for (const name of ['bor-ws-2', 'bor-ws-20']) {
    await page.keyboard.press('j');
    await focused(page, table.getByRole('link', { name, exact: true }));
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'bor-ws-20', level: 1 }).waitFor();
  await expect.poll(() => focusOf(page)).toBe('main');
  await page.goBack();
  await page.getByRole('status').getByText('11 devices', { exact: true }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Filter devices' }).inputValue()).toBe(
    'os:linux host:bor-ws-2',
  );
  await expect.poll(() => focusOf(page)).toBe('main');
});

test('build a filter with a group, save it, explain it, delete it and undo that', async () => {
  const page = await openAt(await under.addPerson(), '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('>new filter');
  await page.getByRole('option', { name: 'New filter' }).waitFor();
  await page.keyboard.press('Enter');
  await focused(page, page.getByLabel('Name'));
  await page.keyboard.type('Servers that matter');

  const fields = page.getByRole('combobox', { name: 'Field' });
  const counted = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  await tabTo(page, fields.first());
  await page.keyboard.type('ostype');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Value' }));
  await page.keyboard.type('win');
  await counted('1 device');
  await tabTo(page, button(page, 'Add condition'));
  await page.keyboard.press('Enter');
  await focused(page, fields.nth(1));
  await page.keyboard.type('disk percent');
  await page.keyboard.press('Escape');
  await page.keyboard.type('metrics.diskPercent');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Operator' }).nth(1));
  await page.keyboard.type('greater');
  await tabTo(page, page.getByLabel('Value').nth(1));
  await page.keyboard.type('80');
  await tabTo(page, button(page, 'Add group'));
  await page.keyboard.press('Enter');
  await focused(page, fields.nth(2));
  await page.keyboard.type('tags');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Value' }).last());
  await page.keyboard.type('vip');
  await page.keyboard.press('Enter');
  await counted('1 device');
  expect(await page.getByRole('group', { name: /^Group: Match/ }).count()).toBe(2);

  await tabTo(page, button(page, 'Save'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/filters\/[0-9a-f-]{36}$/);
  await counted('Saved.');
  await tabTo(page, button(page, /^Why/).first());
  await page.keyboard.press('Enter');
  await page.getByText(/ matches\. It meets the conditions/).waitFor();
  await expect.poll(() => focusOf(page)).not.toBe('body');

  await tabTo(page, page.getByRole('link', { name: 'Saved filters' }).first(), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Saved filters', level: 1 }).waitFor();
  // The recent pages of the palette still call it by its name.
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Servers that matter' }).waitFor();
  await page.keyboard.press('Escape');
  const actions = button(page, 'Actions for Servers that matter');
  await tabTo(page, actions);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await actions.waitFor({ state: 'detached' });
  await tabTo(page, button(page, 'Undo'));
  await page.keyboard.press('Enter');
  await actions.waitFor();
  await expect.poll(() => focusOf(page)).not.toBe('body');
});

test('change the theme, switch single keys off, and end another session', async () => {
  const person = await under.addPerson();
  await under.openPageAs(person);
  const page = await openAt(person, '/settings/profile');
  await tabTo(page, page.getByRole('radio', { checked: true }).first());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.locator('html[data-theme="dark"]').waitFor();
  await tabTo(page, page.getByRole('switch', { name: 'Single-key shortcuts' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/settings/profile');
  await page.keyboard.press('Space');
  await pressChord(page, 'd', '/devices');

  await page.goto('/settings/security');
  const end = button(page, /^End session: /);
  await tabTo(page, end);
  await page.keyboard.press('Enter');
  await end.waitFor({ state: 'detached' });
  await expect.poll(() => focusOf(page)).not.toBe('body');
});

test('reject a deletion request after typing the email', async () => {
  const page = await openAt(await places.addAdministrator(), '/admin/account-deletion-requests');
  await tabTo(page, page.getByRole('link', { name: 'Nils Fässler' }));
  await page.keyboard.press('Enter');
  await tabTo(page, button(page, 'Reject'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reject request' });
  await focused(page, dialog.getByLabel('Type the email to confirm'));
  const said = await dialog.getByText(/user-\S+@example\.com/).textContent();
  await page.keyboard.type(/user-\S+\.com/.exec(said ?? '')?.[0] ?? '');
  // Without a note, the form reports it and moves the focus there.
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('Give a reason. The person will read it.').waitFor();
  await focused(page, dialog.getByLabel('Note to the user'));
  await page.keyboard.type('Please hand over first.');
  await tabTo(page, dialog.getByRole('button', { name: 'Reject' }));
  await page.keyboard.press('Enter');
  await page.getByText('Rejected. Nils Fässler will be emailed your note.').waitFor();
  // The buttons are gone, but the focus is not lost.
  await expect.poll(() => focusOf(page)).not.toBe('body');
});

describe('the focus moves to a neighbor after the removal of', () => {
  test('a chip of a filter', async () => {
    const page = await openAt(await places.addAdministrator(), '/devices?q=os%3Alinux+status%3Aoffline');
    const chips = page.getByRole('list', { name: 'Conditions' }).getByRole('button', { name: /^Remove/ });
    await expect.poll(() => chips.count()).toBe(2);
    await chips.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => chips.count()).toBe(1);
    await expect.poll(() => focusOf(page)).not.toMatch(/^(?:body|main)$/);
  });

  test('a tag of a device', async () => {
    const page = await openAt(await places.addAdministrator(), places.visits['/devices/:id'].address);
    await button(page, 'Remove the tag vip').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Remove the tag vip').waitFor({ state: 'detached' });
    await focused(page, button(page, 'Remove the tag finance'));
  });

  test('an API key', async () => {
    const page = await openAt(await places.addAdministrator(), '/settings/api-keys');
    for (const name of ['One', 'Two']) {
      await button(page, 'Create key').click();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.keyboard.press('Enter');
      await button(page, 'I have saved it').click();
    }
    await button(page, 'Revoke Two').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).focus();
    await page.keyboard.press('Enter');
    await button(page, 'Revoke Two').waitFor({ state: 'detached' });
    await focused(page, button(page, 'Revoke One'));
  });
});

async function changeFilter(name: string, author: Person): Promise<void> {
  const [orgId] = under.orgIds;
  const call = aCall({ userId: author.record.id });
  const { filters } = under.composition;
  const input = { name, description: null, conditions: ONLINE_CONDITIONS, orgId, partnerId: null };
  const made = await filters.createFilter(call, input);
  if (!made.ok) throw new Error(made.error.detail);
  await filters.updateFilter(call, made.value.id, { description: 'Changed' }, { kind: 'none' });
}

test('find out who changed a filter', async () => {
  await changeFilter('Disk almost full', await places.addAdministrator('Mara Ellingsen'));
  const page = await openAt(await places.addAdministrator('Nora Lind'), '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('audit log');
  await page.getByRole('option', { name: 'Audit log' }).first().waitFor();
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'Audit log' });
  await tabTo(page, page.getByLabel('Actor'));
  await page.keyboard.type('ellingsen');
  await page.keyboard.press('Enter');
  const changed = table
    .getByRole('row')
    .filter({ hasText: 'Mara Ellingsen changed the filter Disk almost full' });
  await changed.waitFor();
  await tabTo(page, changed.getByText('Details'));
  await page.keyboard.press('Enter');
  await changed.getByText('filter.update').waitFor();
  await tabTo(page, changed.getByRole('link', { name: 'Disk almost full' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Disk almost full', level: 1 }).waitFor();
  await page.getByText('Created by Mara Ellingsen').waitFor();
});

test('find an alert, acknowledge it, undo that, and resolve it', async () => {
  const [orgId] = under.orgIds as [OrgId, OrgId];
  await loadFleet(under.composition.backend, [
    anAlert({ orgId, title: 'Fan has stopped', message: 'in rack 4' }),
  ]);
  const page = await openAt(await places.addAdministrator(), '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('fan has');
  await page.getByRole('option', { name: /Fan has stopped/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Fan has stopped', level: 1 }).waitFor();
  await tabTo(page, button(page, 'Acknowledge'));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('“Fan has stopped” acknowledged.').waitFor();
  await page.getByText('Acknowledged', { exact: true }).waitFor();
  await tabTo(page, button(page, 'Undo'));
  await page.keyboard.press('Enter');
  await button(page, 'Acknowledge').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search alerts' }));
  await page.keyboard.type('rack 4');
  await page
    .getByRole('status')
    .filter({ hasText: /^1 alert$/ })
    .waitFor();
  await tabTo(page, button(page, 'Resolve Fan has stopped'));
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'Resolved', exact: true }).waitFor();
});
