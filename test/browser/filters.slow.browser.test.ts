/** Saved filters in the console: building, writing, saving, finding and deleting them (Contract: §14). */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FILTERS_PER_ORGANIZATION } from '#domain/limits.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aDevice, aFilter, anOrganization, aPartner, aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let person: Person;

beforeAll(async () => {
  under = await openConsole();
  person = await under.addPerson();
  const [orgId] = under.orgIds;
  if (orgId === undefined) throw new Error('the console under test has no organization');
  await loadFleet(under.composition.backend, [
    aDevice({ orgId, hostname: 'ANR-WS-0001', osType: 'windows', tags: ['vip'] }),
    aDevice({ orgId, hostname: 'ANR-WS-0002', osType: 'windows', status: 'offline' }),
    aDevice({ orgId, hostname: 'ANR-SRV-0003', osType: 'linux', tags: ['vip', 'finance'] }),
  ]);
});

afterAll(() => under.close());

/** Opens the path as the person. */
async function openAt(path: string, width = 1440): Promise<Page> {
  const page = await under.openPage({ width });
  await under.signIn(page, person, path);
  return page;
}

/** Stores a filter of the person without the API. */
async function saveFilter(name: string, conditions: unknown): Promise<string> {
  const { id: createdBy } = person.record;
  const filter = aFilter({
    orgId: under.orgIds[0] as (typeof under.orgIds)[number],
    createdBy,
    name,
    conditions: conditions as never,
  });
  await loadFleet(under.composition.backend, [filter]);
  return filter.id;
}

const WINDOWS = {
  operator: 'AND',
  conditions: [{ field: 'osType', operator: 'equals', value: 'windows' }],
};

function counted(page: Page, text: string): Promise<void> {
  return page.getByRole('status').filter({ hasText: text }).waitFor();
}

test('a filter is built by keyboard, shows its count meanwhile, and is saved at its own address', async () => {
  const page = await openAt('/filters/new');
  await page.getByLabel('Name').fill('VIPs on Windows');
  await page.getByRole('combobox', { name: 'Field' }).focus();
  await page.keyboard.type('ostype');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('equals');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('windows');
  await counted(page, '2 devices');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.keyboard.type('Tags');
  await page.keyboard.press('Enter');
  await page.getByText('1 condition is incomplete').waitFor();
  await page.getByRole('combobox', { name: 'Value' }).last().fill('vip');
  await page.keyboard.press('Enter');
  await counted(page, '1 device');
  await page.getByRole('table', { name: 'Matching devices' }).getByText('ANR-WS-0001').waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);

  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/filters\/[0-9a-f-]{36}$/);
  await counted(page, 'Saved.');
  await page.reload();
  await page.getByRole('heading', { name: 'VIPs on Windows', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Text' }).click();
  expect(await page.getByLabel('Filter as text').inputValue()).toBe('os:windows tags:vip');
  expect(under.problems()).toStrictEqual([]);
});

describe('a filter of all organizations of a partner', () => {
  const partner = aPartner({ name: 'Fjord IT' });
  const organizations = [1, 2].map((n) => anOrganization({ partnerId: partner.id, name: `Customer ${n}` }));

  beforeAll(() =>
    loadFleet(under.composition.backend, [
      ...[partner, ...organizations],
      ...organizations.map(({ id }) => aDevice({ orgId: id, osType: 'windows' })),
    ]),
  );

  const partnerStaff = (orgIds: readonly OrgId[] | null) =>
    under.addPerson({ membership: { scope: 'partner', partnerId: partner.id, orgIds } });

  async function openAs(who: Person, path: string): Promise<Page> {
    const page = await under.openPage();
    await under.signIn(page, who, path);
    return page;
  }

  test('is saved by people who reach all of them, and by others only as a copy', async () => {
    const page = await openAs(await partnerStaff(null), '/filters/new?q=os%3Awindows');
    await page.getByLabel('Name').fill('Windows everywhere');
    await page.getByRole('combobox', { name: 'Covers' }).selectOption('All organizations of Fjord IT');
    await page.getByText('covers organizations that are added later').waitFor();
    await counted(page, '2 devices');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/filters\/[0-9a-f-]{36}/);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    const path = new URL(page.url()).pathname;

    const other = await openAs(await partnerStaff([organizations[0]?.id as OrgId]), path);
    await other.getByText('Only people with access to all of them can change it').waitFor();
    await other.getByRole('button', { name: 'Actions for Windows everywhere' }).click();
    await other.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Save as a copy' }).click();
    await other.getByRole('heading', { name: 'Windows everywhere (copy)', level: 1 }).waitFor();
    await other.goto('/filters?search=everywhere');
    await other.getByRole('row', { name: /Windows everywhere \(copy\)/ }).waitFor();
    await other.getByRole('row', { name: /Windows everywhere All organizations of Fjord IT/ }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('is used in another filter by its name', async () => {
    const page = await openAs(await partnerStaff(null), '/filters/new?q=os%3Awindows');
    const save = async (name: string) => {
      await page.getByLabel('Name').fill(name);
      await page.getByRole('combobox', { name: 'Covers' }).selectOption('All organizations of Fjord IT');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/\/filters\/[0-9a-f-]{36}/);
    };
    await save('Any Windows');
    const inner = new URL(page.url()).pathname.split('/').at(-1);
    await page.goto('/filters/new');
    await page.getByRole('combobox', { name: 'Covers' }).selectOption('All organizations of Fjord IT');
    await page.getByRole('combobox', { name: 'Field' }).focus();
    await page.keyboard.type('filter');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Operator' }).selectOption('equals');
    await page.getByRole('combobox', { name: 'Value' }).focus();
    await page.keyboard.type('any win');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox', { name: 'Value' }).inputValue()).toBe('Any Windows');
    await counted(page, '2 devices');
    await save('Of any Windows');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByRole('tab', { name: 'Text' }).click();
    expect(await page.getByLabel('Filter as text').inputValue()).toBe(`filter:${inner}`);

    await page.goto('/devices?q=-filter%3A%22any%20windows%22');
    await page.getByText('Filter is not Any Windows').first().waitFor();
    expect(under.problems()).toStrictEqual([]);
  });
});

describe('with access to several partners, a filter of one', () => {
  const partner = aPartner({ name: 'Gable IT' });
  const [first, second] = ['Gable Mills', 'Gable Yards'].map((name) =>
    anOrganization({ partnerId: partner.id, name }),
  ) as [OrganizationRecord, OrganizationRecord];
  const maker = aUser({ membership: { scope: 'partner', partnerId: partner.id, orgIds: null } });
  const filter = aFilter({
    orgId: null,
    partnerId: partner.id,
    createdBy: maker.id,
    name: 'Dust of Gable IT',
    description: 'Firewalls',
    conditions: { operator: 'AND', conditions: [{ field: 'tags', operator: 'hasAny', value: ['dusty'] }] },
  });
  const { conditions, description } = filter;
  const ofYards = { conditions, description, orgId: second.id, createdBy: maker.id };
  const beside = aFilter({ ...ofYards, name: 'Dust of the yards' });
  const text = encodeURIComponent('tags:dusty');

  beforeAll(() =>
    loadFleet(under.composition.backend, [
      ...[partner, first, second, maker, filter, beside],
      ...[first.id, second.id, under.orgIds[0] as OrgId].map((orgId) => aDevice({ orgId, tags: ['dusty'] })),
    ]),
  );

  async function openAsStaff(path: string): Promise<Page> {
    const page = await under.openPageAs(await under.addPerson({ membership: { scope: 'system' } }));
    await page.goto(path);
    return page;
  }

  /** Waits until the list of devices counts so many. */
  const listed = (page: Page, count: string) =>
    page.getByRole('main').getByRole('status').getByText(count, { exact: true }).waitFor();

  test('says in the dialog of the list whose it is, and how many devices it finds there', async () => {
    const page = await openAsStaff(`/devices?q=${text}`);
    await listed(page, '3 devices');
    await page.getByRole('button', { name: 'Save as filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as filter' });
    await dialog.getByText('Saves these conditions.', { exact: true }).waitFor();
    await dialog.getByLabel('Covers').selectOption('Gable Mills');
    await dialog
      .getByText('Saves these conditions for Gable Mills. They match 1 device there. The list shows 3.')
      .waitFor();
    await dialog.getByLabel('Covers').selectOption('All organizations of Gable IT');
    await dialog
      .getByText('for all organizations of Gable IT. They match 2 devices there. The list shows 3.')
      .waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    expect(under.problems()).toStrictEqual([]);
  });

  test('is counted in the builder where it will apply', async () => {
    const page = await openAsStaff(`/filters/new?q=${text}`);
    await counted(page, '3 devices');
    await page.getByRole('combobox', { name: 'Covers' }).selectOption('All organizations of Gable IT');
    await counted(page, '2 devices');
    await page.getByText('The numbers beside the conditions count all organizations').waitFor();
    await page.getByRole('link', { name: 'Show all 2 in the device list' }).click();
    await listed(page, '2 devices');
    await page.goto(`/filters/${filter.id}`);
    await counted(page, '2 devices');
    expect(under.problems()).toStrictEqual([]);
  });

  test('has faults of its partner at their conditions', async () => {
    const page = await openAsStaff(`/filters/${filter.id}?tab=text`);
    await counted(page, '2 devices');
    await page.route('**/api/v1/devices/query', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        json: {
          ...{ code: 'validation_failed', detail: 'Not here.' },
          errors: [{ path: 'conditions.conditions[0].conditions[1].value', code: 'x', message: 'Not here.' }],
        },
      }),
    );
    await page.getByLabel('Filter as text').fill('tags:dusty os:linux');
    await page.getByRole('tab', { name: 'Builder' }).click();
    const conditions = page.getByRole('combobox', { name: 'Field' });
    await expect.poll(() => conditions.count()).toBe(2);
    const values = page.getByRole('combobox', { name: 'Value' });
    await expect.poll(() => values.last().getAttribute('aria-invalid')).toBe('true');
    expect(await values.first().getAttribute('aria-invalid')).toBeNull();
    await page.getByText('Not here.').waitFor();
  });

  test('has a count that leads to the devices that it counts, for all organizations and for one', async () => {
    const page = await openAsStaff('/filters?search=gable');
    const count = (name: string) =>
      page.getByRole('row').filter({ hasText: 'Dust of Gable' }).getByRole('link', { name, exact: true });
    await count('2').click();
    await listed(page, '2 devices');
    await page.getByText('Filter is Dust of Gable IT').first().waitFor();
    await page.goto(`/filters?org=${first.id}`);
    await count('1').click();
    await listed(page, '1 device');
    expect(new URL(page.url()).searchParams.get('org')).toBe(first.id);
    expect(under.problems()).toStrictEqual([]);
  });

  test('is exported with its count and the names of organizations', async () => {
    const page = await openAsStaff('/filters?search=gable');
    await page.getByRole('button', { name: 'Actions for Dust of Gable IT' }).click();
    await page.getByRole('menuitem', { name: 'Export devices…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export devices' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export 2 devices' }).click(),
    ]);
    await dialog.getByText('2 devices exported.').waitFor();
    expect(download.suggestedFilename()).toBe('Dust of Gable IT.csv');
    const [head = '', ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const at = head.split(',').indexOf('organization');
    expect(rows.map((row) => row.split(',')[at]).toSorted()).toStrictEqual(['Gable Mills', 'Gable Yards']);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(under.problems()).toStrictEqual([]);
  });

  test('is found in the palette after #, beside its partner or organization', async () => {
    const page = await openAsStaff('/filters');
    await page.getByRole('heading', { name: 'Saved filters', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('#dust of');
    const names = () =>
      page.getByRole('group', { name: 'Saved filters' }).getByRole('option').allTextContents();
    await expect
      .poll(async () => (await names()).toSorted())
      .toStrictEqual(['Dust of Gable ITGable IT · Firewalls', 'Dust of the yardsGable Yards · Firewalls']);
    await page.goto(`/filters?org=${first.id}`);
    await page.getByRole('heading', { name: 'Saved filters', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('#dust of');
    await expect.poll(names).toStrictEqual(['Dust of Gable ITGable IT · Firewalls']);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/filters/${filter.id}`);
    expect(under.problems()).toStrictEqual([]);
  });
});

test('a filter belongs to the only organization of a partner without asking', async () => {
  const partner = aPartner();
  const organization = anOrganization({ partnerId: partner.id, name: 'The only customer' });
  await loadFleet(under.composition.backend, [partner, organization]);
  const page = await under.openPageAs(
    await under.addPerson({ membership: { scope: 'partner', partnerId: partner.id, orgIds: null } }),
  );
  await page.goto('/filters/new?q=os%3Alinux');
  await page.getByLabel('Name').fill('Linux, of the only one');
  const answer = page.waitForResponse(
    (one) => one.url().endsWith('/api/v1/filters') && one.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await (await answer).json()).orgId).toBe(organization.id);
  await page.getByText('Saved.').waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('existing values of devices are proposed in the builder and in Text', async () => {
  const page = await openAt('/filters/new');
  // The button adds no second condition while the only one is empty.
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('tags');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Value' }).fill('fin');
  await page.getByRole('option', { name: 'finance' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await counted(page, '1 device');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.keyboard.type('Hostname');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Value' }).fill('srv');
  await page.getByRole('tab', { name: 'Text' }).click();
  const text = page.getByLabel('Filter as text');
  expect(await text.inputValue()).toBe('tags:finance host:srv');
  await text.press('End');
  await page.keyboard.type(' tags:v');
  await page.getByRole('option', { name: 'vip' }).waitFor();
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.keyboard.press('Tab');
  expect(await text.inputValue()).toBe('tags:finance host:srv tags:vip ');
  await page.getByRole('tab', { name: 'Builder' }).click();
  await page.getByRole('group', { name: 'Condition: Tags' }).nth(1).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

describe('the views of one filter', () => {
  test('report an invalid filter, keep its text, and offer a fix', async () => {
    const page = await openAt('/filters/new?tab=text');
    const text = page.getByLabel('Filter as text');
    await text.fill('os:windows (tags:vip OR status:onlin)');
    await page.getByRole('alert').filter({ hasText: 'Did you mean online?' }).waitFor();
    await page.getByRole('tab', { name: 'Builder' }).click();
    await page.getByText('The text has an error').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    expect(await text.inputValue()).toBe('os:windows (tags:vip OR status:onlin)');
    await page.getByRole('button', { name: 'Use online' }).click();
    await counted(page, '1 device');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = JSON.parse(await page.getByLabel('Filter as JSON').inputValue());
    expect(json.conditions[1]).toStrictEqual({
      operator: 'OR',
      conditions: [
        { field: 'tags', operator: 'contains', value: 'vip' },
        { field: 'status', operator: 'equals', value: 'online' },
      ],
    });
    await page
      .getByLabel('Filter as JSON')
      .fill(JSON.stringify({ operator: 'AND', conditions: [{ field: 'os' }] }));
    await page.getByRole('alert').filter({ hasText: 'The field “os” does not exist.' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('keep groups deeper than eight levels unchanged, and open them in Text', async () => {
    let conditions: object = {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'contains', value: 'ws' }],
    };
    for (let level = 1; level < 12; level++) {
      const other = { field: 'status', operator: 'equals', value: 'online' };
      conditions = { operator: level % 2 === 0 ? 'AND' : 'OR', conditions: [other, conditions] };
    }
    const id = await saveFilter('Deep', conditions);
    const page = await openAt(`/filters/${id}`);
    await page.getByLabel('Name').fill('Deep, renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await counted(page, 'Saved.');
    await page.getByRole('button', { name: 'Open in Text' }).click();
    await page.getByLabel('Filter as text').waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(JSON.parse(await page.getByLabel('Filter as JSON').inputValue())).toStrictEqual(conditions);
    expect(under.problems()).toStrictEqual([]);
  });
});

test('a draft survives a reload, and does not overwrite what was saved meanwhile', async () => {
  const id = await saveFilter('Windows', WINDOWS);
  const page = await openAt(`/filters/${id}`);
  const other = await openAt(`/filters/${id}`);
  await page.getByLabel('Name').fill('Windows of mine');
  await page.reload();
  await page.getByText('Your unsaved changes were restored.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Windows of mine');

  await other.getByLabel('Description').fill('Theirs');
  await other.getByRole('button', { name: 'Save' }).click();
  await counted(other, 'Saved.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'another version was saved in the meantime' }).waitFor();
  await page.getByRole('button', { name: 'Save as a copy' }).click();
  await page.getByRole('heading', { name: 'Windows of mine (copy)', level: 1 }).waitFor();
  await other.reload();
  expect(await other.getByLabel('Name').inputValue()).toBe('Windows');
  expect(under.problems()).toStrictEqual([]);
});

describe('unsaved changes', () => {
  test('raise a question on a link, on Back and on closing the tab, and are kept as a draft', async () => {
    const id = await saveFilter('Windows, to leave', WINDOWS);
    const page = await openAt('/filters');
    await page.getByRole('link', { name: 'Windows, to leave' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Windows, left');
    const dialog = page.getByRole('dialog', { name: 'Unsaved changes' });
    await page.goBack();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/filters/${id}`);
    expect(await name.inputValue()).toBe('Windows, left');

    await page.getByRole('link', { name: 'Dashboard' }).click();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Windows, left');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await dialog.getByRole('button', { name: 'Save and leave' }).click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.goto(`/filters/${id}`);
    expect(await name.inputValue()).toBe('Windows, left');

    await name.fill('Windows, discarded');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await name.inputValue()).toBe('Windows, left');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await name.inputValue()).toBe('Windows, discarded');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    expect(under.problems()).toStrictEqual([]);
  });

  test('stay if they are made during a save, also during the first save of a new filter', async () => {
    const id = await saveFilter('Slowly saved', WINDOWS);
    const page = await openAt(`/filters/${id}`);
    const answer = Promise.withResolvers<void>();
    await page.route(`**/api/v1/filters/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await answer.promise;
      return route.continue();
    });
    await page.getByLabel('Name').fill('Slowly saved, renamed');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sent;
    await page.getByLabel('Description').fill('Written meanwhile');
    answer.resolve();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
    await counted(page, 'Unsaved changes');
    expect(await page.getByLabel('Description').inputValue()).toBe('Written meanwhile');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await counted(page, 'Saved.');

    const creation = Promise.withResolvers<void>();
    await page.route('**/api/v1/filters', async (route) => {
      if (route.request().method() === 'POST') await creation.promise;
      return route.continue();
    });
    await page.goto('/filters/new?q=os%3Awindows');
    await page.getByLabel('Name').fill('Slowly created');
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && new URL(request.url()).pathname === '/api/v1/filters',
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await posted;
    await page.getByLabel('Description').fill('Written meanwhile, too');
    creation.resolve();
    await page.waitForURL(/\/filters\/[0-9a-f-]{36}$/);
    await page.getByText('Your unsaved changes were restored.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Written meanwhile, too');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await counted(page, 'Saved.');
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe('Slowly created');
    expect(await page.getByLabel('Description').inputValue()).toBe('Written meanwhile, too');
    expect(under.problems()).toStrictEqual([]);
  });

  test("are shown beside someone else's, and both are saved if they do not conflict", async () => {
    const id = await saveFilter('Two people', WINDOWS);
    const [page, other] = [await openAt(`/filters/${id}`), await openAt(`/filters/${id}`)];
    await page.getByRole('combobox', { name: 'Value' }).selectOption('linux');
    const save = (on: Page) => on.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByLabel('Description').fill('Theirs');
    await save(other);
    await counted(other, 'Saved.');
    await save(page);
    const conflict = page.getByRole('alert').filter({ hasText: 'another version was saved' });
    await conflict.getByText('Description changed by them').waitFor();
    await conflict.getByText('Conditions changed by you').waitFor();
    await conflict.getByText('os:linux').waitFor();
    await conflict.getByText('os:windows').waitFor();
    // The count is dimmed until the new one arrives.
    await page.locator('section[aria-busy="false"]').waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await conflict.getByRole('button', { name: 'Save both changes' }).click();
    await counted(page, 'Saved.');
    expect(await page.getByLabel('Description').inputValue()).toBe('Theirs');

    await other.getByLabel('Name').fill('Mine alone');
    await save(other);
    await other.getByRole('button', { name: 'Use theirs' }).click();
    await other.getByRole('alert').waitFor({ state: 'detached' });
    expect(await other.getByLabel('Name').inputValue()).toBe('Two people');
    expect(await other.getByRole('combobox', { name: 'Value' }).inputValue()).toBe('linux');
    expect(under.problems()).toStrictEqual([]);
  });

  test('stay when the organization has reached its limit, and the page says what to do', async () => {
    const [, orgId] = under.orgIds;
    if (orgId === undefined) throw new Error('the console under test has one organization alone');
    const crowded = await under.addPerson({ membership: { scope: 'organization', orgId } });
    const { id: createdBy } = crowded.record;
    const filters = Array.from({ length: MAX_FILTERS_PER_ORGANIZATION }, (_, i) =>
      aFilter({ orgId, createdBy, name: `Filter ${i}` }),
    );
    await loadFleet(under.composition.backend, filters);
    const page = await under.openPage();
    await under.signIn(page, crowded, '/filters/new?q=os%3Awindows');
    await page.getByLabel('Name').fill('One too many');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'reached its limit' });
    await alert.getByText('Delete unused filters').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('One too many');

    // The list draws a hundred filters at a time, and the search also finds those that are not drawn.
    await page.goto('/filters');
    await counted(page, '1,000 filters');
    const rows = page.getByRole('table', { name: 'Saved filters' }).getByRole('link', { name: /^Filter / });
    await expect.poll(() => rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rows.count()).toBe(200);
    await page.getByRole('searchbox', { name: 'Find a filter' }).fill('Filter 7');
    await counted(page, '111 filters');
    expect(under.problems()).toStrictEqual([]);
  });
});

test('the conditions that exclude a device are marked, also on a narrow screen', async () => {
  const all = { operator: 'OR', conditions: [WINDOWS, { field: 'hostname', operator: 'isNull' }] };
  const id = await saveFilter('Windows, to explain', { operator: 'AND', conditions: [all, all] });
  const page = await openAt(`/filters/${id}`, 360);
  await page.getByRole('combobox', { name: 'Device' }).fill('srv');
  await page.getByRole('option', { name: 'ANR-SRV-0003' }).click();
  await page.getByText('ANR-SRV-0003 does not match because').waitFor();
  const condition = page.getByRole('group', { name: 'Condition: OS Type' }).first();
  await condition.getByText('does not match').waitFor();
  await condition.getByText('has linux').waitFor();
  await page.getByText('has no effect').first().waitFor();
  const isWithin = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  expect(isWithin).toBe(true);
  expect(under.problems()).toStrictEqual([]);
});

test.each([1280, 1024, 900, 820])('every value in deep groups has room at %s pixels', async (width) => {
  const page = await openAt('/filters/new', width);
  const text =
    'tags:vip,finance (os:windows OR (user:nils (user:mia OR (user:noa seen:2026-01-01..2026-02-01))))';
  await page.goto(`/filters/new?${new URLSearchParams({ q: text })}`);
  const values = page
    .getByRole('group', { name: /^Condition: / })
    .locator('input:not([type="checkbox"]), select');
  await page.getByRole('group', { name: 'Condition: Last Seen At' }).waitFor();
  const widths = await values.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThan(15);
  expect(Math.min(...widths)).toBeGreaterThan(80);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test.each([
  ['/filters', '/sites'],
  ['/filters', '/organizations'],
  ['/filters/new', '/filters/fields'],
  ['/filters/new?q=os%3Awindows', '/devices/query'],
  ['/filters/new?q=os%3Awindows', '/filters/explain'],
])('%s reports a failure of %s, and can retry', async (path, part) => {
  await saveFilter('There in the end', WINDOWS);
  const page = await under.openPage();
  const parts = `**/api/v1${part}*`;
  await page.route(parts, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'filter_timeout', detail: 'It took too long.' }),
    }),
  );
  await under.signIn(page, person, path);
  const alert = page.getByRole('alert').filter({ hasText: 'It took too long.' });
  await alert.waitFor();
  await page.unroute(parts);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  await (path === '/filters'
    ? page.getByText('There in the end').first()
    : page.getByLabel('Name')
  ).waitFor();
});

test('the search for a device to explain says that none matches only once that is known', async () => {
  const page = await openAt('/filters/new?q=os%3Alinux');
  const some = '**/api/v1/devices?*';
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(some, async (route) => {
    await held;
    await route.fulfill({ status: 422, json: { code: 'filter_timeout', detail: 'It took too long.' } });
  });
  const field = page.getByRole('combobox', { name: 'Device', exact: true });
  await field.fill('anr-srv');
  const list = page.getByRole('listbox', { name: 'Device', exact: true });
  await list.getByText('Searching…').waitFor();
  answer();
  await list.getByText('It took too long.').waitFor();
  await page.unroute(some);
  await field.fill('anr-srv-000');
  await list.getByRole('option').first().waitFor();
  // The results for the shorter text are not taken for the longer one.
  await field.pressSequentially('999');
  await list.getByText(/^No device.* matches “/).waitFor();
});

describe('the list of filters', () => {
  test('shows counts, and a deletion can be undone until the page is left', async () => {
    const name = 'Windows, in the list';
    const id = await saveFilter(name, WINDOWS);
    const page = await openAt('/filters');
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await row.getByText('os:windows').waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);

    const remove = async () => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await row.waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    // The button is at the bottom of the window.
    await remove();
    const toast = await page.getByRole('button', { name: 'Undo' }).boundingBox();
    expect(toast?.y).toBeGreaterThan(800);
    await page.keyboard.press('Control+z');
    await row.waitFor();
    await remove();
    const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    expect((await gone).status()).toBe(200);
    await page.goto(`/filters/${id}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(under.problems()).toStrictEqual([]);
  });

  test('sends a deletion once, and does not offer to undo it meanwhile', async () => {
    const name = 'Deleted slowly';
    const id = await saveFilter(name, WINDOWS);
    const page = await under.openPage({ isSpoilt: true });
    await page.clock.install();
    await under.signIn(page, person, '/filters');
    const answer = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(`**/api/v1/filters/${id}`, async (route) => {
      if (route.request().method() === 'DELETE') {
        sent += 1;
        await answer.promise;
      }
      await route.continue();
    });
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(10_000);
    await expect.poll(() => sent).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    answer.resolve();
    expect((await gone).status()).toBe(200);
    expect(sent).toBe(1);
    expect(under.problems()).toStrictEqual([]);
  });

  test('sends a pending deletion when the person signs out', async () => {
    const name = 'Deleted before signing out';
    const id = await saveFilter(name, WINDOWS);
    const page = await openAt('/filters');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const gone = page.waitForResponse((answer) => answer.url().endsWith(id));
    await page.getByRole('button', { name: person.record.name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect((await gone).status()).toBe(200);
    expect(under.problems()).toStrictEqual([]);
  });

  test('sends a pending deletion when the person signs out in another tab', async () => {
    const name = 'Deleted beside signing out';
    const id = await saveFilter(name, WINDOWS);
    const page = await openAt('/filters');
    const other = await page.context().newPage();
    await other.goto('/settings/profile');
    await other.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    // The deletion takes longer than signing out.
    await page.route(`**/api/v1/filters/${id}`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    const gone = page.waitForResponse((answer) => answer.url().endsWith(id));
    await other.getByRole('button', { name: person.record.name }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect((await gone).status()).toBe(200);
    expect(under.problems()).toStrictEqual([]);
  });

  test('brings back a filter that was duplicated and then deleted on its page', async () => {
    const name = 'Windows, on its page';
    const id = await saveFilter(name, WINDOWS);
    const page = await openAt(`/filters/${id}`);
    const choose = async (item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Duplicate');
    await page.getByRole('heading', { name: `${name} (copy)`, level: 1 }).waitFor();
    await page.goBack();
    await choose('Delete');
    await page.getByText(`“${name}” deleted.`).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    await page.reload();
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(under.problems()).toStrictEqual([]);
  });
});
