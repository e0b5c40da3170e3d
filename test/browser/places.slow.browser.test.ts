/** What all places share: names in breadcrumbs and tabs, narrowing to one organization, a lost connection. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrgId } from '#domain/ids.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { aDevice, aFilter, anAuditEntry, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aPendingRequest } from '#test/support/deletions.ts';
import { loadFleet } from '#test/support/tenant.ts';

const QUEUE = '/admin/account-deletion-requests';

let under: ConsoleUnderTest;
let arden: OrgId;
let borealis: OrgId;

beforeAll(async () => {
  under = await openConsole();
  [arden, borealis] = under.orgIds as [OrgId, OrgId];
});

afterAll(() => under.close());

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

function anAdministrator(): Promise<Person> {
  return under.addPerson({
    membership: { scope: 'system' },
    permissions: ['users:write'],
    isPlatformAdmin: true,
  });
}

/** Adds a person who has requested the deletion of the account. */
async function addLeaver(name: string, orgId: OrgId): Promise<Person> {
  const person = await under.addPerson({ name, membership: { scope: 'organization', orgId } });
  const at = Date.now();
  const request = aPendingRequest({ userId: person.record.id, orgId, requestedAt: at });
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.deletions.add(request);
    await tx.audit(
      anAuditEntry({
        at,
        actor: { type: 'user', id: person.record.id },
        orgId,
        action: 'user.account_deletion.requested',
        resourceType: 'account_deletion_request',
        resourceId: request.id,
      }),
    );
  });
  return person;
}

const crumbsOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').allTextContents();

test('breadcrumbs and tab show the name of a device, filter or person', async () => {
  const device = aDevice({ orgId: arden, hostname: 'ard-till-1', displayName: 'Till 1' });
  const administrator = await anAdministrator();
  const filter = aFilter({ orgId: arden, createdBy: administrator.record.id, name: 'Tills' });
  await loadFleet(under.composition.backend, [device, filter]);
  const leaver = await addLeaver('Nora Named', arden);
  const page = await under.openPage();
  await under.signIn(page, administrator, `/devices/${device.id}`);

  await page.getByRole('heading', { name: 'Till 1', level: 1 }).waitFor();
  await expect.poll(() => crumbsOf(page)).toStrictEqual(['Devices & Assets', 'Till 1']);
  await expect.poll(() => page.title()).toBe('Till 1 · Devices & Assets · Fleetsift');

  await page.goto(`/filters/${filter.id}`);
  await page.getByRole('heading', { name: 'Tills', level: 1 }).waitFor();
  await expect.poll(() => crumbsOf(page)).toStrictEqual(['Saved filters', 'Tills']);
  await expect.poll(() => page.title()).toBe('Tills · Saved filters · Fleetsift');

  await page.goto(QUEUE);
  await page.getByRole('link', { name: leaver.record.name }).click();
  await page.getByRole('heading', { name: 'Requested by' }).waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Nora Named').waitFor();
  await expect.poll(() => crumbsOf(page)).toStrictEqual(['Deletion Requests', 'Nora Named']);
  await page.getByRole('link', { name: 'Deletion Requests', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Deletion requests', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('Deletion requests · Fleetsift');
});

describe('a chosen organization', () => {
  test('narrows the administration pages and their counts, too', async () => {
    await addLeaver('Adam of Arden', arden);
    await addLeaver('Bea of Borealis', borealis);
    const page = await under.openPage();
    await under.signIn(page, await anAdministrator(), QUEUE);
    const queue = page.getByRole('table', { name: 'Deletion requests' });
    await queue.getByText('Adam of Arden').waitFor();
    await queue.getByText('Bea of Borealis').waitFor();

    await page.getByRole('button', { name: 'Organization: All organizations' }).click();
    await page.getByRole('option', { name: 'Borealis Health' }).click();
    await queue.getByText('Adam of Arden').waitFor({ state: 'detached' });
    await queue.getByText('Bea of Borealis').waitFor();
    await page.getByRole('status').getByText('1 request', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Deletion Requests 1' }).waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByText('requested the deletion of').waitFor();
    expect(await log.getByRole('row').filter({ hasText: 'Arden' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('org')).toBe(borealis);
  });

  test('that is unknown is reported, with a link to all organizations', async () => {
    const page = await under.openPage();
    await under.signIn(page, await anAdministrator(), `/alerts?org=${newId()}`);
    await page.getByRole('heading', { name: 'Unknown organization' }).waitFor();
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByRole('link', { name: 'Show all organizations' }).click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});

test('an unknown number of pending requests does not look like zero', async () => {
  const page = await under.openPage();
  await page.route('**/pending-count*', (route) => route.fulfill({ status: 422 }));
  await under.signIn(page, await anAdministrator(), '/scripts');
  await page
    .getByRole('link', { name: 'Deletion Requests The number of waiting requests could not be loaded' })
    .waitFor();
});

test('the queue opens for an administrator and tells others who may see it', async () => {
  await addLeaver('Olaf of Arden', arden);
  const page = await under.openPage();
  const decider = await under.addPerson({ permissions: ['users:write'] });
  await under.signIn(page, decider, QUEUE);
  await page.getByRole('table', { name: 'Deletion requests' }).getByText('Olaf of Arden').waitFor();
  expect(await page.getByText('Bea of Borealis').count()).toBe(0);

  const other = await under.openPage();
  await under.signIn(other, await under.addPerson(), `${QUEUE}/${newId()}`);
  await other.getByText('You don’t have access to this page').waitFor();
  await other.getByText('permission to manage users').waitFor();
});

test('a page that fails to load says so, and loads once the server is back', async () => {
  const page = await under.openPage();
  await under.signIn(page, await anAdministrator());
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.route(/\/assets\/|\/healthz|\/readyz|\/api\//, (route) => route.abort());
  await page.getByRole('link', { name: 'Patches', exact: true }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.unroute(/\/assets\/|\/healthz|\/readyz|\/api\//);
  await page.getByRole('heading', { name: 'Patches', level: 1 }).waitFor();
  // React logs the error behind an error page.
  const others = under.problems().filter((problem) => !problem.includes('The server cannot be reached'));
  expect(others).toStrictEqual([]);
});
