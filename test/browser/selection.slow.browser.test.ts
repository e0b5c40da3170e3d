/** Selecting devices, changing all of them at once, and undoing it (Contract: §10, §14). */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import type { OpenOptions } from '#test/support/browser/page-pool.ts';
import { aCustomField, aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const COUNT = 450;

let under: ConsoleUnderTest;
let ids: readonly string[];

beforeAll(async () => {
  under = await openConsole();
});
afterAll(() => under.close());

/** Every test starts with the same fleet. */
beforeEach(async () => {
  const [orgId] = under.orgIds as [OrgId];
  const devices = Array.from({ length: COUNT }, (_, i) =>
    aDevice({
      ...(ids !== undefined && { id: ids[i] as ReturnType<typeof aDevice>['id'] }),
      orgId,
      hostname: `anr-ws-${String(i).padStart(4, '0')}`,
      status: 'online',
      tags: i < 40 ? ['shop', 'vip'] : ['vip-lounge'],
    }),
  );
  const rack =
    ids === undefined
      ? [aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack', name: 'Rack' })]
      : [];
  ids = devices.map(({ id }) => id);
  await loadFleet(under.composition.backend, [...devices, ...rack]);
});

async function openList(path: string, permissions = ['devices:write'], options: OpenOptions = {}) {
  const person = await under.addPerson({ permissions });
  const page = await under.openPage(options);
  await under.signIn(page, person, path);
  await page.getByRole('link', { name: 'anr-ws-0000' }).waitFor();
  return page;
}

const box = (page: Page, n: number) =>
  page.getByRole('checkbox', { name: `Select anr-ws-${String(n).padStart(4, '0')}` });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByRole('status').getByText(text);
const tagsOf = async (n: number) => {
  const { backend } = under.composition;
  const found = await backend.deviceReader.find({ kind: 'system' }, ids[n] as never);
  return found?.device.tags;
};
const statusOf = async (n: number) =>
  (await under.composition.backend.deviceReader.find({ kind: 'system' }, ids[n] as never))?.device.status;
/** The place of the table, which nothing may move. */
const placeOf = (page: Page) => page.getByRole('table', { name: 'Devices' }).boundingBox();

test('forty devices are tagged by mouse, the tags are undone, and the devices are exported', async () => {
  const page = await openList('/devices');
  const place = await placeOf(page);
  await box(page, 3).click();
  await said(page, '1 selected').waitFor();
  expect(await placeOf(page)).toStrictEqual(place);
  await box(page, 3).click();
  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
  await box(page, 0).click();
  await page
    .getByRole('region', { name: 'List of devices' })
    .evaluate((list) => list.scrollTo(0, 39 * 36 - 200));
  await box(page, 39).click({ modifiers: ['Shift'] });
  await said(page, '40 selected').waitFor();
  await button(page, 'Tag 40 devices').click();
  const dialog = page.getByRole('dialog', { name: 'Tag 40 devices' });
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('till');
  await page.keyboard.press('Enter');
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Tag 40 devices' }).click();
  await said(page, '40 devices changed.').waitFor();
  expect([await tagsOf(0), await tagsOf(39), await tagsOf(40)]).toStrictEqual([
    ['shop', 'vip', 'till'],
    ['shop', 'vip', 'till'],
    ['vip-lounge'],
  ]);
  await button(page, 'Undo').click();
  await said(page, 'Undone on 40 devices.').waitFor();
  expect([await tagsOf(0), await tagsOf(39)]).toStrictEqual([
    ['shop', 'vip'],
    ['shop', 'vip'],
  ]);
  await button(page, 'Export 40 devices').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export 40 devices' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect([lines.length, lines[0]?.split(',').includes('organization')]).toStrictEqual([41, true]);
  expect(lines[1]).toContain('Arden Manufacturing');
  expect(under.problems()).toStrictEqual([]);
});

test('only the device that is cleared after all were selected is left out', async () => {
  const page = await openList('/devices');
  await box(page, 0).click();
  await button(page, 'Select all 450').click();
  await said(page, '450 selected').waitFor();
  await box(page, 2).click();
  await box(page, 4).click();
  await said(page, '448 selected').waitFor();
  expect([await box(page, 1).isChecked(), await box(page, 2).isChecked()]).toStrictEqual([true, false]);
  await box(page, 4).click();
  await button(page, 'Tag 449 devices').click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Add tags' }).fill('rest');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Tag 449 devices' }).click();
  await said(page, '449 devices changed.').waitFor();
  expect([await tagsOf(1), await tagsOf(2), await tagsOf(COUNT - 1)]).toStrictEqual([
    ['shop', 'vip', 'rest'],
    ['shop', 'vip'],
    ['vip-lounge', 'rest'],
  ]);
  expect(under.problems()).toStrictEqual([]);
});

test('all matching devices are tagged by keyboard, and the tags are undone', async () => {
  const page = await openList('/devices?q=tags%3Ashop');
  const hasFocus = (name: string) =>
    button(page, name).evaluate((element) => element === element.ownerDocument.activeElement);
  const tabTo = async (name: string) => {
    for (let n = 0; n < 60 && !(await hasFocus(name)); n++) await page.keyboard.press('Shift+Tab');
    expect(await hasFocus(name)).toBe(true);
  };
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await said(page, '3 selected').waitFor();
  await page.keyboard.press('a');
  await said(page, '40 selected').waitFor();
  await page.keyboard.press('t');
  await page.getByRole('dialog').waitFor();
  // The first proposal is marked, so an incomplete word is never taken.
  await page.keyboard.type('vip-l');
  await page.getByRole('option', { name: 'vip-lounge' }).waitFor();
  await page.keyboard.press('Enter');
  await button(page, 'Remove vip-lounge').waitFor();
  for (const _ of ['remove tags', 'cancel', 'tag']) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await said(page, '40 devices changed.').waitFor();
  expect(await tagsOf(39)).toStrictEqual(['shop', 'vip', 'vip-lounge']);
  await page.keyboard.press('Control+z');
  await said(page, 'Undone on 40 devices.').waitFor();
  expect(await tagsOf(39)).toStrictEqual(['shop', 'vip']);
  await tabTo('Export 40 devices');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Export devices' }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a change can be undone for longer than its message is shown, also after a reload', async () => {
  const page = await openList('/devices?q=tags%3Ashop');
  await box(page, 0).click();
  await button(page, 'Set field of 1 device').click();
  const dialog = page.getByRole('dialog', { name: 'Set field of 1 device' });
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Rack');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('R7');
  await page.keyboard.press('Enter');
  await said(page, '1 device changed.').waitFor();
  await page.reload();
  await button(page, 'Recent changes').click();
  await page.getByRole('menuitem', { name: /^Undo: set Rack of 1 device/ }).click();
  await said(page, 'Undone on 1 device.').waitFor();
  await button(page, 'Recent changes').waitFor({ state: 'detached' });
  expect(under.problems()).toStrictEqual([]);
});

test('on a phone the offer to undo does not move the list', async () => {
  const page = await openList('/devices');
  await page.setViewportSize({ width: 360, height: 800 });
  const place = await placeOf(page);
  await box(page, 0).click();
  await button(page, 'Set status of 1 device').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set status of 1 device' }).click();
  await button(page, 'Recent changes').waitFor();
  expect(await placeOf(page)).toStrictEqual(place);
});

test('decommissioning asks first, and again if the number of devices has changed', async () => {
  const page = await openList('/devices?q=tags%3Ashop');
  await box(page, 0).click();
  await button(page, 'Select all 40').click();
  await button(page, 'Set status of 40 devices').click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Status' }).selectOption('Decommissioned');
  const dialog = page.getByRole('dialog', { name: 'Decommission 40 devices' });
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  const [orgId] = under.orgIds as [OrgId];
  const late = aDevice({ orgId, hostname: 'anr-ws-late', tags: ['shop'], status: 'online' });
  await loadFleet(under.composition.backend, [late]);
  await dialog.getByRole('button', { name: 'Decommission 40 devices' }).click();
  await page.getByText('41 devices match now, not 40. Nothing has been changed.').waitFor();
  expect(await statusOf(0)).toBe('online');
  await page.getByRole('dialog').getByRole('button', { name: 'Decommission 41 devices' }).click();
  await said(page, '41 devices changed.').waitFor();
  expect([await statusOf(0), await statusOf(40)]).toStrictEqual(['decommissioned', 'online']);
  await button(page, 'Undo').click();
  await said(page, 'Undone on 41 devices.').waitFor();
  expect(await statusOf(0)).toBe('online');
  await loadFleet(under.composition.backend, [{ ...late, tags: [] }]);
  expect(under.problems()).toStrictEqual([]);
});

test('people who may not change devices are offered only the export', async () => {
  const page = await openList('/devices?q=tags%3Ashop', []);
  await box(page, 0).click();
  await button(page, 'Export 1 device').waitFor();
  const bar = page.getByRole('region', { name: 'Selection' });
  expect(await bar.getByRole('button', { name: /^(Tag|Set)/ }).count()).toBe(0);
  expect(under.problems()).toStrictEqual([]);
});
