/** Printed pages show their content, black on white, and nothing else of the console. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const COUNT = 250;

let under: ConsoleUnderTest;
let deviceId: string;

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds as [OrgId];
  const devices = Array.from({ length: COUNT }, (_, i) =>
    aDevice({
      orgId,
      hostname: `anr-ws-${String(i).padStart(4, '0')}`,
      lastUser: 'FRANCONIA\\vonundzuliechtenstein',
      tags: i < 70 ? ['vip'] : [],
    }),
  );
  deviceId = devices[0]?.id ?? '';
  await loadFleet(under.composition.backend, devices);
});

afterAll(() => under.close());

/** Opens a dark console, and tells it that the browser is about to print. */
async function taken(path: string): Promise<Page> {
  const page = await under.openPageAs(await under.addPerson({ permissions: ['devices:write'] }), {
    theme: 'dark',
  });
  await page.goto(path);
  await page.getByRole('main').getByText('anr-ws-0000').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  return page;
}

/** Opens the page in its print layout, for A4 with the usual margins. */
async function printed(path: string): Promise<Page> {
  const page = await taken(path);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1047 });
  return page;
}

/** The visible elements that are useless on paper. */
function useless(page: Page): Promise<readonly string[]> {
  return page
    .locator(
      'nav, [role="banner"], header:has(nav), button:not(th button), input:not([value]), input[value=""]',
    )
    .evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80)),
    );
}

test('a printed device list is complete, fits the paper, and repeats its headers on every sheet', async () => {
  const page = await printed('/devices?q=tags%3Avip');
  const table = page.getByRole('table', { name: 'Devices' });
  expect(await table.getByRole('row').count()).toBe(71);
  expect(await useless(page)).toStrictEqual([]);
  const looks = await table.evaluate((element) => {
    const color = (one: Element | null) => (one === null ? '' : getComputedStyle(one).color);
    return {
      right: element.getBoundingClientRect().right <= document.documentElement.clientWidth,
      isClipped: [...element.querySelectorAll('td')].some((cell) => cell.scrollWidth > cell.offsetWidth),
      head: getComputedStyle(element.querySelector('thead') as Element).display,
      sticky: getComputedStyle(element.querySelector('th') as Element).position,
      color: color(element.querySelector('td a')),
    };
  });
  expect(looks).toStrictEqual({
    right: true,
    isClipped: false,
    head: 'table-header-group',
    sticky: 'static',
    color: 'rgb(0, 0, 0)',
  });
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(71);
  expect(under.problems()).toStrictEqual([]);
});

test('a printed list that is not fully loaded says which part it shows', async () => {
  const page = await taken('/devices');
  await page.getByText('1 to 100 of 250 devices').waitFor();
  expect(await page.getByRole('table', { name: 'Devices' }).getByRole('row').count()).toBe(101);
});

test('a printed device page shows its name and only the open tab', async () => {
  const page = await printed(`/devices/${deviceId}`);
  await page.getByRole('heading', { name: 'anr-ws-0000', level: 1 }).waitFor();
  expect(await useless(page)).toStrictEqual([]);
  const tabs = await page
    .locator('[role="tab"]')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility()));
  expect(tabs).toHaveLength(1);
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(background).toBe('rgba(0, 0, 0, 0)');
});
