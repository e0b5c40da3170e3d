/** The list of devices and the page of one (Contract: §10, §11, §14). */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_STATUSES } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import type { OpenOptions } from '#test/support/browser/page-pool.ts';
import { aCustomField, aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const COUNT = 450;

let under: ConsoleUnderTest;
let first: DeviceRecord;

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds as [OrgId];
  const devices = Array.from({ length: COUNT }, (_, i) =>
    aDevice({
      orgId,
      hostname: `anr-ws-${String(i).padStart(4, '0')}`,
      status: i % 3 === 0 ? 'offline' : 'online',
      osType: i % 2 === 0 ? 'windows' : 'linux',
      tags: i < 20 ? ['vip'] : [],
    }),
  );
  first = devices[0] as DeviceRecord;
  await loadFleet(under.composition.backend, devices);
});

afterAll(() => under.close());

/** Opens the list as a new person. */
async function openList(path = '/devices', options: OpenOptions = {}, permissions = ['devices:write']) {
  const person = await under.addPerson({ permissions });
  const page = await under.openPage(options);
  await under.signIn(page, person, path);
  return page;
}

const filterOf = (page: Page) => page.getByRole('textbox', { name: 'Filter devices' });
const tableOf = (page: Page) => page.getByRole('table', { name: 'Devices' });
const countOf = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const paramOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describe('the filter', () => {
  test('narrows the list while it is typed, and is kept in the address', async () => {
    const page = await openList();
    await countOf(page, '450 devices').waitFor();
    await page.keyboard.press('/');
    await expect
      .poll(() => filterOf(page).evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.type('tags:vip stat');
    await page.getByRole('option', { name: 'status: Status' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('off');
    await page.getByRole('option', { name: 'offline' }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => filterOf(page).inputValue()).toBe('tags:vip status:offline ');
    await countOf(page, '7 devices').waitFor();
    expect(paramOf(page, 'q')?.trim()).toBe('tags:vip status:offline');
    await page.reload();
    await countOf(page, '7 devices').waitFor();
    await page.getByRole('button', { name: 'Remove Status is offline' }).click();
    await countOf(page, '20 devices').waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe('tags:vip');
    await page.goBack();
    await countOf(page, '7 devices').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('reports an error with a fix, and meanwhile the last valid list stays in its place', async () => {
    const page = await openList('/devices');
    const top = async () => (await page.getByRole('table', { name: 'Devices' }).boundingBox())?.y;
    const place = await top();
    await filterOf(page).fill('tags:vip');
    await page.getByRole('button', { name: /^Remove Tags/ }).waitFor();
    expect(await top()).toBe(place);
    await countOf(page, '20 devices').waitFor();
    await filterOf(page).fill('tags:vip status:onlin');
    await page.getByRole('alert').getByText('Did you mean online?').waitFor();
    expect(await top()).toBe(place);
    await countOf(page, '20 devices').waitFor();
    await page.getByRole('button', { name: 'Use online' }).click();
    await countOf(page, '13 devices').waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe('tags:vip status:online');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(under.problems()).toStrictEqual([]);
  });

  test('has chips that are changed in a form, negated and removed by keys', async () => {
    const page = await openList('/devices?q=tags%3Avip%20status%3Aoffline%20os%3Awindows');
    await countOf(page, '4 devices').waitFor();
    const chip = (name: string) => page.getByRole('button', { name, exact: true });
    await chip('Status is offline').click();
    const form = page.getByRole('dialog', { name: 'Edit “Status is offline”' });
    await form.getByRole('combobox', { name: 'Value' }).selectOption('online');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await form.getByRole('button', { name: 'Apply' }).click();
    await countOf(page, '6 devices').waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe('tags:vip status:online os:windows');

    const hasFocus = (name: string) =>
      chip(name).evaluate((button) => button === button.ownerDocument.activeElement);
    await chip('Status is online').focus();
    await page.keyboard.press('-');
    await countOf(page, '4 devices').waitFor();
    await expect.poll(() => hasFocus('Status is not online')).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await countOf(page, '75 devices').waitFor();
    await expect.poll(() => hasFocus('Status is not online')).toBe(true);
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await countOf(page, '450 devices').waitFor();
    await page.waitForFunction("document.activeElement?.getAttribute('aria-label') === 'Filter devices'");
    expect(await filterOf(page).inputValue()).toBe('');
    expect(under.problems()).toStrictEqual([]);
  });

  test('has a chip for a group, with a small builder in its form', async () => {
    const page = await openList('/devices?q=tags%3Avip%20(os%3Awindows%20OR%20status%3Aoffline)');
    await countOf(page, '13 devices').waitFor();
    await page
      .getByRole('button', { name: '(OS Type is windows or Status is offline)', exact: true })
      .click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await form.getByRole('button', { name: 'Add condition' }).click();
    await form.getByRole('button', { name: 'Apply' }).click();
    await form.getByRole('alert').getByText('Enter a value').waitFor();
    await form.getByRole('combobox', { name: 'Field' }).last().fill('hostname');
    await page.keyboard.press('Enter');
    await form.getByRole('textbox', { name: 'Value' }).fill('0001');
    await form.getByRole('button', { name: 'Apply' }).click();
    await countOf(page, '8 devices').waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe('tags:vip (status:offline OR host:0001)');
    expect(under.problems()).toStrictEqual([]);
  });

  test('says which condition rules all devices out', async () => {
    const page = await openList('/devices?q=tags%3Avip%20os%3Amacos');
    await page.getByRole('heading', { name: 'No devices match.' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Tags contains vip' })
      .filter({ hasText: '20' })
      .waitFor();
    await page.getByText('OS Type is macos alone matches none.').waitFor();
    await page.goto('/devices?q=status%3Aonline%20tags%3Avip%20status%3Aoffline');
    await page.getByText('Tags contains vip alone matches 20; the rest rules them out.').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('says of a large fleet that the numbers are estimates, and calls no condition empty', async () => {
    const page = await under.openPage();
    await page.route('**/api/v1/filters/explain', async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const sample = { devices: 10_000, of: 1_000_000 };
      await route.fulfill({ response: answer, json: { data: { ...data, sample } } });
    });
    await under.signIn(page, await under.addPerson(), '/devices?q=tags%3Avip%20os%3Amacos');
    const estimates = 'The numbers at the conditions are estimates from 10,000 of 1,000,000 devices';
    await page.getByText(estimates).waitFor();
    await page.getByText('OS Type is macos alone matches few or none.').waitFor();
    const tree = page.getByRole('listitem').filter({ hasText: 'OS Type is macos' });
    await tree.getByText('without it: ≈ 20 devices').waitFor();
    await tree.getByText('≈ 0').waitFor();
    await page.goto('/filters/new?q=tags%3Avip%20os%3Amacos');
    await page.getByText(estimates).waitFor();
    await page.getByText('Without the condition on OS Type, ≈ 20 devices would match.').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('is saved under a name', async () => {
    const page = await openList('/devices?q=tags%3Avip', {}, ['devices:write', 'filters:write']);
    await countOf(page, '20 devices').waitFor();
    await page.getByRole('button', { name: 'Save as filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as filter' });
    // A browser counts UTF-16 code units, so the field must not cut a name of up to 200 characters.
    await dialog.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.insertText('🙂'.repeat(150));
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('🙂'.repeat(150));
    await dialog.getByLabel('Name', { exact: true }).fill('Important people');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('“Important people” saved.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto(`/devices/${first.id}?tab=filters`);
    await page.getByRole('button', { name: 'Important people' }).click();
    await page.getByRole('img', { name: 'matches' }).first().waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('is saved as it is shown, for the organization that the person chooses', async () => {
    const person = await under.addPerson({ membership: { scope: 'system' }, permissions: [] });
    const page = await under.openPage();
    await under.signIn(page, person, '/devices?q=tags%3Avip');
    await countOf(page, '20 devices').waitFor();
    // The list shows, and the dialog saves, the last valid filter.
    await filterOf(page).fill('tags:vip disk:>ab');
    await page.getByText('Showing results for the last valid filter.').waitFor();
    await page.getByRole('button', { name: 'Save as filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as filter' });
    await dialog.getByText('tags:vip', { exact: true }).waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Whose is it');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Choose what the filter covers' }).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await dialog.getByLabel('Covers').selectOption('Arden Manufacturing');
    await dialog.getByText('for Arden Manufacturing. They match 20 devices there.').waitFor();
    await dialog.getByLabel('Covers').selectOption('Borealis Health');
    await dialog.getByText('for Borealis Health. They match 0 devices there. The list shows 20.').waitFor();
    await dialog.getByRole('status').filter({ hasText: 'finds nothing there' }).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('“Whose is it” saved.').waitFor();
    await dialog.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: 'Whose is it', level: 1 }).waitFor();
    await page.getByRole('paragraph').filter({ hasText: 'Borealis Health' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });
});

test('Esc moves the focus from the filter to the list, where the list keys work', async () => {
  const page = await openList();
  await countOf(page, '450 devices').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  const list = page.getByRole('region', { name: 'List of devices' });
  await expect
    .poll(() => list.evaluate((region) => region === region.ownerDocument.activeElement))
    .toBe(true);
  await page.keyboard.press('j');
  const first = tableOf(page).getByRole('link', { name: 'anr-ws-0000' });
  await expect.poll(() => first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
});

describe('the table', () => {
  test('holds all devices, and is sorted by its column headers', async () => {
    const page = await openList();
    const rows = tableOf(page);
    await rows.getByRole('link', { name: 'anr-ws-0000' }).waitFor();
    expect(await rows.getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    // The end of the list first, which only an offset reaches.
    await page
      .getByRole('region', { name: 'List of devices' })
      .evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }));
    await rows.getByRole('link', { name: 'anr-ws-0449' }).waitFor();
    await rows.getByRole('button', { name: 'Name' }).click();
    await rows.getByRole('link', { name: 'anr-ws-0449' }).waitFor();
    expect(paramOf(page, 'sort')).toBe('-hostname');
    expect(await rows.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    const top = rows.locator('[aria-rowindex="2"]');
    await top.getByRole('link', { name: 'anr-ws-0449' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('has rows that are walked, selected, explained and opened by keyboard', async () => {
    const page = await openList('/devices?q=status%3Aoffline');
    await tableOf(page).getByRole('link', { name: 'anr-ws-0000' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Select anr-ws-0003' }).isChecked())
      .toBe(true);
    await page.getByRole('status').getByText('1 selected').waitFor();
    await page.keyboard.press('e');
    const why = page.getByRole('dialog', { name: 'Does anr-ws-0003 match?' });
    await why.getByText('has offline').waitFor();
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Filter syntax' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await tableOf(page).getByRole('link', { name: 'anr-ws-0003' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'anr-ws-0003', level: 1 }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('shows the chosen columns, also after a reload', async () => {
    const page = await openList('/devices?q=tags%3Avip');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click();
    await page.keyboard.press('Escape');
    await tableOf(page).getByRole('columnheader', { name: 'Tags' }).waitFor();
    await page.reload();
    await tableOf(page).getByRole('columnheader', { name: 'Tags' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('is exported as a file', async () => {
    const page = await openList('/devices?q=tags%3Avip');
    await countOf(page, '20 devices').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export devices' });
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export 20 devices' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('devices.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^hostname,displayName,status,/);
    await dialog.getByText('20 devices exported.').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });
});

describe('a device page', () => {
  test('switches tabs by digit keys, and keeps the tab in the address', async () => {
    const page = await openList(`/devices/${first.id}`);
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.keyboard.press('2');
    await page.getByRole('tab', { name: 'Hardware', selected: true }).waitFor();
    expect(paramOf(page, 'tab')).toBe('hardware');
    await page.reload();
    await page.getByRole('tab', { name: 'Hardware', selected: true }).waitFor();
    await page.getByText('No hardware information yet.').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('edits name and tags in place, and reports that someone else changed the device', async () => {
    const device = aDevice({ orgId: under.orgIds[1] as OrgId, hostname: 'bor-till-1' });
    await loadFleet(under.composition.backend, [device]);
    const person = await under.addPerson({
      permissions: ['devices:write'],
      membership: { scope: 'organization', orgId: under.orgIds[1] as OrgId },
    });
    const page = await under.openPage();
    const other = await page.context().newPage();
    await under.signIn(page, person, `/devices/${device.id}`);
    await other.goto(`/devices/${device.id}`);
    await other.getByRole('button', { name: 'Rename' }).waitFor();

    await page.bringToFront();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('Till one');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Till one', level: 1 }).waitFor();
    const sent: string[] = [];
    await page.route('**/api/v1/devices/*', async (route) => {
      // A second Enter during the first request sends nothing.
      if (route.request().method() === 'PATCH' && sent.push(route.request().url()) === 1) {
        await page.keyboard.press('Enter');
      }
      await route.continue();
    });
    await page.getByLabel('Add a tag').fill('till');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag till' }).waitFor();
    expect(sent).toHaveLength(1);

    // Text that is typed during a request stays.
    await page.unroute('**/api/v1/devices/*');
    await page.route('**/api/v1/devices/*', async (route) => {
      if (route.request().method() === 'PATCH') await page.keyboard.type(' and on');
      await route.continue();
    });
    await page.getByLabel('Add a tag').fill('vip');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag vip' }).waitFor();
    await expect.poll(() => page.getByLabel('Add a tag').inputValue()).toBe('vip and on');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('Till two');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Till two', level: 1 }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Till two and on');
    await page.keyboard.press('Escape');

    await other.bringToFront();
    await other.getByRole('button', { name: 'Rename' }).click();
    await other.getByLabel('Name').fill('Till 1');
    await other.keyboard.press('Enter');
    await other.getByRole('alert').getByText('Someone else changed this device').waitFor();
    await expect.poll(() => other.getByLabel('Name').inputValue()).toBe('Till 1');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('heading', { name: 'Till 1', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'Remove the tag till' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('edits custom values in place, each by its type, and explains why a value is refused', async () => {
    const [orgId] = under.orgIds as [OrgId];
    const owner = { kind: 'organization', orgId } as const;
    const device = aDevice({ orgId, hostname: 'anr-custom-1' });
    await loadFleet(under.composition.backend, [
      device,
      aCustomField({ owner, key: 'asset_tag', name: 'Asset tag' }),
      aCustomField({ owner, key: 'cost', name: 'Cost', type: 'number' }),
      aCustomField({ owner, key: 'leased', name: 'Leased', type: 'boolean' }),
      aCustomField({ owner, key: 'bought', name: 'Bought', type: 'date' }),
      aCustomField({ owner, key: 'tier', name: 'Tier', type: 'dropdown', choices: ['gold', 'none'] }),
    ]);
    const page = await openList(`/devices/${device.id}`);
    const edit = (name: string) => page.getByRole('button', { name: `Edit ${name}` });
    const rowOf = (name: string) =>
      page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });

    await edit('Asset tag').click();
    await page.getByLabel('Asset tag').fill('a slip');
    await page.keyboard.press('Escape');
    await rowOf('Asset tag').getByText('No value').waitFor();
    await expect
      .poll(() => edit('Asset tag').evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Asset tag').fill('A-17');
    await page.keyboard.press('Enter');
    await rowOf('Asset tag').getByText('A-17').waitFor();
    await rowOf('Asset tag').getByText('Saved').waitFor();

    await edit('Cost').click();
    await page.getByLabel('Cost').fill('12,5');
    await page.keyboard.press('Enter');
    await page.getByText('Cost must be a number, such as 12 or 12.5.').waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByLabel('Cost').fill('1234.5');
    await page.keyboard.press('Enter');
    await rowOf('Cost').getByText('1,234.5').waitFor();

    await edit('Leased').click();
    await page.getByRole('menuitemradio', { name: 'Yes' }).click();
    await rowOf('Leased').getByText('Yes').waitFor();
    await edit('Tier').click();
    await page.getByRole('menuitemradio', { name: 'none', exact: true }).click();
    await rowOf('Tier').getByText('none').waitFor();
    await edit('Bought').click();
    await page.getByLabel('Bought').fill('2026-02-10');
    await page.keyboard.press('Enter');
    await rowOf('Bought').getByText('10 Feb 2026').waitFor();

    await page.reload();
    await rowOf('Asset tag').getByText('A-17').waitFor();
    const shown = await page.locator('dl').filter({ hasText: 'Asset tag' }).locator('dd').allInnerTexts();
    expect(shown).toStrictEqual(['A-17', '10 Feb 2026', '1,234.5', 'Yes', 'none']);
    expect(under.problems()).toStrictEqual([]);
  });

  test('reports that choices failed to load, and allows no edit until they have loaded', async () => {
    const [, orgId] = under.orgIds as [OrgId, OrgId];
    const owner = { kind: 'organization', orgId } as const;
    const device = aDevice({ orgId, hostname: 'bor-custom-1', custom: new Map([['tier', 'gold']]) });
    await loadFleet(under.composition.backend, [
      device,
      aCustomField({ owner, key: 'tier', name: 'Tier', type: 'dropdown', choices: ['gold', 'silver'] }),
    ]);
    const person = await under.addPerson({
      membership: { scope: 'organization', orgId },
      permissions: ['devices:write'],
    });
    const page = await under.openPage();
    await page.route('**/api/v1/custom-fields*', (route) => route.fulfill({ status: 422 }));
    await under.signIn(page, person, `/devices/${device.id}`);
    const alert = page.getByRole('main').getByRole('alert');
    await alert.waitFor();
    const edit = page.getByRole('button', { name: 'Edit Tier' });
    expect(await edit.isDisabled()).toBe(true);
    await page.unroute('**/api/v1/custom-fields*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await edit.click();
    await page.getByRole('menuitemradio', { name: 'silver' }).click();
    await page.locator('dl > div').filter({ hasText: 'Tier' }).getByText('silver').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('offers no edits to people who may not change devices', async () => {
    const page = await openList(`/devices/${first.id}`, {}, ['devices:read']);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    expect(await page.getByLabel('Add a tag').count()).toBe(0);
  });

  test('scrolls to the tab that its address names on a phone', async () => {
    const page = await openList(`/devices/${first.id}?tab=filters`, { width: 360 });
    const isInSight = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => {
        const [own, room] = [tab, tab.closest('[role="tablist"]')].map((one) => one?.getBoundingClientRect());
        return (
          own !== undefined && room !== undefined && own.right <= room.right + 1 && own.left >= room.left - 1
        );
      });
    await page.getByRole('tab', { name: 'Filters', selected: true }).waitFor();
    await expect.poll(() => isInSight('Filters')).toBe(true);
    await page.keyboard.press('1');
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await expect.poll(() => isInSight('Overview')).toBe(true);
  });

  test('says that an unknown device does not exist', async () => {
    const page = await openList('/devices/019a0000-0000-7000-8000-00000000dead');
    await page.getByText('This device does not exist').waitFor();
    expect(under.problems()).toStrictEqual([]);
  });
});

test.each([
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 360 },
] as const)('the list and a device page are accessible, $theme at $width pixels', async (options) => {
  const page = await openList('/devices?q=tags%3Avip', options);
  await tableOf(page).getByRole('link', { name: 'anr-ws-0000' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await filterOf(page).fill('status:');
  await page.getByRole('option', { name: 'online' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.goto(`/devices/${first.id}`);
  await page.getByRole('tab', { name: 'Overview' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
});

test('Ctrl+click opens a row in a new tab, which keeps the chosen organization', async () => {
  const [orgId] = under.orgIds;
  const page = await openList(`/devices?org=${orgId}`);
  await tableOf(page).getByRole('link', { name: 'anr-ws-0000' }).waitFor();
  const opened = page.context().waitForEvent('page');
  await tableOf(page)
    .getByRole('cell', { name: 'Offline' })
    .first()
    .click({ modifiers: ['Control'] });
  const tab = await opened;
  await tab.waitForURL(/\/devices\/[^?]+\?org=/);
  expect(new URL(tab.url()).searchParams.get('org')).toBe(orgId);
});

test('the table has room for the name of every status', async () => {
  const [orgId] = under.orgIds as [OrgId];
  await loadFleet(
    under.composition.backend,
    DEVICE_STATUSES.map((status) => aDevice({ orgId, hostname: `word-${status}`, status })),
  );
  const page = await openList('/devices?q=host%3Aword-');
  await countOf(page, `${DEVICE_STATUSES.length} devices`).waitFor();
  const cut = await tableOf(page)
    .getByRole('row')
    .locator('td:nth-child(3)')
    .evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const { right } = cell.getBoundingClientRect();
          const padding = Number.parseFloat(getComputedStyle(cell).paddingRight);
          return (cell.firstElementChild?.getBoundingClientRect().right ?? 0) > right - padding;
        })
        .map((cell) => cell.textContent),
    );
  expect(cut).toStrictEqual([]);
});
