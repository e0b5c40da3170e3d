/** The page of the API in a real browser (Contract: §15). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

test('the API page finds routes by words, and counts them', async () => {
  const page = await under.openPage();
  await page.goto('/docs');
  const shown = page.locator('section.operation:visible');
  const all = await shown.count();
  await page.getByLabel('Search the routes').fill('custom-fields patch');
  expect(await shown.count()).toBe(1);
  expect(await page.locator('nav li:visible a[href="#updateCustomField"]').count()).toBe(1);
  await expect(page.getByRole('status').textContent()).resolves.toBe(`1 of ${all} routes`);
  await page.getByLabel('Search the routes').fill('');
  expect(await shown.count()).toBe(all);
  expect(under.problems()).toStrictEqual([]);
});

test('a link on the API page opens its target', async () => {
  const page = await under.openPage();
  await page.goto('/docs');
  const details = page.locator('#previewConditions details');
  expect(await details.getAttribute('open')).toBeNull();
  await page.getByRole('link', { name: 'Preview conditions' }).click();
  await page.locator('#previewConditions details[open]').waitFor();
  await page.getByRole('link', { name: 'ConditionGroup' }).first().click();
  expect(new URL(page.url()).hash).toBe('#schema-ConditionGroup');
});

test.each(['light', 'dark'] as const)('the API page is accessible in the %s theme', async (theme) => {
  const page = await under.openPage({ theme });
  await page.goto('/docs#exportDevices');
  await page.locator('#exportDevices details[open]').waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});
