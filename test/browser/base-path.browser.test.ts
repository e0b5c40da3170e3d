/** The console below a path of its origin (Contract: §15, BASE_URL). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aDevice } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

beforeAll(async () => {
  under = await openConsole({ baseUrl: 'http://portal.example/tools/fleet' });
});

afterAll(() => under.close());

test('signing in, finding, opening, reloading and the account deletion page stay below the path', async () => {
  const [orgId] = under.orgIds as [(typeof under.orgIds)[number]];
  const devices = ['base-01', 'base-02'].map((hostname) => aDevice({ orgId, hostname }));
  await loadFleet(under.composition.backend, devices);
  const person = await under.addPerson();
  const page = await under.openPage();
  const elsewhere: string[] = [];
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/tools/fleet/')) elsewhere.push(pathname);
  });
  const at = (path: string) => page.waitForURL((url) => url.pathname === `/tools/fleet${path}`);

  await page.goto('/tools/fleet/devices?q=host%3Abase');
  await at('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await at('/devices');
  await page.getByText('2 devices').first().waitFor();
  const filter = page.getByRole('textbox', { name: 'Filter devices' });
  await filter.fill('host:base-02');
  await filter.press('Enter');
  await page.getByText('1 device').first().waitFor();
  expect(page.url()).toContain('/tools/fleet/devices?');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('base-01');
  await page.getByRole('option', { name: 'base-01' }).waitFor();
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Control+Enter');
  const tab = await opened;
  await tab.getByRole('heading', { level: 1, name: 'base-01' }).waitFor();
  await tab.close();
  await page.keyboard.press('Enter');
  await at(`/devices/${devices[0]?.id}`);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'base-01' }).waitFor();
  await page.getByRole('link', { name: 'Alerts' }).first().click();
  await at('/alerts');
  await page.goBack();
  await at(`/devices/${devices[0]?.id}`);

  await page.getByRole('button', { name: person.record.name }).click();
  await page.getByRole('menuitem', { name: 'Delete account' }).click();
  await page.getByRole('heading', { name: 'Delete account' }).waitFor();
  await at('/account/delete');
  await page.reload();
  await page.getByRole('link', { name: /factor|authentication/i }).click();
  await at('/settings/security');
  await page.goto('/tools/fleet/nowhere');
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await at('/');

  await page.getByRole('button', { name: person.record.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await at('/login');
  await page.goto('/tools/fleet/account/delete');
  await page.getByLabel('Email').waitFor();
  await at('/login');
  await page.getByRole('link', { name: 'Fleetsift' }).click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await page.goto('/tools/fleet/docs');
  await page.getByRole('link', { name: 'openapi.json' }).click();
  await at('/api/v1/openapi.json');
  expect(elsewhere).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});

test('after an outage, the console asks below the path whether the service is back', async () => {
  const person = await under.addPerson();
  const page = await under.openPage({ isSpoilt: true });
  await page.goto('/tools/fleet/devices');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('2 devices').first().waitFor();
  const api = /\/tools\/fleet\/api\//;
  await page.route(api, (route) => route.abort());
  const probe = page.waitForRequest((request) => request.url().endsWith('/readyz'));
  await page.getByRole('textbox', { name: 'Filter devices' }).fill('host:base-01');
  await page.getByRole('status').filter({ hasText: 'Can’t reach the server' }).waitFor();
  expect(new URL((await probe).url()).pathname).toBe('/tools/fleet/readyz');
  await page.unroute(api);
  await page.getByText('1 device').first().waitFor();
});
