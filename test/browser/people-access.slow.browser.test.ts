/** Administrators revoke access, and may lose their own session or rights meanwhile (Contract: §16). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { focusOf, reachByKeys } from '#test/support/browser/check-focus.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { anApiKey } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

function addAdministrator(): Promise<Person> {
  return under.addPerson({
    name: 'Rosalind Moorcroft',
    membership: { scope: 'system' },
    permissions: ADMINISTRATOR_PERMISSIONS,
    isPlatformAdmin: true,
    hasFactor: true,
  });
}

async function openAs(person: Person, path: string): Promise<Page> {
  const page = await under.openPageAs(person);
  await page.goto(path);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isSignedOut = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();

describe('an administrator', () => {
  test('ends one session, and then all', async () => {
    const person = await under.addPerson({ name: 'Nils Fässler' });
    const theirs = await Promise.all([1, 2, 3].map(() => openAs(person, '/alerts')));
    for (const one of theirs) await button(one, 'Nils Fässler').waitFor();
    const page = await openAs(await addAdministrator(), `/people/${person.record.id}`);
    const ends = page.getByRole('button', { name: /^End session: Chrome/ });
    await ends.nth(2).waitFor();
    await ends.first().click();
    await ends.nth(2).waitFor({ state: 'detached' });
    await expect.poll(() => focusOf(page)).not.toBe('body');
    await button(page, 'End all…').click();
    const dialog = page.getByRole('dialog', { name: 'End all sessions of Nils Fässler' });
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('They are not signed in anywhere.').waitFor();
    for (const one of theirs) {
      await one.reload();
      await isSignedOut(one);
    }
  });

  test('revokes a key', async () => {
    const person = await under.addPerson();
    await loadFleet(under.composition.backend, [anApiKey({ userId: person.record.id, name: 'Deployment' })]);
    const page = await openAs(await addAdministrator(), `/people/${person.record.id}`);
    await button(page, 'Revoke Deployment').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('They have no API keys.').waitFor();
  });

  test('withdraws an invitation, and returns to the list without it', async () => {
    const page = await openAs(await addAdministrator(), '/people?dialog=invite');
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Email').fill('wrong@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Wrong Address');
    await dialog.getByLabel('Organization', { exact: true }).selectOption('Borealis Health');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('status').getByRole('link', { name: 'Wrong Address' }).click();
    await button(page, 'Withdraw invitation').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('row', { name: 'Rosalind Moorcroft' }).first().waitFor();
    expect(await page.getByRole('row', { name: 'Wrong Address' }).count()).toBe(0);
  });

  test('whose session ends while they invite keeps everything typed', async () => {
    const administrator = await addAdministrator();
    const page = await openAs(administrator, '/people?dialog=invite');
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Email').fill('late@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Late Comer');
    await dialog.getByLabel('Organization', { exact: true }).selectOption('Borealis Health');
    await dialog.getByRole('checkbox', { name: 'devices:write' }).check();
    // No earlier: another request would open the sign-in dialog over the button.
    await page.route(
      '**/api/v1/users',
      async (route) => {
        expect((await page.context().request.delete('/api/v1/auth/session')).status()).toBe(204);
        await route.continue();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in', exact: true });
    await again.getByLabel('Password').fill(administrator.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.getByLabel('Authentication code').fill(await under.codeOf(administrator));
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Invitation sent to late@example.com.').waitFor();
    await page
      .getByRole('row', { name: 'Late Comer' })
      .getByText('edits devices', { exact: false })
      .waitFor();
  });

  test('who loses the right while a dialog is open is told so, and changes nothing', async () => {
    const administrator = await addAdministrator();
    const person = await under.addPerson({ name: 'Berit Strand' });
    const page = await openAs(administrator, `/people/${person.record.id}`);
    await button(page, 'Disable').click();
    const desk = await openAs(await addAdministrator(), `/people/${administrator.record.id}`);
    await button(desk, 'Change access…').click();
    const access = desk.getByRole('dialog');
    for (const name of ['users:write', 'devices:write', 'Platform administrator']) {
      await access.getByRole('checkbox', { name }).uncheck();
    }
    await access.getByRole('button', { name: 'Save' }).click();
    await desk.getByText('It applies within a second.').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Disable Berit Strand' });
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('You need permission to manage users.').waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: 'People' }).waitFor({ state: 'detached' });
    const theirs = await openAs(person, '/');
    await button(theirs, 'Berit Strand').waitFor();
  });
});

test('a person is found, renamed, given a right, disabled and enabled by the keyboard alone', async () => {
  const person = await under.addPerson({ name: 'Kari Holm' });
  const page = await openAs(await addAdministrator(), '/people');
  const dialog = page.getByRole('dialog');
  await reachByKeys(page.getByLabel('Find a person'));
  await page.keyboard.type(person.email);
  await page.getByRole('row', { name: 'Rosalind Moorcroft' }).first().waitFor({ state: 'detached' });
  await reachByKeys(page.getByRole('link', { name: 'Kari Holm' }));
  await page.keyboard.press('Enter');

  await reachByKeys(button(page, 'Change name…'));
  await page.keyboard.press('Enter');
  await reachByKeys(dialog.getByLabel('Name'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Kari Holmgren');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Kari Holmgren', level: 1 }).waitFor();
  await expect.poll(() => focusOf(page)).toBe('button: Change name…');

  await reachByKeys(button(page, 'Change access…'));
  await page.keyboard.press('Enter');
  await reachByKeys(dialog.getByRole('checkbox', { name: 'devices:write' }));
  await page.keyboard.press('Space');
  await reachByKeys(dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await page.getByText('Edits devices of Arden Manufacturing').waitFor();
  await expect.poll(() => focusOf(page)).toBe('button: Change access…');

  await reachByKeys(button(page, 'Disable'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await reachByKeys(dialog.getByRole('button', { name: 'Disable' }));
  await page.keyboard.press('Enter');
  await page.getByText('Kari Holmgren is disabled.').waitFor();
  await expect.poll(() => focusOf(page)).toBe('button: Enable');
  await page.keyboard.press('Enter');
  await page.getByText('is enabled and can sign in again').waitFor();
  await expect.poll(() => focusOf(page)).toBe('button: Disable');
});
