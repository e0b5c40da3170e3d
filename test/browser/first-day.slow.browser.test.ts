/** A technician's first day, from finding devices to the change of a filter in the audit log, by mouse and by keys. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { reachByKeys } from '#test/support/browser/check-focus.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aCall, aDevice, anAlert, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const FORTY = 40;
const TILLS = 'host:till-*';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
  const [orgId] = under.orgIds as [OrgId];
  const tills = Array.from({ length: FORTY }, (_, i) =>
    aDevice({ orgId, hostname: `till-${String(i).padStart(2, '0')}`, status: 'online' }),
  );
  const others = [1, 2, 3].map((i) => aDevice({ orgId, hostname: `office-${i}` }));
  const alerts = ['mouse', 'keys'].map((hand) => anAlert({ orgId, title: `Fan of the ${hand} has stopped` }));
  await loadFleet(under.composition.backend, [...tills, ...others, ...alerts]);
  const author = await under.addPerson({ name: 'Mara Ellingsen' });
  const { filters } = under.composition;
  const call = aCall({ userId: author.record.id });
  const made = await filters.createFilter(call, {
    ...{ name: 'Disk almost full', description: null, conditions: ONLINE_CONDITIONS, orgId, partnerId: null },
  });
  if (!made.ok) throw new Error(made.error.detail);
  await filters.updateFilter(call, made.value.id, { description: 'Changed' }, { kind: 'none' });
});
afterAll(() => under.close());

/** How a person reaches a control and uses it. */
interface Hand {
  use(target: Locator, isBefore?: boolean): Promise<void>;
  /** Types into a field. */
  write(target: Locator, text: string): Promise<void>;
  go(link: string, chord: string): Promise<void>;
  selectForty(): Promise<void>;
}

function mouseOn(page: Page): Hand {
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  return {
    use: (target) => target.click(),
    async write(target, text) {
      await target.click();
      await page.keyboard.type(text);
    },
    go: (link) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click(),
    async selectForty() {
      await box('till-00').click();
      await page
        .getByRole('region', { name: 'List of devices' })
        .evaluate((list) => list.scrollTo(0, list.scrollHeight));
      await box('till-39').click({ modifiers: ['Shift'] });
    },
  };
}

function keysOn(page: Page): Hand {
  return {
    async use(target, isBefore = false) {
      await reachByKeys(target, isBefore ? 'Shift+Tab' : 'Tab');
      await page.keyboard.press('Enter');
    },
    async write(target, text) {
      await reachByKeys(target);
      await page.keyboard.type(text);
    },
    async go(_link, chord) {
      for (const key of chord) await page.keyboard.press(key);
    },
    async selectForty() {
      // Esc moves the focus from the filter to the list.
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('a');
    },
  };
}

test.each([
  ['mouse', mouseOn],
  ['keys', keysOn],
] as const)('a technician does the work of a first day by %s', async (name, handOn) => {
  const person = await under.addPerson({ permissions: ['devices:write', 'users:write'] });
  const page = await under.openPageAs(person);
  await page.goto('/');
  const hand = handOn(page);
  const button = (label: string | RegExp) => page.getByRole('button', { name: label, exact: true });
  const dialog = page.getByRole('dialog');
  const said = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();

  // Find.
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await hand.go('Devices & Assets', 'gd');
  await said('43 devices');
  const filter = page.getByRole('textbox', { name: 'Filter devices' });
  if (name === 'keys') await page.keyboard.press('/');
  await hand.write(filter, TILLS);
  await page.keyboard.press('Enter');
  await said('40 devices');

  // Save.
  await page.keyboard.press('Escape');
  await hand.use(button('Save as filter'), true);
  await hand.write(dialog.getByLabel('Name', { exact: true }), `Tills of the ${name}`);
  await hand.use(dialog.getByRole('button', { name: 'Save' }));
  await dialog.getByText(`“Tills of the ${name}” saved.`).waitFor();
  await hand.use(dialog.getByRole('button', { name: 'Close' }));
  await dialog.waitFor({ state: 'detached' });

  // Tag forty machines.
  await hand.selectForty();
  await said('40 selected');
  await hand.use(button('Tag 40 devices'), true);
  await hand.write(dialog.getByRole('combobox', { name: 'Add tags' }), `by-${name}`);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: `Remove by-${name}` }).waitFor();
  await hand.use(dialog.getByRole('button', { name: 'Tag 40 devices' }));
  await page.getByRole('status').getByText('40 devices changed.').waitFor();

  // Export them.
  await hand.use(button('Export 40 devices'), true);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    hand.use(dialog.getByRole('button', { name: 'Export 40 devices' })),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(FORTY + 1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(lines[FORTY]).toContain('till-39');

  // Acknowledge an alert.
  await hand.go('Alerts', 'ga');
  const title = `Fan of the ${name} has stopped`;
  const row = page.getByRole('row').filter({ hasText: title });
  await hand.use(row.getByRole('button', { name: 'Acknowledge' }));
  await page.getByText(`“${title}” acknowledged.`).waitFor();
  await row.getByText('Acknowledged').waitFor();

  // Find out who changed a filter.
  if (name === 'mouse') await hand.go('Audit log', '');
  else {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('audit log');
    await page.getByRole('option', { name: 'Audit log' }).first().waitFor();
    await page.keyboard.press('Enter');
  }
  await hand.write(page.getByLabel('Actor'), 'ellingsen');
  await page.keyboard.press('Enter');
  const entry = page
    .getByRole('table', { name: 'Audit log' })
    .getByRole('row')
    .filter({ hasText: 'Mara Ellingsen changed the filter Disk almost full' });
  await entry.waitFor();
  expect(under.problems()).toStrictEqual([]);
});
