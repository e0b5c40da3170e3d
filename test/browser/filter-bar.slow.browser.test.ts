/** The filter bar during typing, mostly by keyboard alone (Contract: §11, §14). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds as [OrgId];
  const devices = Array.from({ length: 30 }, (_, i) =>
    aDevice({
      orgId,
      hostname: `anr-ws-${i}`,
      status: i < 10 ? 'offline' : 'online',
      osType: i < 12 ? 'windows' : 'linux',
      tags: i < 5 ? ['finance'] : [],
    }),
  );
  await loadFleet(under.composition.backend, [...devices, aDevice({ orgId, hostname: 'patch-panel' })]);
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

const SHOWN_STILL = 'Showing results for the last valid filter.';

async function openBar(path = '/devices', count = '31 devices'): Promise<Page> {
  const page = await under.openPageAs(await under.addPerson({ permissions: ['devices:write'] }));
  await page.goto(path);
  await countOf(page, count).waitFor();
  await page.keyboard.press('/');
  await page.locator(':focus').and(filterOf(page)).waitFor();
  return page;
}

const filterOf = (page: Page) => page.getByRole('textbox', { name: 'Filter devices' });
const countOf = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
const option = (page: Page, name: string | RegExp, isMarked = false) =>
  page.getByRole('option', { name, ...(isMarked && { selected: true }) });
const queryOf = (page: Page) => new URL(page.url()).searchParams.get('q')?.trim() ?? null;

test('an empty bar proposes common filters, and Tab moves past them', async () => {
  const page = await openBar();
  for (const name of [/^status:offline/, /^disk:>90/, /^seen:>7d/, /^patches.pending:yes/]) {
    await option(page, name).waitFor();
  }
  await page.keyboard.press('Tab');
  await option(page, /^status:offline/).waitFor({ state: 'detached' });
  expect(await filterOf(page).inputValue()).toBe('');
  await page.keyboard.press('Shift+Tab');
  await option(page, /^status:offline/).waitFor();
  await page.keyboard.press('ArrowDown');
  await option(page, /^status:offline/, true).waitFor();
  await page.keyboard.press('Enter');
  await countOf(page, '10 devices').waitFor();
  await expect.poll(() => queryOf(page)).toBe('status:offline');
});

describe('an incomplete word', () => {
  test('is not taken for a name: the list stays, and Enter takes the marked proposal', async () => {
    const page = await openBar();
    await page.keyboard.type('patch');
    await option(page, /^patches\.pending:/, true).waitFor();
    await page.getByText(SHOWN_STILL, { exact: false }).waitFor();
    await countOf(page, '31 devices').waitFor();
    expect(queryOf(page)).toBeNull();
    await page.keyboard.press('Enter');
    await option(page, 'yes').waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe('patches.pending:');
  });

  test('is searched for as a name if the person chooses to', async () => {
    const page = await openBar();
    await page.keyboard.type('patch');
    await option(page, /^patches\.pending:/, true).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'patch: did you mean patches.pending:?' }).waitFor();
    await page.getByText(SHOWN_STILL, { exact: false }).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await page.getByRole('button', { name: 'Search names for “patch”' }).focus();
    // Leaving the bar does not search for an incomplete word either.
    expect(queryOf(page)).toBeNull();
    await page.keyboard.press('Enter');
    await countOf(page, '1 device').waitFor();
    expect(queryOf(page)).toBe('"patch"');
  });

  test('is never taken for a tag, however fast Enter follows', async () => {
    const page = await openBar();
    await page.route('**/api/v1/filters/complete*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.keyboard.type('tags:fi');
    await page.keyboard.press('Enter');
    await countOf(page, '5 devices').waitFor();
    await expect.poll(() => queryOf(page)).toBe('tags:finance');
  });

  test('is an error as a value, and the bar offers a fix', async () => {
    const page = await openBar();
    await page.keyboard.type('status:onl');
    await page.getByRole('alert').getByText('Did you mean online?').waitFor();
    await countOf(page, '31 devices').waitFor();
    await page.getByText(SHOWN_STILL, { exact: false }).waitFor();
    expect(await page.locator('mark').allInnerTexts()).toStrictEqual(['onl']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use online' }).focus();
    await page.keyboard.press('Enter');
    await countOf(page, '21 devices').waitFor();
  });

  test('is no condition of a new filter unless the person quotes it', async () => {
    const page = await under.openPageAs(await under.addPerson());
    await page.goto('/filters/new?tab=text');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.focus();
    await page.keyboard.type('status:online patch');
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('“patch” begins a field.').waitFor();
    await page.getByRole('tab', { name: 'Builder' }).click();
    await page.getByText('The text has an error and is not applied yet.', { exact: false }).waitFor();
    expect(await page.getByText('patch', { exact: true }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('button', { name: 'Use "patch"' }).click();
    await page.getByRole('tab', { name: 'Builder' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('textbox', { name: 'Value' })
          .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)),
      )
      .toContain('patch');
  });
});

test('in a narrow window an error does not move the list, and its fixes are visible', async () => {
  const page = await openBar('/devices?q=os%3Awindows%20status%3Aonline', '2 devices');
  await page.setViewportSize({ width: 360, height: 740 });
  const place = () => page.getByRole('table', { name: 'Devices' }).boundingBox();
  const before = await place();
  await page.keyboard.press('End');
  await page.keyboard.type(' and cpu>90 and disk:many');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByRole('button').first().waitFor();
  expect(await place()).toStrictEqual(before);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
});

test('an unreadable filter in the address is reported, with a button to show all devices', async () => {
  const page = await under.openPageAs(await under.addPerson());
  await page.goto('/devices?q=status%3Aonl');
  await page.getByRole('alert').getByText('Did you mean online?').waitFor();
  await page.getByRole('heading', { name: 'This filter cannot be read' }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Show all devices' }).focus();
  await page.keyboard.press('Enter');
  await countOf(page, '31 devices').waitFor();
  expect(queryOf(page)).toBeNull();
});

test('a word that is also a value searches names, and one request counts the offered value', async () => {
  const page = await openBar();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/devices/query')) asked.push(request.postData() ?? '');
  });
  await page.keyboard.type('windows');
  const hint = page.getByRole('button', { name: 'windows: did you mean os:windows? 12 devices' });
  await hint.waitFor();
  await countOf(page, '0 devices').waitFor();
  expect(asked.filter((body) => body.includes('os:windows'))).toHaveLength(1);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await hint.focus();
  await page.keyboard.press('Enter');
  await countOf(page, '12 devices').waitFor();
  expect(queryOf(page)).toBe('os:windows');
});

test('a device page proposes existing tags, and also takes a new one', async () => {
  const page = await openBar();
  await page.goto('/devices?q=host%3A%3Danr-ws-29');
  await page.getByRole('link', { name: 'anr-ws-29' }).click();
  const tag = page.getByRole('combobox', { name: 'Add a tag' });
  await tag.focus();
  await page.keyboard.type('fi');
  await option(page, /^finance/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove the tag finance' }).waitFor();
  await page.keyboard.type('fin');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove the tag fin', exact: true }).waitFor();
  expect(await tag.inputValue()).toBe('');
});
