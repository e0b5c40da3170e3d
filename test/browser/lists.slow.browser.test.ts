/** The lists other than the devices, the pages of a host product, and unknown addresses (Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import {
  aDevice,
  anAlert,
  anOrganization,
  aPartner,
  aScript,
  newId,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let person: Person;
let page: Page;
let arden: OrgId;

const till = aDevice({ orgId: newId(), hostname: 'TILL-3', displayName: 'Till 3', lastSeenAt: SOME_INSTANT });

beforeAll(async () => {
  under = await openConsole();
  const [first, second] = under.orgIds as [OrgId, OrgId];
  arden = first;
  const devices = [
    {
      ...till,
      orgId: first,
      patches: [
        { id: newId<'patch'>(), title: 'Firefox 145', status: 'pending' as const },
        { id: newId<'patch'>(), title: 'Windows 11 24H2', status: 'failed' as const },
      ],
    },
    aDevice({ orgId: second, hostname: 'WARD-1' }),
    aDevice({ orgId: second, hostname: 'WARD-2' }),
  ];
  await loadFleet(under.composition.backend, [
    ...devices,
    anAlert({ orgId: first, deviceId: till.id, title: 'Drawer is open', severity: 'high' }),
    ...Array.from({ length: 60 }, (_, i) =>
      anAlert({ orgId: second, title: `Old ${i}`, status: 'resolved', createdAt: SOME_INSTANT - i }),
    ),
    aScript({ owner: { kind: 'organization', orgId: first }, name: 'Clear the spooler' }),
    aScript({ owner: { kind: 'organization', orgId: second }, name: 'Restart the agent' }),
  ]);
  person = await under.addPerson({ membership: { scope: 'system' } });
  page = await under.openPage();
  await under.signIn(page, person);
});

afterAll(() => under.close());

const rowsOf = (name: string) => page.getByRole('table', { name }).getByRole('row');

/** The text in the first cell of each row. */
async function firstCells(name: string): Promise<readonly string[]> {
  const cells = await rowsOf(name).locator('td:first-child').allInnerTexts();
  return cells.map((text) => text.trim());
}

test('the organization picker appears without moving the navigation', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/organizations*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/scripts');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' });
  const before = await link.boundingBox();
  release();
  await page.getByRole('button', { name: 'Organization: All organizations' }).waitFor();
  expect(await link.boundingBox()).toStrictEqual(before);
  await page.unroute('**/api/v1/organizations*');
});

test('organizations that failed to load can be loaded again from the picker', async () => {
  await page.route('**/api/v1/organizations*', (route) => route.fulfill({ status: 422 }));
  await page.goto('/scripts');
  const again = page.getByRole('button', { name: 'Load organizations again' });
  await again.waitFor();
  await page.unroute('**/api/v1/organizations*');
  await again.click();
  await page.getByRole('button', { name: 'Organization: All organizations' }).waitFor();
});

describe('organizations', () => {
  test('are searched and sorted in the address, and link to their devices', async () => {
    await page.goto('/organizations');
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.getByRole('status').filter({ hasText: '2 organizations' }).waitFor();
    await expect
      .poll(() => firstCells('Organizations'))
      .toStrictEqual(['Arden Manufacturing', 'Borealis Health']);

    await page.getByRole('button', { name: 'Devices' }).click();
    await page.waitForURL(/sort=-devices/);
    await page.reload();
    await page.getByRole('status').filter({ hasText: '2 organizations' }).waitFor();
    await expect
      .poll(() => firstCells('Organizations'))
      .toStrictEqual(['Borealis Health', 'Arden Manufacturing']);

    await page.getByRole('searchbox', { name: 'Find an organization' }).fill('ARDEN');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 organization$/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('ARDEN');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    const count = page.getByRole('row', { name: 'Arden Manufacturing' }).getByRole('link', { name: '1' });
    expect(await count.getAttribute('href')).toBe(`/devices?org=${arden}`);
  });

  test('narrow the other lists', async () => {
    await page.goto(`/scripts?org=${arden}`);
    await page
      .getByRole('status')
      .filter({ hasText: /^1 script$/ })
      .waitFor();
    await expect.poll(() => firstCells('Scripts')).toStrictEqual(['Clear the spooler']);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 alert$/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('org')).toBe(arden);
  });
});

describe('alerts', () => {
  test('are loaded page by page, newest first', async () => {
    await page.goto('/alerts');
    await page
      .getByRole('status')
      .filter({ hasText: /^61 alerts$/ })
      .waitFor();
    expect(await firstCells('Alerts')).toHaveLength(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^61 alerts$/ })
      .waitFor();
    expect((await firstCells('Alerts')).slice(0, 2)).toStrictEqual(['Drawer is open', 'Old 0']);
  });

  test('are filtered in the address, and link to their device', async () => {
    await page.goto('/alerts');
    await page.getByLabel('Severity').selectOption('High');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 alert$/ })
      .waitFor();
    expect(new URL(page.url()).search).toBe('?severity=high');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    const link = page.getByRole('row', { name: 'Drawer is open' }).getByRole('link', { name: 'Till 3' });
    expect(await link.getAttribute('href')).toBe(`/devices/${till.id}`);

    await page.getByLabel('Status').selectOption('Resolved');
    await page.getByText('No matching alerts').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^61 alerts$/ })
      .waitFor();
  });

  test('are all listed if the address has unknown filter values', async () => {
    await page.goto('/alerts?severity=worst&status=1');
    await page
      .getByRole('status')
      .filter({ hasText: /^61 alerts$/ })
      .waitFor();
  });
});

test('scripts are searched during typing, and the address keeps the search', async () => {
  await page.goto('/scripts');
  await page
    .getByRole('status')
    .filter({ hasText: /^2 scripts$/ })
    .waitFor();
  await page.getByRole('searchbox', { name: 'Search scripts' }).fill('2020');
  await page.getByText('No scripts match “2020”').waitFor();
  await page.reload();
  await page.getByText('No scripts match “2020”').waitFor();
  await expect.poll(() => page.getByRole('searchbox', { name: 'Search scripts' }).inputValue()).toBe('2020');
  await page.getByRole('searchbox', { name: 'Search scripts' }).fill('agent');
  await page
    .getByRole('status')
    .filter({ hasText: /^1 script$/ })
    .waitFor();
  await expect.poll(() => firstCells('Scripts')).toStrictEqual(['Restart the agent']);
  expect(await accessibilityFaults(page)).toStrictEqual([]);
});

test('patches show their counts, and are filtered by status', async () => {
  await page.goto('/patches?status=failed');
  await page
    .getByRole('status')
    .filter({ hasText: /^1 patch$/ })
    .waitFor();
  const [, row] = await rowsOf('Patches').allInnerTexts();
  expect(row?.split(/\s*\t\s*/)).toStrictEqual(['Windows 11 24H2', '0', '0', '1']);
  expect(await page.getByRole('link', { name: '1', exact: true }).getAttribute('href')).toBe(
    '/devices?q=patches.failedTitle%3A%3D%22Windows+11+24H2%22',
  );
  const pending = page.getByRole('link', { name: 'Devices with pending patches' });
  expect(await pending.getAttribute('href')).toBe('/devices?q=patches.pending%3Ayes');
  expect(await accessibilityFaults(page)).toStrictEqual([]);
});

test('a failed list says why, with the request id, and can try again', async () => {
  await page.route('**/api/v1/patches*', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'filter_timeout', detail: 'It took too long.', requestId: 'request-7' }),
    }),
  );
  await page.goto('/patches');
  const alert = page.getByRole('alert').filter({ hasText: 'It took too long.' });
  await alert.getByText('request-7').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await alert.getByRole('button', { name: 'Copy ID' }).click();
  await alert.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('request-7');
  await page.unroute('**/api/v1/patches*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^2 patches$/ })
    .waitFor();
});

test('a list whose answer breaks off is requested again, and then reports the failure', async () => {
  let asked = 0;
  await page.route('**/api/v1/patches*', (route) => {
    asked += 1;
    return route.fulfill({ contentType: 'application/json', body: '{"data":[{"title":"Fire' });
  });
  await page.goto('/patches');
  await page.getByRole('alert').filter({ hasText: 'The answer of the server broke off.' }).waitFor();
  expect(asked).toBe(3);
  await page.unroute('**/api/v1/patches*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^2 patches$/ })
    .waitFor();
});

describe('a page of a host product', () => {
  const HOST_PLACES = [
    ['/incidents', 'Incidents', 'NAV_INCIDENTS_URL'],
    ['/remote-access', 'Remote Access', 'NAV_REMOTE_ACCESS_URL'],
    ['/vulnerabilities', 'Vulnerabilities', 'NAV_VULNERABILITIES_URL'],
  ] as const;

  test.each(HOST_PLACES)('says that it is not set up: %s', async (path, title, setting) => {
    await page.goto(path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.getByText(`${title} is not set up`).waitFor();
    expect(await page.getByText(setting).count()).toBe(0);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
  });

  test('tells only platform administrators which setting it needs', async () => {
    const platform = await under.addPerson({ membership: { scope: 'system' }, isPlatformAdmin: true });
    const theirs = await under.openPageAs(platform);
    for (const [path, , setting] of HOST_PLACES) {
      await theirs.goto(path);
      await theirs.getByText(setting).waitFor();
    }
  });

  test('is in the navigation and the palette only if its address is set', async () => {
    const main = page.getByRole('navigation', { name: 'Main' });
    await page.goto('/scripts');
    await main.getByRole('link', { name: 'Scripts' }).waitFor();
    for (const [, title] of HOST_PLACES)
      expect(await main.getByRole('link', { name: title }).count()).toBe(0);
    await page.route('**/settings.json', (route) =>
      route.fulfill({
        json: {
          hostPages: { incidents: null, remoteAccess: 'https://remote.example/', vulnerabilities: null },
        },
      }),
    );
    await page.reload();
    await main.getByRole('link', { name: 'Remote Access' }).waitFor();
    expect(await main.getByRole('link', { name: 'Incidents' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('>go to');
    await page.getByRole('option', { name: 'Go to Remote Access' }).waitFor();
    expect(await page.getByRole('option', { name: /^Go to (?:Incidents|Vulnerabilities)/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.unroute('**/settings.json');
  });

  test('redirects to its address', async () => {
    await page.route('**/settings.json', (route) =>
      route.fulfill({
        json: {
          hostPages: { incidents: `${under.url}/healthz`, remoteAccess: null, vulnerabilities: null },
        },
      }),
    );
    await page.goto('/incidents');
    await page.waitForURL('**/healthz');
    await page.unroute('**/settings.json');
  });
});

test('an unknown address gets status 404 and a page that links to the dashboard', async () => {
  const answer = await page.goto('/nowhere/at-all');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await page.getByText('/nowhere/at-all').waitFor();
  expect(await accessibilityFaults(page)).toStrictEqual([]);
  await page.getByRole('link', { name: 'Go to dashboard' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
});

test('an unreachable server is reported at the top until it is back, without moving the page', async () => {
  await page.goto('/organizations');
  await page.getByRole('status').filter({ hasText: '2 organizations' }).waitFor();
  const heading = page.getByRole('heading', { level: 1 });
  await page.route('**/api/v1/scripts*', (route) => route.abort());
  await page.getByRole('link', { name: 'Scripts' }).click();
  const line = page.getByRole('status').filter({ hasText: 'Can’t reach the server' });
  await line.waitFor();
  const withLine = await heading.boundingBox();
  await page.unroute('**/api/v1/scripts*');
  await line.waitFor({ state: 'detached' });
  await page
    .getByRole('status')
    .filter({ hasText: /^2 scripts$/ })
    .waitFor();
  expect((await heading.boundingBox())?.y).toBe(withLine?.y);
});

test('an outage is reported once, typed text stays, and failed requests are repeated afterwards', async () => {
  await page.goto('/devices');
  await page.getByRole('status').getByText('3 devices', { exact: true }).waitFor();
  const away = /\/api\/|\/assets\/|\/healthz|\/readyz/;
  await page.route(away, (route) => route.abort());
  const field = page.getByRole('textbox', { name: 'Filter devices' });
  await field.fill('host:ward');
  await page.getByRole('status').filter({ hasText: 'Can’t reach the server' }).waitFor();
  expect(await page.getByText('Can’t reach the server').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  expect(await page.getByText('Can’t reach the server').count()).toBe(1);
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe('host:ward');
  expect(await page.getByText('Can’t reach the server').count()).toBe(1);
  await page.unroute(away);
  await page.getByRole('status').getByText('2 devices', { exact: true }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Can’t reach the server' }).waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('host:ward');
  // React logs the error behind an error page.
  const others = under.problems().filter((problem) => !problem.includes('The server cannot be reached'));
  expect(others).toStrictEqual([]);
});

test('status 503 counts as an unreachable server', async () => {
  const body = JSON.stringify({ code: 'unavailable', detail: 'The database cannot be reached.' });
  const away = /\/api\/v1\/scripts|\/readyz/;
  await page.route(away, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
  );
  await page.goto('/scripts');
  await page.getByRole('status').filter({ hasText: 'Can’t reach the server' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.unroute(away);
  await page
    .getByRole('status')
    .filter({ hasText: /^2 scripts$/ })
    .waitFor();
});

test.each([
  ['ar-EG', '١٬٢٣٤ devices', /[٠-٩] أشهر/],
  ['de-DE', '1.234 devices', /^(?:vor|in) \d/],
  ['tr-TR', '1.234 devices', /\d ay (?:önce|sonra)/],
])('numbers and dates follow the language of the reader: %s', async (locale, count, span) => {
  const foreign = await under.openPage({ locale, isSpoilt: true });
  await foreign.route('**/api/v1/devices/query', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCount: 1_234 } });
  });
  await under.signIn(foreign, person, '/devices?q=host%3Atill&columns=name%2ClastSeen');
  await foreign.getByRole('status').getByText(count, { exact: true }).waitFor();
  await expect.poll(() => foreign.locator('td time').first().innerText()).toMatch(span);
  expect(await foreign.locator('html').getAttribute('dir')).toBeNull();
  expect(await foreign.locator('td time').first().getAttribute('dir')).toBe('auto');
});

test('no page is wider than a small screen', async () => {
  const small = await under.openPage({ width: 360, height: 740 });
  await under.signIn(small, person);
  const widths: Record<string, number> = {};
  for (const path of [
    '/organizations',
    '/alerts',
    '/scripts',
    '/patches',
    '/incidents',
    '/settings/profile',
    '/settings/security',
    '/settings/api-keys',
    '/nowhere',
  ]) {
    await small.goto(path);
    await small.getByRole('heading', { level: 1 }).waitFor();
    await small.waitForLoadState('networkidle');
    widths[path] = await small.evaluate('document.documentElement.scrollWidth');
  }
  expect(Object.entries(widths).filter(([, width]) => width > 360)).toStrictEqual([]);
});

test('the pages above caused no errors', () => {
  expect(under.problems()).toStrictEqual([]);
});

test('one of many organizations is found by a part of its name, by keys alone', async () => {
  const partner = aPartner();
  const many = Array.from({ length: 40 }, (_, i) =>
    anOrganization({ partnerId: partner.id, name: `Customer ${i} of Zürich` }),
  );
  await loadFleet(under.composition.backend, [partner, ...many]);
  const manager = await under.addPerson({
    membership: { scope: 'partner', partnerId: partner.id, orgIds: null },
  });
  const own = await under.openPage();
  await under.signIn(own, manager, '/devices');
  const button = own.getByRole('button', { name: 'Organization: All organizations' });
  await button.focus();
  await own.keyboard.press('Enter');
  const search = own.getByRole('searchbox', { name: 'Find an organization' });
  await search.waitFor();
  await own.keyboard.type('nobody');
  await own.getByText('No matching organizations').waitFor();
  await own.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  // A closed list gives the focus back in the next frame.
  await button.and(own.locator(':focus')).waitFor();
  await own.keyboard.press('Enter');
  await search.waitFor();
  await own.keyboard.type('r 37 of zur');
  await expect.poll(() => own.getByRole('option').count()).toBe(1);
  await own.keyboard.press('Enter');
  const chosen = own.getByRole('button', { name: 'Organization: Customer 37 of Zürich' });
  await chosen.and(own.locator(':focus')).waitFor();
  expect(new URL(own.url()).searchParams.get('org')).toBe(many[37]?.id);
  expect(under.problems()).toStrictEqual([]);
});
