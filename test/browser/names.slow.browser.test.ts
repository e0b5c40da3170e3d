/** Names in the audit log and the palette, and handling alerts by mouse (Contract: §6, §8, §10). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';
import { aCall, aDevice, anAlert, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;
let page: Page;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
});
afterAll(() => under.close());
afterEach(() => expect(under.problems()).toStrictEqual([]));

const open = async (address: string, name?: string) => {
  page = await under.openPageAs(await places.addAdministrator(name));
  await goTo(address);
};
const goTo = async (address: string) => {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const search = (text: string) => page.getByRole('combobox', { name: 'Search' }).fill(text);

test('the audit log says who changed which filter, and links to it', async () => {
  const author = await places.addAdministrator('Mara Ellingsen');
  const call = aCall({ userId: author.record.id });
  const { filters } = under.composition;
  const input = {
    name: 'Disk nearly full',
    description: null,
    conditions: ONLINE_CONDITIONS,
    orgId: under.orgIds[0],
    partnerId: null,
  };
  const made = await filters.createFilter(call, input);
  if (!made.ok) throw new Error(made.error.detail);
  const { id } = made.value;
  await filters.updateFilter(call, id, { description: 'Changed' }, { kind: 'none' });
  await filters.updateFilter(
    aCall({ userId: author.record.id }),
    author.record.id as never,
    {},
    { kind: 'none' },
  );

  await open('/admin/audit-log');
  const table = page.getByRole('table', { name: 'Audit log' });
  const changed = table
    .getByRole('row')
    .filter({ hasText: 'Mara Ellingsen changed the filter Disk nearly full' });
  await changed.waitFor();
  await table
    .getByRole('row')
    .filter({ hasText: 'Mara Ellingsen tried to change the filter' })
    .getByText('Denied')
    .waitFor();
  expect(await changed.getByText('filter.update').isVisible()).toBe(false);
  await changed.getByText('Details').click();
  await changed.getByText('filter.update').waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByLabel('Result').selectOption('Denied or not finished');
  await changed.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await changed.getByRole('link', { name: 'Mara Ellingsen' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('actorId')).toBe(author.record.id);
  await changed.getByRole('link', { name: 'Disk nearly full' }).click();
  await page.waitForURL(`**/filters/${id}`);
  await page.getByText('Created by Mara Ellingsen').waitFor();
  await page.goto('/filters?search=nearly');
  await page.getByRole('cell', { name: 'Mara Ellingsen' }).waitFor();
});

test('an alert is acknowledged in the list, and resolved on its page, each with undo', async () => {
  const [orgId] = under.orgIds as [OrgId, OrgId];
  const alert = anAlert({ orgId, title: 'Door is open' });
  await loadFleet(under.composition.backend, [alert]);
  await open('/alerts?search=door');
  const row = page.getByRole('row').filter({ hasText: 'Door is open' });
  await row.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('“Door is open” acknowledged.').waitFor();
  await row.getByText('Acknowledged').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Active').waitFor();
  await row.getByRole('link', { name: 'Door is open' }).click();
  await page.waitForURL(`**/alerts/${alert.id}**`);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Resolved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.goto('/alerts/nonsense');
  await page.getByText('This alert does not exist').waitFor();
});

test('palette rows name the organization, and stay within the chosen one', async () => {
  const [one, two] = under.orgIds as [OrgId, OrgId];
  await loadFleet(
    under.composition.backend,
    [one, two].map((orgId) => aDevice({ orgId, hostname: 'localhost' })),
  );
  await open('/');
  await page.keyboard.press('Control+k');
  await search('localhost');
  const rows = page.getByRole('group', { name: 'Devices' }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(2);
  const [first, second] = await rows.allInnerTexts();
  expect(first).not.toBe(second);
  await goTo(`/?org=${two}`);
  await page.keyboard.press('Control+k');
  await search('localhost');
  await expect.poll(() => rows.count()).toBe(1);
  // Recent devices stay within the organization, too.
  await rows.first().click();
  await page.getByRole('heading', { name: 'localhost', level: 1 }).waitFor();
  const recent = page.getByRole('group', { name: 'Recent devices' }).getByRole('option');
  for (const [org, count] of [
    [two, 1],
    [one, 0],
  ] as const) {
    await goTo(`/?org=${org}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Quick actions' }).waitFor();
    await expect.poll(() => recent.count()).toBe(count);
  }
});

test('"Export devices" opens the export of the current list', async () => {
  await open('/devices?q=os%3Alinux');
  await page.getByText('30 devices', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await search('>export');
  await page.getByRole('option', { name: 'Export devices' }).click();
  const dialog = page.getByRole('dialog', { name: /Export/ });
  await dialog.waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('os:linux');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('dialog')).toBe(false);
});

test('a button fixes a comparison without its colon', async () => {
  await open('/devices');
  await page.getByRole('textbox', { name: 'Filter devices' }).fill('os:linux cpu>90');
  await page.getByRole('button', { name: /cpu:>90/ }).click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Filter devices' }).inputValue())
    .toBe('os:linux cpu:>90');
});
