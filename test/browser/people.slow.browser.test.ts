/** Administrators invite people, change what they may do and disable them, in the console (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#adapters/system/clock.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { takeMails, tokenIn } from '#test/api/auth/take-mails.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';

const PASSWORD = 'staple staple staple';

let under: ConsoleUnderTest;

/** How far the service's clock is ahead, in milliseconds. */
let lead = 0;

beforeAll(async () => {
  under = await openConsole({}, { clock: () => systemClock() + lead });
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

const orgIds = () => under.orgIds as [OrgId, OrgId];

function addAdministrator(given: Parameters<ConsoleUnderTest['addPerson']>[0] = {}): Promise<Person> {
  return under.addPerson({
    name: 'Rosalind Moorcroft',
    membership: { scope: 'system' },
    permissions: ADMINISTRATOR_PERMISSIONS,
    isPlatformAdmin: true,
    hasFactor: true,
    ...given,
  });
}

async function openAs(person: Person, path: string): Promise<Page> {
  const page = await under.openPageAs(person);
  await page.goto(path);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('an invitation', () => {
  test('is sent by the keyboard alone; its link sets a password and signs in', async () => {
    const page = await openAs(await addAdministrator(), '/');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('>Invite someone');
    await page.getByRole('option', { name: 'Invite someone' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Email').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter an email address.').waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);

    await dialog.getByLabel('Email').fill('ida.blom@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Ida Blom');
    await dialog.getByLabel('Organization', { exact: true }).selectOption('Arden Manufacturing');
    await dialog.getByRole('checkbox', { name: 'users:write' }).check();
    await page.reload();
    expect(await dialog.getByLabel('Email').inputValue()).toBe('ida.blom@example.com');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent to ida.blom@example.com.').waitFor();
    const row = page.getByRole('table', { name: 'People' }).getByRole('row', { name: 'Ida Blom' });
    await row.getByText('Invited').waitFor();
    await row.getByText('Arden Manufacturing').waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);

    await row.getByRole('link', { name: 'Ida Blom' }).click();
    await page.getByText('Administers people of Arden Manufacturing').waitFor();
    await button(page, 'Resend invitation').click();
    await page.getByText('The earlier link no longer works.').waitFor();
    const mail = (await takeMails(under.composition)).findLast(({ kind }) => kind === 'invitation');

    const theirs = await under.openPage();
    await theirs.goto(`/invitation#${tokenIn(mail, 'invitation')}`);
    await theirs.getByLabel('New password').fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Set password' }).click();
    await theirs.getByLabel('Email').fill('ida.blom@example.com');
    await theirs.getByLabel('Password').fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByRole('button', { name: 'Ida Blom' }).waitFor();
    await theirs.getByRole('link', { name: 'People' }).waitFor();
  });

  test('survives a step-up, and shows the refusal of the API', async () => {
    const administrator = await addAdministrator();
    const page = await openAs(administrator, '/people');
    await button(page, 'Invite').click();
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Email').fill(administrator.email);
    await dialog.getByLabel('Name', { exact: true }).fill('Twice');
    await dialog.getByLabel('Organization', { exact: true }).selectOption('Borealis Health');
    lead += 20 * 60_000;
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await stepUp.getByLabel('Authentication code').fill(await under.codeOf(administrator));
    await stepUp.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(administrator.email);
  });
});

describe('a person', () => {
  test('gets other rights, is disabled and enabled', async () => {
    const person = await under.addPerson({ name: 'Nils Fässler', hasFactor: true });
    const theirs = await openAs(person, '/');
    await theirs.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    const page = await openAs(await addAdministrator(), `/people/${person.record.id}`);
    await page.getByText('Reads everything of Arden Manufacturing.').waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);

    await button(page, 'Change access…').click();
    const access = page.getByRole('dialog', { name: 'Change access of Nils Fässler' });
    await access.getByRole('checkbox', { name: 'devices:write' }).check();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await access.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Edits devices of Arden Manufacturing').waitFor();

    await button(page, 'Change name…').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Nils Faessler');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nils Faessler', level: 1 }).waitFor();

    await page.getByRole('table', { name: 'Where they are signed in' }).waitFor();
    await button(page, 'Disable').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('They are not signed in anywhere.').waitFor();
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await button(page, 'Enable').click();
    await page.getByText('is enabled and can sign in again').waitFor();

    await button(page, 'Reset second factor').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
    await page.getByText('has no second factor now').waitFor();
    await button(page, 'Reset second factor').waitFor({ state: 'detached' });
  });

  test('shows what they did last, and leads to the rest of the audit log', async () => {
    const other = await under.addPerson({ name: 'Bodil Changed' });
    const administrator = await addAdministrator({ name: 'Tove Busy' });
    const page = await openAs(administrator, `/people/${other.record.id}`);
    const done = page.getByRole('table', { name: 'What they did last' });
    await page.getByText('Nothing in the audit log yet.').waitFor();
    await button(page, 'Change name…').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Bodil Renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bodil Renamed', level: 1 }).waitFor();
    // What others did to them is not what they did.
    await page.reload();
    await page.getByText('Nothing in the audit log yet.').waitFor();

    await page.goto(`/people/${administrator.record.id}`);
    await done.waitFor();
    const sentence = 'Tove Busy changed the account of Bodil Renamed';
    await done.getByRole('row').nth(1).getByText(sentence).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await page.getByRole('link', { name: 'All entries in the audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('actorId')).toBe(administrator.record.id);
  });

  test('who is the last administrator cannot be disabled, and the page says why', async () => {
    const other = await addAdministrator({ name: 'Ada Last' });
    const page = await openAs(await addAdministrator(), `/people/${other.record.id}`);
    const detail = 'This is the last active administrator of the whole service.';
    // Only two changes at the same moment cause the refusal, so the test fakes it.
    await page.route(`**/users/${other.record.id}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 409, json: { status: 409, code: 'last_administrator', detail } })
        : route.fallback(),
    );
    await button(page, 'Disable').click();
    const dialog = page.getByRole('dialog', { name: 'Disable Ada Last' });
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('alert').getByText(detail).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
  });

  test('is shown without the controls that the viewer may not use', async () => {
    const [orgId] = orgIds();
    const membership = { scope: 'organization', orgId } as const;
    const administrator = await addAdministrator({
      membership,
      permissions: ['users:write'],
      isPlatformAdmin: false,
    });
    const stronger = await under.addPerson({ name: 'Berit Strand', permissions: ['devices:write'] });
    const page = await openAs(administrator, `/people/${stronger.record.id}`);
    await page.getByText('This person has rights that you don’t have').waitFor();
    for (const name of ['Disable', 'Change name…', 'Change access…']) {
      expect(await button(page, name).count(), name).toBe(0);
    }
    await page.goto(`/people/${administrator.record.id}`);
    await button(page, 'Change name…').waitFor();
    expect(await button(page, 'Disable').count()).toBe(0);

    await page.goto('/people?dialog=invite');
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByRole('checkbox', { name: 'users:write' }).waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(1);
    expect(
      await dialog.getByLabel('Organization', { exact: true }).locator('option').allTextContents(),
    ).toStrictEqual(['Arden Manufacturing']);
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByRole('link', { name: 'Deletion requests' }).click();
    await page.getByRole('heading', { name: 'Deletion requests', level: 1 }).waitFor();
  });

  test('cannot be changed without a second factor, and the page links to its setup', async () => {
    const administrator = await addAdministrator({ hasFactor: false });
    const page = await openAs(administrator, '/people');
    await page.getByText('You need a second factor to invite or change people.').waitFor();
    expect(await button(page, 'Invite').count()).toBe(0);
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Set up' }).click();
    await page.waitForURL(/settings\/security\?next=%2Fpeople/);
  });

  test('is hidden from people who may not manage users', async () => {
    const page = await openAs(await under.addPerson(), '/people');
    await page.getByText('You need permission to manage users.').waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    expect(await sidebar.getByRole('link', { name: 'People' }).count()).toBe(0);
  });
});

describe('an organization', () => {
  test('is created, gets sites, and is deleted', async () => {
    const page = await openAs(await addAdministrator(), '/organizations');
    await button(page, 'New organization').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kestrel Lane');
    await dialog.getByLabel('Partner').selectOption({ index: 1 });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Kestrel Lane', level: 1 }).waitFor();
    await page.getByText('Nobody has access but platform staff.').waitFor();

    for (const name of ['Warehouse', 'WAREHOUSE ']) {
      await button(page, 'Add site').click();
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Add site' }).click();
      if (name === 'Warehouse') await page.getByRole('row', { name: 'Warehouse' }).waitFor();
    }
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Rename Warehouse').click();
    await dialog.getByLabel('Name').fill('Depot');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Depot' }).waitFor();
    expect(await faultsInEveryLook(page)).toStrictEqual([]);
    await button(page, 'Delete Depot').click();
    await dialog.getByRole('button', { name: 'Delete site' }).click();
    await page.getByText('No sites.').waitFor();

    await button(page, 'Delete…').click();
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Kestrel Lane' }).waitFor({ state: 'detached' });
  });

  test("shows what its people and the partner's staff may do in it, and cannot be deleted while it has people", async () => {
    const [orgId, otherId] = orgIds();
    const { organizations } = await under.composition.backend.listTenants();
    const partnerId = organizations.find(({ id }) => id === orgId)?.partnerId as PartnerId;
    const staff = (orgIds: OrgId[] | null) => ({ scope: 'partner', partnerId, orgIds }) as const;
    const people = [
      { name: 'Signe Reads' },
      { name: 'Ulla People', permissions: ['users:write'] },
      { name: 'Dag Devices', permissions: ['devices:write'] },
      { name: 'Pia Partner', membership: staff(null), permissions: ADMINISTRATOR_PERMISSIONS },
      { name: 'Siw Some', membership: staff([orgId]) },
      { name: 'Odd Elsewhere', membership: staff([otherId]) },
      { name: 'Eli Elsewhere', membership: { scope: 'organization', orgId: otherId } },
    ] as const;
    for (const person of people) await under.addPerson(person);
    const page = await openAs(await addAdministrator(), `/organizations/${orgId}`);
    const matrix = page.getByRole('table', { name: 'People with access' });
    await matrix.getByRole('row', { name: 'Signe Reads' }).waitFor();
    const marks = async (): Promise<Record<string, readonly string[]>> => {
      const rows = await matrix.getByRole('row').all();
      const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
      return Object.fromEntries(
        people.flatMap(({ name }) => {
          const found = cells.find(([person = '']) => person.startsWith(name));
          return found === undefined
            ? []
            : [[name, found.slice(-3).map((text) => text.replace('—', '').trim())]];
        }),
      );
    };
    expect(await matrix.getByRole('columnheader').allInnerTexts()).toStrictEqual([
      ...['Person', 'Belongs to', 'Reads', 'Administers people', 'Edits devices'],
    ]);
    const own = {
      'Signe Reads': ['Yes', 'No', 'No'],
      'Ulla People': ['Yes', 'Yes', 'No'],
      'Dag Devices': ['Yes', 'No', 'Yes'],
    };
    expect(await marks()).toStrictEqual({
      ...own,
      'Pia Partner': ['Yes', 'Yes', 'Yes'],
      'Siw Some': ['Yes', 'No', 'No'],
    });
    expect(await faultsInEveryLook(page)).toStrictEqual([]);

    const membership = { scope: 'organization', orgId } as const;
    const administrator = await addAdministrator({ membership, isPlatformAdmin: false });
    const theirs = await openAs(administrator, `/organizations/${orgId}`);
    await theirs.getByRole('row', { name: 'Signe Reads' }).waitFor();
    expect(await theirs.getByRole('row', { name: 'Pia Partner' }).count()).toBe(0);

    await button(page, 'Delete…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await dialog.getByRole('alert').waitFor();
  });
});
