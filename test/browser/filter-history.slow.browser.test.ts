/** The versions of a filter: who changed what, the difference of two as a tree, and going back (Contract: §18). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aDevice, aFilter, aSubscription, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});
afterAll(() => under.close());
afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

const windows = { field: 'osType', operator: 'equals', value: 'windows' } as const;
const full = { field: 'metrics.diskPercent', operator: 'greaterThan', value: 90 } as const;
const anyRole = (...values: readonly string[]) =>
  ({
    operator: 'OR',
    conditions: values.map((value) => ({ field: 'deviceRole', operator: 'equals', value })),
  }) as const;

test('an earlier version is found by what changed, compared as a tree and restored by keys', async () => {
  const person = await under.addPerson();
  const [orgId] = under.orgIds as [OrgId];
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Nearly full' });
  const load = (name: string, ...conditions: readonly object[]) =>
    loadFleet(under.composition.backend, [
      { ...filter, name, conditions: { operator: 'AND', conditions } as never },
    ]);
  await load('Nearly full', windows, full, anyRole('server', 'printer'));
  await load('Nearly full', full, windows, anyRole('server', 'workstation'));
  await load('Full', full, anyRole('server', 'workstation'));
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  await page.getByRole('tab', { name: 'Builder' }).focus();
  for (const _ of ['Text', 'JSON', 'Live', 'History']) await page.keyboard.press('ArrowRight');
  const version = (number: number) => page.getByRole('button', { name: `Version ${number}`, exact: true });
  await page.getByText(/Name, Conditions/).waitFor();
  await page.getByText('Current version').waitFor();
  await version(2).focus();
  await page.keyboard.press('Enter');
  const tree = page.getByRole('list', { name: 'Difference of the conditions' });
  expect(
    (await tree.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
  ).toStrictEqual([
    'All of',
    'Disk (%) is greater than 90',
    'OS Type is windows',
    'Any of',
    'Device Role is server',
    '+ Device Role is workstation',
    '− Device Role is printer',
  ]);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('combobox', { name: 'Compared with' }).selectOption('Version 3');
  await tree.getByText('OS Type is windows').waitFor();
  await page.getByRole('deletion').getByText('Full', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Restore version 1' }).focus();
  await page.keyboard.press('Enter');
  await version(4).waitFor();
  await page.getByRole('heading', { name: 'Nearly full', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Text' }).click();
  const text = page.getByRole('textbox', { name: 'Filter as text' });
  expect(await text.inputValue()).toBe('os:windows disk:>90 (role:server OR role:printer)');
});

test('an unsaved change shows how many devices would enter and leave, and who uses the filter', async () => {
  const person = await under.addPerson();
  const [orgId] = under.orgIds as [OrgId];
  const filter = aFilter({
    orgId,
    createdBy: person.record.id,
    conditions: { operator: 'AND', conditions: [windows] },
  });
  const device = (hostname: string, osType: 'windows' | 'linux') => aDevice({ orgId, hostname, osType });
  const outer = aFilter({
    orgId,
    createdBy: person.record.id,
    name: 'Names it',
    conditions: { operator: 'AND', conditions: [{ field: 'filter', operator: 'equals', value: filter.id }] },
  });
  await loadFleet(under.composition.backend, [
    ...[filter, outer, device('out-1', 'windows'), device('out-2', 'windows'), device('in-1', 'linux')],
  ]);
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const name of ['Patch ring', 'Report']) {
      await tx.subscriptions.add(aSubscription({ filterId: filter.id, orgId, name }));
    }
  });
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  await page.getByText('Matching devices').first().waitFor();
  expect(await page.getByText(/^Saving/).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Value' }).selectOption('linux');
  await page.getByText('Saving: +1, −2 devices · 2 subscriptions · 1 filter').click();
  await page.getByText('Entering: in-1').waitFor();
  await page.getByText('Leaving: out-1, out-2').waitFor();
  expect(await page.getByRole('link', { name: 'out-2' }).getAttribute('href')).toMatch(/^\/devices\//);
  await page.getByText(/^Used by .*Names it/).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  await page.getByText(/^Saving/).waitFor({ state: 'detached' });
});

test('a guard stops a change, and later a restore, until the numbers are confirmed', async () => {
  const person = await under.addPerson();
  const [orgId] = under.orgIds as [OrgId];
  const conditions = { operator: 'AND', conditions: [windows] } as const;
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Guarded', conditions });
  const device = (hostname: string, osType: 'windows' | 'linux') => aDevice({ orgId, hostname, osType });
  await loadFleet(under.composition.backend, [
    ...[filter, device('guarded-1', 'windows'), device('guarded-2', 'linux')],
  ]);
  const guard = aSubscription({ filterId: filter.id, orgId, name: 'Rollout', guard: { devices: 1 } });
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.subscriptions.add(guard));
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}?tab=used`);
  await page.getByRole('link', { name: 'Rollout' }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.getByRole('combobox', { name: 'Value' }).selectOption('linux');
  await page.getByText(/^Saving: /).waitFor();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'A guard stops this change' });
  await dialog.getByRole('link', { name: 'guarded-2' }).waitFor();
  await dialog.getByText('Used by Rollout.').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('Unsaved changes').waitFor();

  await save.click();
  await dialog.waitFor();
  await loadFleet(under.composition.backend, [device('guarded-3', 'linux')]);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await dialog.getByText('The numbers have changed since you confirmed.').waitFor();
  await dialog.getByRole('link', { name: 'guarded-3' }).waitFor();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await dialog.getByRole('button', { name: 'Restore anyway' }).click();
  await page.getByRole('button', { name: 'Version 3', exact: true }).waitFor();
});

test('no version can be restored before unsaved changes are saved', async () => {
  const person = await under.addPerson();
  const [orgId] = under.orgIds as [OrgId];
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'One' });
  await loadFleet(under.composition.backend, [filter]);
  await loadFleet(under.composition.backend, [{ ...filter, name: 'Two' }]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  await page.getByLabel('Name').fill('Three');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Save or discard your changes before you restore a version.').waitFor();
  expect(await page.getByRole('button', { name: 'Restore version 1' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Version 3', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Restore version 1' }).isEnabled()).toBe(true);
});
