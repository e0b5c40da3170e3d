/** The dashboard: every number links to what it counts (Contract: §14; GET /summary: §10). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { aDevice, anAlert } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;

const DAY_MS = 86_400_000;

beforeAll(async () => {
  under = await openConsole();
  const [orgId, otherOrgId] = under.orgIds;
  if (orgId === undefined || otherOrgId === undefined)
    throw new Error('the console has too few organizations');
  const now = Date.now();
  await loadFleet(under.composition.backend, [
    aDevice({ orgId, osType: 'windows', lastSeenAt: now, deviceRole: 'workstation' }),
    aDevice({
      orgId,
      osType: 'windows',
      lastSeenAt: now - 8 * DAY_MS,
      status: 'offline',
      rebootRequired: true,
    }),
    aDevice({
      orgId,
      osType: 'linux',
      lastSeenAt: now - 40 * DAY_MS,
      status: 'maintenance',
      deviceRole: 'server',
    }),
    aDevice({ orgId: otherOrgId, osType: 'macos', lastSeenAt: now, status: 'quarantined' }),
    aDevice({
      orgId,
      lastSeenAt: now - 40 * DAY_MS,
      status: 'decommissioned',
      rebootRequired: true,
      patches: [{ id: null, title: 'KB1', status: 'pending' }],
    }),
    aDevice({ orgId, status: 'decommissioned' }),
    aDevice({ orgId: otherOrgId, patches: [{ id: null, title: 'KB1', status: 'pending' }] }),
    anAlert({ orgId: otherOrgId }),
    anAlert({ orgId: otherOrgId, severity: 'high' }),
  ]);
});

afterAll(() => under.close());

test('every device count links to a list of that many devices', async () => {
  const person = await under.addPerson({ membership: { scope: 'system' } });
  const page = await under.openPage();
  await under.signIn(page, person);
  await page.getByRole('link', { name: '7 Devices' }).waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  const links = page.getByRole('main').locator('a[href^="/devices?"]');
  const number = await links.count();
  expect(number).toBeGreaterThan(16);
  for (let index = 0; index < number; index += 1) {
    const link = links.nth(index);
    const text = ((await link.textContent()) ?? '').replace(/\b(?:7|30) days/, '');
    await link.click();
    const status = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /devices?$/ })
      .first();
    await status.waitFor();
    await expect
      .poll(() => status.textContent(), { message: text })
      .toMatch(new RegExp(`^${/\d+/.exec(text)?.[0]} devices?$`));
    await page.goBack();
    await page.getByRole('link', { name: '7 Devices' }).waitFor();
    await page.getByRole('rowheader').first().waitFor();
  }
  expect(under.problems()).toStrictEqual([]);
});

test('the numbers of alerts and the link to duplicates lead there', async () => {
  const person = await under.addPerson({ membership: { scope: 'system' } });
  const page = await under.openPageAs(person);
  await page.goto('/');
  for (const severity of ['Critical', 'High']) {
    await page.getByRole('link', { name: `1 ${severity} alerts` }).click();
    const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row');
    await rows.filter({ hasText: severity }).waitFor();
    // The other row is the head.
    expect(await rows.count()).toBe(2);
    await page.goBack();
  }
  await page.getByRole('link', { name: 'Devices that may be duplicates' }).click();
  await page.getByRole('heading', { name: 'Duplicates', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/devices/duplicates');
  expect(under.problems()).toStrictEqual([]);
});

test.each([1440, 1280, 1160, 1024, 860, 700, 375])(
  'no number overflows its card at %s pixels',
  async (width) => {
    const person = await under.addPerson({ membership: { scope: 'system' } });
    const page = await under.openPageAs(person, { width, height: 800 });
    // Numbers as wide as they can get.
    await page.route('**/api/v1/summary*', async (route) => {
      const answer = await route.fetch();
      const summary = JSON.parse((await answer.text()).replaceAll(/:(\d+)/g, ':10000$1'));
      await route.fulfill({ response: answer, json: summary });
    });
    await page.goto('/');
    const card = page.getByRole('region', { name: 'By status' });
    await card.getByRole('link', { name: /Decommissioned/ }).waitFor();
    const outside = await card.evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      return [...element.querySelectorAll('a, svg')].filter(
        (one) => one.getBoundingClientRect().right > right,
      ).length;
    });
    expect(outside).toBe(0);
  },
);

test.each(['/alerts', '/summary'])('the dashboard reports a failure of %s, and can retry', async (part) => {
  const person = await under.addPerson({ membership: { scope: 'system' } });
  const page = await under.openPage();
  const some = new RegExp(`/api/v1${part}\\?`);
  await page.route(some, (route) => route.fulfill({ status: 422 }));
  await under.signIn(page, person);
  const alert = page.getByRole('main').getByRole('alert');
  await alert.waitFor();
  await page.unroute(some);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('rowheader', { name: 'Borealis Health' }).waitFor();
  await alert.waitFor({ state: 'detached' });
});

test('the organization with the most problems is listed first, and links to its own numbers', async () => {
  const person = await under.addPerson({ membership: { scope: 'system' } });
  const page = await under.openPage();
  await under.signIn(page, person);
  const table = page.getByRole('table', { name: 'Organizations needing attention' });
  await table.getByRole('row', { name: /Borealis Health/ }).waitFor();
  expect(await table.getByRole('rowheader').allTextContents()).toStrictEqual([
    'Borealis Health',
    'Arden Manufacturing',
  ]);
  await table.getByRole('link', { name: 'Borealis Health' }).click();
  await page.getByRole('link', { name: '2 Devices' }).waitFor();
  expect(new URL(page.url()).searchParams.get('org')).toBe(under.orgIds[1]);
  expect(under.problems()).toStrictEqual([]);
});
