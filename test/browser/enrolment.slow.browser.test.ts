/** "Add a machine" and the keys of an organization (Contract: §13; issue 11): the line that is shown works. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aPartner } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole();
});

afterAll(() => under.close());

/** The status that an agent with the key gets. */
async function contact(key: string): Promise<number> {
  const answer = await fetch(`${under.url}/inventory`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      action: 'contact',
      deviceid: 'desk-2026-11-22-10-00-00',
      name: 'GLPI-Agent',
      version: '1.15',
    }),
  });
  return answer.status;
}

test('a machine is added by a command that is shown once, until its key is revoked', async () => {
  const person = await under.addPerson({ hasFactor: true, permissions: ['devices:write'] });
  const page = await under.openPage();
  await under.signIn(page, person, '/');
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Add a machine' }).click();

  const dialog = page.getByRole('dialog');
  await page.getByRole('dialog', { name: 'Add a machine' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/organizations');
  await dialog.getByLabel('Key name').fill('Laptops');
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();

  await page.getByRole('dialog', { name: 'Run this on the machine' }).waitFor();
  await dialog.getByLabel('Operating system').selectOption('Windows');
  await dialog.getByText('RUNNOW=1').waitFor();
  await dialog.getByLabel('Operating system').selectOption('Linux');
  const download = dialog.getByRole('link', { name: 'Download the GLPI Agent' });
  expect(await download.getAttribute('href')).toBe(
    'https://github.com/glpi-project/glpi-agent/releases/latest',
  );
  await dialog.getByText(`The address ${under.url} works on this machine only.`).waitFor();
  const line = await dialog.locator('code').innerText();
  expect(line).toMatch(
    /^sudo glpi-agent --server 'http:\/\/any:fse_[\w-]+@[^']+\/inventory' && echo 'server = /,
  );
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  const key = /any:([^@]+)@/.exec(line)?.[1] ?? '';
  expect(await contact(key)).toBe(200);
  await dialog.getByRole('button', { name: 'Copy' }).first().focus();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Close this for good?' });
  await question.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });

  await page.getByRole('button', { name: /^Enrolment keys for / }).click();
  await page.getByRole('row', { name: 'Laptops' }).waitFor();
  expect(await page.getByText(key).count()).toBe(0);
  await page.reload();
  await page.getByRole('button', { name: 'Revoke Laptops' }).click();
  await page
    .getByRole('dialog', { name: 'Revoke “Laptops”' })
    .getByRole('button', { name: 'Revoke key' })
    .click();
  await page.getByText('No enrolment keys').waitFor();
  expect(await contact(key)).toBe(401);
  expect(under.problems()).toStrictEqual([]);
});

test('an empty fleet offers to add a machine, or says whom to ask', async () => {
  const adder = await under.addPerson({ permissions: ['devices:write'], hasFactor: true });
  const page = await under.openPage();
  await under.signIn(page, adder);
  await page.getByRole('link', { name: 'Add a machine' }).waitFor();
  await page.goto('/devices');
  await page.getByRole('link', { name: 'Add a machine' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByRole('link', { name: 'Add a machine' }).click();
  await page.getByRole('dialog', { name: 'Add a machine' }).getByLabel('Key name').waitFor();

  const other = await under.openPage();
  await under.signIn(other, await under.addPerson(), '/devices');
  await other.getByText('Ask an administrator to add the first machine').waitFor();
  expect(await other.getByRole('link', { name: 'Add a machine' }).count()).toBe(0);
  expect(under.problems()).toStrictEqual([]);
});

test('people without access to any organization are told so wherever one is needed', async () => {
  const partner = aPartner();
  await loadFleet(under.composition.backend, [partner]);
  const person = await under.addPerson({
    membership: { scope: 'partner', partnerId: partner.id, orgIds: null },
    permissions: ['devices:write'],
    hasFactor: true,
  });
  const page = await under.openPageAs(person);
  await page.goto('/');
  await page.getByRole('link', { name: 'Add a machine' }).click();
  await page.getByText('You don’t have access to any organization').waitFor();
  expect(await page.getByRole('button', { name: 'Add a machine' }).count()).toBe(0);
  const refusal = page.getByRole('alert').getByText('your account has no organization');
  await page.goto('/filters/new?q=os%3Alinux');
  await page.getByLabel('Name').fill('Linux');
  await page.getByRole('button', { name: 'Save' }).click();
  await refusal.waitFor();
  await page.goto('/devices?q=os%3Alinux');
  await page.getByRole('button', { name: 'Save as filter' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Linux');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await refusal.waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('a person with access to a service without organizations is told how to create the first one', async () => {
  const page = await under.openPageAs(await under.addPerson({ membership: { scope: 'system' } }));
  await page.route('**/api/v1/organizations', (route) => route.fulfill({ json: { data: [] } }));
  await page.goto('/organizations');
  await page.getByText('fleetsift org create --name NAME').waitFor();
  await page.getByRole('button', { name: 'Copy command' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);

  // Who may create one has a button for it, and needs no command.
  const administrator = { permissions: ['users:write'], hasFactor: true } as const;
  const partner = aPartner();
  await loadFleet(under.composition.backend, [partner]);
  for (const membership of [
    { scope: 'system' },
    { scope: 'partner', partnerId: partner.id, orgIds: null },
  ] as const) {
    const theirs = await under.openPageAs(await under.addPerson({ ...administrator, membership }));
    await theirs.route('**/api/v1/organizations', (route) => route.fulfill({ json: { data: [] } }));
    await theirs.goto('/organizations');
    await theirs.getByRole('button', { name: 'New organization' }).waitFor();
    await theirs.getByText('You can create the first one above.').waitFor();
    expect(await theirs.getByRole('button', { name: 'Copy command' }).count()).toBe(0);
  }
});

test('adding a machine needs a second factor, and is hidden from people who may not do it', async () => {
  const bare = await under.addPerson({ permissions: ['devices:write'] });
  const page = await under.openPage();
  await under.signIn(page, bare, '/organizations?add=machine');
  await page.getByText('You need a second factor to create a key').waitFor();

  const reader = await under.addPerson();
  const other = await under.openPage();
  await under.signIn(other, reader, '/organizations?add=machine');
  await other.getByRole('table', { name: 'Organizations' }).waitFor();
  expect(await other.getByRole('button', { name: /machine|Enrolment/ }).count()).toBe(0);
  await other.keyboard.press('Control+k');
  await other.getByRole('option', { name: 'Export devices' }).waitFor();
  expect(await other.getByRole('option', { name: 'Add a machine' }).count()).toBe(0);
  expect(under.problems()).toStrictEqual([]);
});
