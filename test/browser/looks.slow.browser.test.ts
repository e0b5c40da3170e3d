/** Every place, in each of its looks, and walked by Tab (Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { unseenFocuses } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { EVERY_PATH, type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';
import { aCustomField, aDevice, aFilter, anAlert } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;
let page: Page;
let stranger: Page;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
  page = await under.openPageAs(await places.addAdministrator());
  stranger = await under.openPage();
});

afterAll(() => under.close());

describe.each(EVERY_PATH)('%s', (path) => {
  test('is accessible, is as wide as the window, and shows where the focus is', async () => {
    const here = ['/login', '/invitation', '/reset-password'].includes(path) ? stranger : page;
    const { address, shows } = places.visits[path];
    await here.goto(address);
    await here.getByRole('heading', { level: 1 }).waitFor();
    await shows(here).waitFor();
    expect(await here.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await faultsInEveryLook(here)).toStrictEqual([]);
    const { unseen, steps } = await unseenFocuses(here);
    expect(unseen).toStrictEqual([]);
    expect(steps).toBeGreaterThan(2);
    expect(under.problems()).toStrictEqual([]);
  });
});

test.each([
  ...['/filters', '/devices/duplicates', '/admin/account-deletion-requests', '/admin/identity-providers'],
  ...['/organizations', '/devices', '/alerts', '/scripts', '/patches', '/people', '/admin/audit-log'],
] as const)('%s uses a large window', async (path) => {
  await page.setViewportSize({ width: 2_560, height: 1_300 });
  const { address, shows } = places.visits[path];
  await page.goto(address);
  await shows(page).waitFor();
  const frame = page.getByRole('main').getByRole('table').first();
  expect((await frame.boundingBox())?.width).toBeGreaterThan(2_200);
});

test('a name in the list of filters is cut only where there is no room', async () => {
  const [orgId] = under.orgIds as [OrgId];
  const { record } = await places.addAdministrator();
  const name =
    'Windows machines of the warehouses that have not been restarted since the last patch day, but should';
  await loadFleet(under.composition.backend, [aFilter({ orgId, createdBy: record.id, name })]);
  const link = page.getByRole('table').getByRole('link', { name });
  const isCut = () =>
    link.evaluate((one) => {
      const cell = one.closest('td') as HTMLElement;
      return cell.scrollWidth > cell.clientWidth;
    });
  await page.setViewportSize({ width: 2_560, height: 1_300 });
  await page.goto('/filters');
  await link.waitFor();
  expect(await isCut()).toBe(false);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect.poll(isCut).toBe(true);
  await page.getByRole('searchbox').focus();
  // Who uses the keyboard reads the whole name below the cell.
  for (
    let step = 0;
    step < 40 && !(await link.evaluate((one) => one === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await page.getByText(name, { exact: true }).nth(1).waitFor();
});

test('names that cannot be broken make no page wider', async () => {
  const [orgId] = under.orgIds as [OrgId];
  const name = 'Donaudampfschifffahrt'.repeat(10);
  const device = aDevice({ orgId, hostname: name, displayName: `Name${name}`, tags: [name.slice(0, 64)] });
  const { record } = await places.addAdministrator();
  const filter = aFilter({ orgId, createdBy: record.id, name: name.slice(0, 200) });
  await loadFleet(under.composition.backend, [
    device,
    anAlert({ orgId, deviceId: device.id, title: name, message: name }),
    aCustomField({ owner: { kind: 'organization', orgId }, key: 'long', name: name.slice(0, 60) }),
    filter,
  ]);
  await page.setViewportSize({ width: 320, height: 640 });
  const wide: string[] = [];
  for (const [tab, text] of [
    ['overview', 'Needs attention'],
    ['alerts', name],
    ['filters', name.slice(0, 200)],
  ] as const) {
    await page.goto(`/devices/${device.id}?tab=${tab}`);
    await page.getByRole('tabpanel').getByText(text).first().waitFor();
    const found = await page
      .getByRole('main')
      .locator('*:not([role="tablist"] *)')
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
          .map(({ tagName, className }) => `${tagName} ${className}`),
      );
    wide.push(...found.map((one) => `${tab}: ${one}`));
  }
  expect(wide).toStrictEqual([]);
  for (const place of [`/devices/${device.id}`, `/filters/${filter.id}`]) {
    await page.goto(place);
    await page.getByText(name.slice(0, 60)).filter({ visible: true }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
  await page.goto('/filters');
  // Filters of several organizations may share a name.
  const row = page.getByRole('row').filter({ hasText: name.slice(0, 200) });
  await row.getByText('Arden Manufacturing').filter({ visible: true }).waitFor();
  const menu = await page.getByRole('button', { name: `Actions for ${name.slice(0, 200)}` }).boundingBox();
  expect((menu?.x ?? 320) + (menu?.width ?? 0)).toBeLessThan(320);
});

test('right-to-left names are cut at their end, not at their beginning', async () => {
  const [orgId] = under.orgIds as [OrgId];
  const name = 'شركة النخيل للتقنية المحدودة '.repeat(4).trim();
  const { record } = await places.addAdministrator();
  await loadFleet(under.composition.backend, [
    aDevice({ orgId, hostname: 'rtl-1', lastUser: name, displayName: name }),
    aFilter({ orgId, createdBy: record.id, name }),
  ]);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const address of ['/devices?q=host%3Artl-1', '/filters']) {
    await page.goto(address);
    const cells = page.getByRole('cell').filter({ hasText: name });
    await cells.first().waitFor();
    const isBeginningSeen = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() as Text;
        const first = document.createRange();
        first.setStart(text, 0);
        first.setEnd(text, 1);
        const { left, right } = first.getBoundingClientRect();
        const within = cell.getBoundingClientRect();
        return left >= within.left && right <= within.right;
      }),
    );
    expect(isBeginningSeen).not.toContain(false);
    expect(isBeginningSeen.length).toBeGreaterThan(0);
  }
});

test('the current page is marked even where colors are forced', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/settings/profile');
  const nav = page.getByRole('main').getByRole('link', { name: /^(?:Profile|Security)$/ });
  await nav.first().waitFor();
  const lines = await nav.evaluateAll((links) =>
    links.map((link) => getComputedStyle(link).borderBottomColor),
  );
  expect(new Set(lines).size).toBe(2);
  const chosen = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' });
  expect(await chosen.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('none');
  await page.goto('/');
  await page.locator('nav [aria-current="page"]').first().waitFor();
  expect(await chosen.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
  await page.emulateMedia({ forcedColors: null });
});
