/** The palette and its recents (Spec: Web client behaviors; Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlertRecord, DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aDevice, anAlert, aScript } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let person: Person;
let devices: readonly DeviceRecord[];
let alert: AlertRecord;

beforeAll(async () => {
  under = await openConsole();
  person = await under.addPerson();
  const [orgId] = under.orgIds;
  if (orgId === undefined) throw new Error('the console has no organization');
  devices = ['Zephyr', 'Zinnia', 'Zodiac', 'Zenith', 'Zebra', 'Zircon'].map((displayName, index) =>
    aDevice({ orgId, displayName, hostname: `anr-ws-000${index}`, status: 'online' }),
  );
  alert = anAlert({ orgId, title: 'Zone is unreachable' });
  await loadFleet(under.composition.backend, [
    ...[...devices, alert],
    aScript({ owner: { kind: 'organization', orgId }, name: 'Zip the logs' }),
  ]);
});

afterAll(() => under.close());

async function openSignedIn(path = '/'): Promise<Page> {
  const page = await under.openPage();
  await under.signIn(page, person, path);
  await page.getByRole('banner').waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search' });
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

/** The name of the row that Enter opens. */
async function chosen(page: Page): Promise<string> {
  const text = await page.getByRole('option', { selected: true }).first().textContent();
  return text ?? '';
}

test('the palette opens with Ctrl+K, Cmd+K, / and its button, and closes with Esc and Ctrl+K', async () => {
  const page = await openSignedIn();
  const dialog = page.getByRole('dialog', { name: 'Command palette' });
  for (const key of ['Control+k', 'Meta+k', '/']) {
    await page.keyboard.press(key);
    await dialog.waitFor();
    await page.keyboard.press(key === '/' ? 'Escape' : key);
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
  await field(page).waitFor();
  await group(page, 'Quick actions').waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  expect(under.problems()).toStrictEqual([]);
});

test('the palette finds rows, marks the match and opens one', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('Control+k');
  await field(page).fill('zin');
  await group(page, 'Devices').getByRole('option', { name: 'Zinnia' }).waitFor();
  expect(await page.locator('mark').first().textContent()).toBe('Zin');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/devices/${devices[1]?.id}`);
  expect(under.problems()).toStrictEqual([]);
});

test('late results never move the chosen row', async () => {
  const page = await openSignedIn('/scripts');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/search?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await group(page, 'Recent pages').getByRole('option', { name: 'Scripts' }).waitFor();
  await field(page).fill('s');
  await group(page, 'Recent').waitFor();
  await page.keyboard.press('ArrowDown');
  const before = await chosen(page);
  await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'attached' });
  release();
  await group(page, 'Settings').waitFor();
  expect(await chosen(page)).toBe(before);
  expect(under.problems()).toStrictEqual([]);
});

test('a late answer to an earlier text is dropped', async () => {
  const page = await openSignedIn();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/search?q=zebra&*', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.press('Control+k');
  const asked = page.waitForRequest('**/api/v1/search?q=zebra&*');
  await field(page).fill('zebra');
  await asked;
  await field(page).fill('zircon');
  await group(page, 'Devices').getByRole('option', { name: 'Zircon' }).waitFor();
  release();
  await page.getByRole('status').filter({ hasText: 'result' }).waitFor({ state: 'attached' });
  expect(await page.getByRole('option', { name: 'Zebra' }).count()).toBe(0);
});

test('the palette that could not be loaded during an outage opens after it', async () => {
  const page = await openSignedIn('/scripts');
  await page.waitForLoadState('networkidle');
  const away = /\/assets\/|\/healthz|\/readyz|\/api\//;
  await page.route(away, (route) => route.abort());
  await page.keyboard.press('Control+k');
  const line = page.getByRole('status').filter({ hasText: 'Can’t reach the server' });
  await line.waitFor();
  await page.unroute(away);
  await line.waitFor({ state: 'detached' });
  const opens = async () => {
    await page.keyboard.press('Control+k');
    return field(page)
      .waitFor({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
  };
  // The first key may reload the page.
  await expect.poll(opens).toBe(true);
});

test('the palette says that nothing was found, or that there is no connection', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('Control+k');
  await field(page).fill('qqqqqq');
  await page.getByRole('status').filter({ hasText: 'Nothing found for “qqqqqq”' }).waitFor();
  await page.route('**/api/v1/search?*', (route) => route.abort());
  await field(page).fill('zeb');
  await page.getByRole('status').filter({ hasText: 'No connection' }).waitFor();
  await page.unroute('**/api/v1/search?*');
  // The palette retries by itself.
  await group(page, 'Devices').getByRole('option', { name: 'Zebra' }).waitFor();
});

test('the palette shows recents at once while a slow server searches, and opens them', async () => {
  const page = await openSignedIn('/scripts');
  await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
  await page.goto('/alerts');
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/search?*', async (route) => {
    await held.promise;
    await route.abort().catch(() => undefined);
  });
  await page.keyboard.press('Control+k');
  const asked = page.waitForRequest('**/api/v1/search?*');
  await field(page).fill('scr');
  await group(page, 'Recent').getByRole('option', { name: 'Scripts' }).waitFor();
  await asked;
  await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/scripts');
  held.resolve();
  expect(under.problems()).toStrictEqual([]);
});

test('the palette shows the server’s error, keeps local rows, and searches again for the next text', async () => {
  const page = await openSignedIn('/scripts');
  await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
  await page.route('**/api/v1/search?q=scripts&*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'overloaded', detail: 'Too many searches at once: try again shortly.' }),
    }),
  );
  await page.keyboard.press('Control+k');
  await field(page).fill('scripts');
  await page.getByRole('status').filter({ hasText: 'Too many searches at once' }).waitFor();
  await group(page, 'Recent').getByRole('option', { name: 'Scripts' }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await field(page).fill('zip');
  await group(page, 'Scripts').getByRole('option', { name: 'Zip the logs' }).waitFor();
  expect(await page.getByText('Too many searches at once').count()).toBe(0);
  expect(under.problems()).toStrictEqual([]);
});

test('the palette forgets a deleted device once someone tries to open it', async () => {
  const page = await under.openPage();
  const owner = await under.addPerson();
  await under.signIn(page, owner, '/alerts');
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  const gone = '019a0000-0000-7000-8000-00000000dead';
  await page.evaluate(
    ([key, id]) =>
      localStorage.setItem(
        key as string,
        JSON.stringify({ devices: [{ id, title: 'Zombie', organization: 'Arden' }], pages: [] }),
      ),
    [`fleetsift.recents.${owner.record.id}`, gone],
  );
  await page.keyboard.press('Control+k');
  await group(page, 'Recent devices').getByRole('option', { name: 'Zombie' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('This device does not exist').waitFor();
  await page.keyboard.press('Control+k');
  await group(page, 'Quick actions').waitFor();
  await page.getByRole('option', { name: 'Zombie' }).waitFor({ state: 'detached' });
  expect(under.problems()).toStrictEqual([]);
});

test('the palette keeps the last five devices and the pages separately for each person', async () => {
  const page = await under.openPage();
  const owner = await under.addPerson();
  await under.signIn(page, owner, '/alerts');
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  for (const device of devices) {
    await page.goto(`/devices/${device.id}`);
    await page.waitForFunction(
      ([key, id]) => localStorage.getItem(key as string)?.includes(id as string) === true,
      [`fleetsift.recents.${owner.record.id}`, device.id],
    );
  }
  await page.keyboard.press('Control+k');
  await group(page, 'Recent pages').getByRole('option', { name: 'Alerts' }).waitFor();
  const names = await group(page, 'Recent devices').getByRole('option').allTextContents();
  expect(names.map((name) => name.replace('Arden Manufacturing', ''))).toStrictEqual([
    'Zircon',
    'Zebra',
    'Zenith',
    'Zodiac',
    'Zinnia',
  ]);
  await page.keyboard.press('Escape');

  // Another person at the same browser has other recents.
  const other = await under.addPerson();
  await page.evaluate(() => fetch('/api/v1/auth/session', { method: 'DELETE' }));
  await under.signIn(page, other, '/patches');
  await page.getByRole('heading', { name: 'Patches', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await group(page, 'Recent pages').waitFor();
  expect(await group(page, 'Recent devices').count()).toBe(0);
  await page.keyboard.press('Escape');

  // The first person still has the old ones.
  await page.evaluate(() => fetch('/api/v1/auth/session', { method: 'DELETE' }));
  await under.signIn(page, owner, '/scripts');
  await page.getByRole('heading', { name: 'Scripts', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await group(page, 'Recent devices').getByRole('option', { name: 'Zircon' }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('the palette lists commands after > and runs them', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('Control+k');
  await field(page).fill('>dark');
  await page.getByRole('option', { name: 'Theme: dark' }).waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme="dark"]').waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('the palette opens an alert at its own page', async () => {
  const page = await openSignedIn();
  await page.keyboard.press('Control+k');
  await field(page).fill('zone is unreach');
  await group(page, 'Alerts').getByRole('option', { name: 'Zone is unreachable' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/alerts/${alert.id}`);
  await page.getByRole('heading', { name: 'Zone is unreachable', level: 1 }).waitFor();
  expect(under.problems()).toStrictEqual([]);
});

test('the palette lists organizations after @ and opens the devices of one', async () => {
  const page = await under.openPageAs(await under.addPerson({ membership: { scope: 'system' } }));
  await page.goto('/');
  await page.getByRole('banner').waitFor();
  await page.keyboard.press('Control+k');
  await field(page).fill('@arden');
  const options = group(page, 'Organizations').getByRole('option');
  await expect.poll(() => options.allTextContents()).toHaveLength(1);
  expect(await chosen(page)).toMatch(/^Arden Manufacturing.* · 6 devices$/);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/devices');
  expect(new URL(page.url()).searchParams.get('org')).toBe(under.orgIds[0]);
  expect(under.problems()).toStrictEqual([]);
});

test('Ctrl+C in the palette copies the name of the chosen device', async () => {
  const page = await openSignedIn();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+k');
  await field(page).fill('zodiac');
  await group(page, 'Devices').getByRole('option', { name: 'Zodiac' }).waitFor();
  await page.keyboard.press('Control+c');
  await page.getByRole('status').filter({ hasText: 'Zodiac' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Zodiac');
  expect(under.problems()).toStrictEqual([]);
});

test('the palette keeps the last eight pages, the newest first', async () => {
  const page = await under.openPage();
  const owner = await under.addPerson();
  await under.signIn(page, owner, '/alerts');
  const visits = [
    'Alerts',
    'Scripts',
    'Patches',
    'Organizations',
    'Saved filters',
    'Profile',
    'Security',
    'API keys',
  ];
  await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
  const paths = [
    '/scripts',
    '/patches',
    '/organizations',
    '/filters',
    '/settings/profile',
    '/settings/security',
  ];
  for (const path of [...paths, '/settings/api-keys', '/devices']) {
    await page.goto(path);
    await page.waitForFunction(
      ([key, wanted]) => localStorage.getItem(key as string)?.includes(`"${wanted}"`) === true,
      [`fleetsift.recents.${owner.record.id}`, path],
    );
  }
  await page.keyboard.press('Control+k');
  const options = group(page, 'Recent pages').getByRole('option');
  await options.first().waitFor();
  // Nine pages were opened, so the first one is gone.
  expect(await options.allTextContents()).toStrictEqual([
    'Devices & Assets',
    ...visits.slice(1).toReversed(),
  ]);
  expect(under.problems()).toStrictEqual([]);
});
