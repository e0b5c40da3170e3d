/** The columns of the list of devices: chosen, ordered and sized by pointer and by keys, and remembered. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aCustomField, aDevice, aSite } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

const LONG_USER = `KESTREL\\${'a-very-long-user-name-'.repeat(6)}`;

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds as [OrgId];
  const site = aSite({ orgId, name: 'Warehouse' });
  await loadFleet(under.composition.backend, [
    site,
    aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack', name: 'Rack', type: 'text' }),
    aCustomField({ owner: { kind: 'organization', orgId }, key: 'load', name: 'Load', type: 'number' }),
    aDevice({
      ...{ orgId, siteId: site.id, hostname: '3x0-1', lastUser: LONG_USER, agentVersion: '1.15' },
      hardware: { ...NO_HARDWARE, serialNumber: 'SN-77', model: 'OptiPlex' },
      network: [{ ipAddress: '10.1.2.3', publicIp: null, macAddress: null }],
      software: [{ name: 'Firefox, the browser', version: '147.0' }],
      custom: new Map<string, string | number>([
        ['rack', 'R7'],
        ['load', 1234.56789],
      ]),
      metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 80.8 },
    }),
    aDevice({ orgId, hostname: '3x0-2' }),
  ]);
});

afterAll(() => under.close());

async function openList(path = '/devices', person?: Person) {
  const page = await under.openPage({ width: 1_440, height: 900 });
  await under.signIn(page, person ?? (await under.addPerson()), path);
  await tableOf(page).getByRole('link', { name: '3x0-1' }).waitFor();
  return page;
}

const tableOf = (page: Page) => page.getByRole('table', { name: 'Devices' });
const head = (page: Page, name: string) => tableOf(page).getByRole('columnheader', { name, exact: true });
const edge = (page: Page, name: string) => page.getByRole('separator', { name: `Edge of ${name}` });
const heads = async (page: Page) => (await tableOf(page).getByRole('columnheader').allInnerTexts()).slice(1);
const widthOf = async (locator: Locator) => Math.round((await locator.boundingBox())?.width ?? 0);

async function choose(page: Page, ...names: readonly string[]) {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of names) await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  await page.keyboard.press('Escape');
}

test('columns show more facts about devices, in the order in which they were chosen', async () => {
  const page = await openList();
  await choose(page, 'Serial number', 'Model', 'IP address', 'Agent', 'Site', 'Rack', 'Load');
  const row = tableOf(page).getByRole('row').filter({ hasText: '3x0-1' });
  for (const text of ['SN-77', 'OptiPlex', '10.1.2.3', '1.15', 'Warehouse', 'R7', '1,234.56789']) {
    await row.getByRole('cell', { name: text, exact: true }).waitFor();
  }
  expect((await heads(page)).slice(-7).map((text) => text.trim())).toStrictEqual([
    ...['Serial number', 'Model', 'IP address', 'Agent', 'Site', 'Rack', 'Load'],
  ]);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await row.getByRole('link', { name: '3x0-1' }).click();
  await page.getByRole('main').getByText('1,234.56789').waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a column for the versions of a software title is added by keys', async () => {
  const page = await openList();
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Add a title…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Show versions of a title' });
  await dialog.getByRole('combobox', { name: 'Software' }).waitFor();
  await page.keyboard.type('firefox');
  await dialog.getByRole('option', { name: 'Firefox, the browser' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await head(page, 'Firefox, the browser').waitFor();
  await tableOf(page).getByRole('cell', { name: '147.0', exact: true }).waitFor();
  await page.reload();
  await tableOf(page).getByRole('cell', { name: '147.0', exact: true }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

describe('columns are ordered', () => {
  test('by keys on their edge, which keeps the focus and announces the position', async () => {
    const page = await openList();
    await edge(page, 'User').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByRole('status').getByText('User is column 4 of 9.').waitFor({ state: 'attached' });
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect
      .poll(() => heads(page).then((texts) => texts.slice(0, 4)))
      .toStrictEqual([...[expect.stringContaining('Name'), 'Status', 'User', 'OS']]);
    const isFocused = () => edge(page, 'User').evaluate((one) => one === one.ownerDocument.activeElement);
    await expect.poll(isFocused).toBe(true);
    expect(under.problems()).toStrictEqual([]);
  });

  test('by dragging, which does not sort the list and is remembered until it is reset', async () => {
    const person = await under.addPerson();
    const page = await openList('/devices', person);
    const from = await head(page, 'Disk').boundingBox();
    const to = await head(page, 'OS').boundingBox();
    if (from === null || to === null) throw new Error('a head is missing');
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 10, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await heads(page))[2]).toBe('Disk');
    expect(new URL(page.url()).searchParams.get('sort')).toBeNull();
    await page.goto('/devices');
    await tableOf(page).getByRole('link', { name: '3x0-1' }).waitFor();
    expect((await heads(page))[2]).toBe('Disk');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Reset columns' }).click();
    await expect.poll(async () => (await heads(page))[2]).toBe('OS');
    expect(under.problems()).toStrictEqual([]);
  });
});

describe('columns are sized', () => {
  test('by content, so that the list fills the window and cuts only the widest texts', async () => {
    const page = await openList();
    expect(await widthOf(tableOf(page))).toBe(
      await page.getByRole('region', { name: 'List of devices' }).evaluate(({ clientWidth }) => clientWidth),
    );
    expect(await widthOf(head(page, 'User'))).toBeGreaterThan(await widthOf(head(page, 'Status')));
    await page.setViewportSize({ width: 2_560, height: 900 });
    await expect.poll(() => widthOf(tableOf(page))).toBeGreaterThan(2_200);
    const user = tableOf(page).getByRole('cell', { name: LONG_USER });
    expect(await user.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
    expect(under.problems()).toStrictEqual([]);
  });

  test('by the content of later rows too, once scrolling rests', async () => {
    const orgId = under.orgIds[1] as OrgId;
    const lastUser = 'a-name-of-a-user-that-needs-much-more-room-than-the-others-do';
    await loadFleet(
      under.composition.backend,
      Array.from({ length: 90 }, (_, i) =>
        aDevice({ orgId, hostname: `row-${100 + i}`, lastUser: i === 89 ? lastUser : 'ada' }),
      ),
    );
    const page = await under.openPage({ width: 1_900, height: 900 });
    const everywhere = await under.addPerson({ membership: { scope: 'system' } });
    await under.signIn(page, everywhere, `/devices?org=${orgId}`);
    await tableOf(page).getByRole('link', { name: 'row-100' }).waitFor();
    const before = await widthOf(head(page, 'User'));
    const list = page.getByRole('region', { name: 'List of devices' });
    await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
    const cell = tableOf(page).getByRole('cell', { name: lastUser });
    await expect.poll(() => cell.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    const after = await widthOf(head(page, 'User'));
    expect(after).toBeGreaterThan(before);
    await list.evaluate((one) => one.scrollTo({ top: 0 }));
    await tableOf(page).getByRole('link', { name: 'row-100' }).waitFor();
    expect(await widthOf(head(page, 'User'))).toBe(after);
    expect(under.problems()).toStrictEqual([]);
  });

  test('by mouse and by keys, which is remembered until they are fitted to the content again', async () => {
    const page = await openList();
    const box = await edge(page, 'OS').boundingBox();
    const before = await widthOf(head(page, 'OS'));
    if (box === null) throw new Error('the edge is missing');
    await page.mouse.move(box.x + 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(head(page, 'OS'))).toBe(before + 60);
    await edge(page, 'OS').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf(head(page, 'OS'))).toBe(before + 44);
    expect(await edge(page, 'OS').getAttribute('aria-valuenow')).toBe(String(before + 44));
    await page.reload();
    await expect.poll(() => widthOf(head(page, 'OS'))).toBe(before + 44);
    await edge(page, 'OS').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => widthOf(head(page, 'OS'))).not.toBe(before + 44);
    expect(under.problems()).toStrictEqual([]);
  });

  test('Name and Status stay in place while the list scrolls sideways', async () => {
    const page = await openList();
    await choose(page, 'Serial number', 'Model', 'IP address', 'Tags', 'Attention', 'Display name', 'Role');
    const list = page.getByRole('region', { name: 'List of devices' });
    const places = () =>
      Promise.all(['Name', 'Status'].map(async (name) => (await head(page, name).boundingBox())?.x));
    const before = await places();
    await list.evaluate((scroller) => scroller.scrollTo({ left: 300 }));
    await expect.poll(() => list.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100);
    expect(await places()).toStrictEqual(before);
  });
});

test('the list explains by keys alone, and in view, why a device is missing', async () => {
  const page = await openList('/devices?q=disk%3A%3E80');
  await page.getByRole('button', { name: 'Explain' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Device' }).focus();
  await page.keyboard.type('3x0-2');
  await dialog.getByRole('option', { name: '3x0-2' }).waitFor();
  await page.keyboard.press('Enter');
  const answer = dialog.getByText('3x0-2 does not match because of the conditions with a cross.');
  await answer.waitFor();
  await dialog.getByText('has none').waitFor();
  const { y = 0, height = 0 } = (await answer.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(900);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});

test('text is drawn without glyph substitution, numbers are exact, and cut text is shown whole on focus', async () => {
  const page = await openList('/devices?q=disk%3A%3E80&columns=name,status,disk,user');
  await tableOf(page).getByText('80.8%').waitFor();
  const link = tableOf(page).getByRole('link', { name: '3x0-1' });
  const look = await link.evaluate((element) => {
    const { fontFeatureSettings, fontVariantNumeric } = getComputedStyle(element);
    return { fontFeatureSettings, fontVariantNumeric };
  });
  expect(look.fontFeatureSettings).toContain('"calt" 0');
  expect(look.fontVariantNumeric).toBe('normal');
  const edgeOfUser = edge(page, 'User');
  await edgeOfUser.focus();
  for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('j');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.locator('.floating').getByText(LONG_USER).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a device page asks before decommissioning, and says where missing facts come from', async () => {
  const [orgId] = under.orgIds as [OrgId];
  const device = aDevice({ orgId, hostname: 'old-1' });
  await loadFleet(under.composition.backend, [device]);
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const page = await under.openPageAs(person, { width: 2_560, height: 1_200 });
  await page.goto(`/devices/${device.id}`);
  await page.getByText('— comes with the next inventory').first().waitFor();
  const xs = await page
    .getByRole('region', { name: 'Facts' })
    .getByRole('term')
    .evaluateAll((terms) => new Set(terms.map((term) => term.getBoundingClientRect().x)).size);
  expect(xs).toBe(2);
  const status = async (key: string) => {
    await page.getByRole('button', { name: 'Set status' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Decommissioned, until changed' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Decommission old-1?' });
    await dialog.waitFor();
    if (key === 'Enter') await dialog.getByRole('button', { name: 'Decommission old-1' }).focus();
    await page.keyboard.press(key);
    await dialog.waitFor({ state: 'detached' });
  };
  await status('Escape');
  await page.getByRole('main').getByText('Online', { exact: true }).waitFor();
  await status('Enter');
  await page.getByRole('main').getByText('Decommissioned', { exact: true }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});
