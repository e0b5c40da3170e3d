/** The tab Live of a filter: members over time, who enters and leaves as it happens, and subscriptions (Contract: §17). */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeCursorSigner } from '#adapters/auth/cursor-signer.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { makeWebhookJob } from '#application/live/webhook-job.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import {
  aDevice,
  aFilter,
  anOrganization,
  aPartner,
  aSubscription,
  newId,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { openReceiver } from '#test/support/http/webhook-receiver.ts';
import { loadFleet } from '#test/support/tenant.ts';

let under: ConsoleUnderTest;
let orgId: OrgId;

beforeAll(async () => {
  under = await openConsole({ outboundPrivate: true });
  [orgId] = under.orgIds as [OrgId];
});
afterAll(() => under.close());
afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

const IS_VIP = {
  operator: 'AND',
  conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }],
} as const;

async function evaluate(): Promise<void> {
  const { backend, clock } = under.composition;
  const evaluateNow = makeEvaluateMemberships({ memberships: backend.memberships, translatePattern, clock });
  for (const id of await backend.memberships.waiting(clock())) await evaluateNow(id);
}

async function deliver(): Promise<void> {
  const { backend, log, sendWebhook, clock } = under.composition;
  const job = makeWebhookJob({
    ...{ queue: backend.subscriptionQueue, memberships: backend.memberships, filters: backend.filters },
    ...{ unitOfWork: backend.unitOfWork, send: sendWebhook, newId, log },
    ...{ clock, sharedClock: backend.sharedClock },
    cursors: makeCursorSigner(backend.cursorKey),
    makeSystemEntry: makeSystemEntryFactory({ clock, newId }),
  });
  await job.run({ stopping: new AbortController().signal, aborting: new AbortController().signal });
  await job.finish?.();
}

async function tag(device: DeviceRecord, ...tags: readonly string[]): Promise<void> {
  await loadFleet(under.composition.backend, [{ ...device, tags }]);
  await evaluate();
}

const subscriptionsOf = (page: Page) => page.getByRole('table', { name: 'Subscriptions' });

test('a filter without a subscription offers one, which then shows who enters and leaves', async () => {
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'VIP', conditions: IS_VIP });
  const [till, kiosk] = ['till-7', 'kiosk'].map((hostname) => aDevice({ orgId, hostname, tags: [] })) as [
    DeviceRecord,
    DeviceRecord,
  ];
  await loadFleet(under.composition.backend, [filter, till, kiosk]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  await page.getByRole('tab', { name: 'Live' }).click();
  await page.getByText('Nothing follows this filter yet').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Add subscription' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add subscription' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await page.keyboard.type('Patch ring');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Reading “Patch ring”' }).waitFor();
  await dialog.getByText(/\/subscriptions\/[-0-9a-f]+\/members$/).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await evaluate();
  await page.getByText('No device has entered or left').waitFor();

  await tag(till, 'vip');
  await tag(kiosk, 'vip');
  await tag(till);
  const changes = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem');
  await changes.nth(2).waitFor();
  expect((await changes.allInnerTexts()).map((text) => text.split(/\n+/).slice(0, 4))).toStrictEqual([
    ['−', 'Left', 'till-7', 'the device changed'],
    ['+', 'Entered', 'kiosk', 'the device changed'],
    ['+', 'Entered', 'till-7', 'the device changed'],
  ]);
  await page.getByRole('img', { name: /between 0 and 2 devices, now 1\.$/ }).waitFor();
  await page.getByText('Show as a table').click();
  await page
    .getByRole('table', { name: 'Members over time' })
    .getByRole('cell', { name: '2', exact: true })
    .waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Patch ring' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Pause');
  await page.getByText('No subscription is active').waitFor();
  await tag(till, 'vip');
  expect(await changes.count()).toBe(3);
  await choose('Resume');
  await page.getByText('No subscription is active').waitFor({ state: 'detached' });
  await evaluate();
  await changes.nth(3).waitFor();
  await choose('Edit');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ring 1');
  await dialog.getByRole('textbox', { name: 'Guard: percent' }).fill('half');
  await dialog.getByRole('textbox', { name: 'Guard: devices' }).fill('5');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a number from 0 to 100').waitFor();
  await dialog.getByRole('textbox', { name: 'Guard: percent' }).fill('12.5');
  await page.keyboard.press('Enter');
  await subscriptionsOf(page).getByRole('cell', { name: 'Ring 1', exact: true }).waitFor();
  const [edited] = await under.composition.backend.subscriptions.list(SYSTEM_SCOPE, filter.id);
  expect(edited?.guard).toStrictEqual({ devices: 5, percent: 12.5 });
  await page.getByRole('button', { name: 'Actions for Ring 1' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByText('It is the only active subscription').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing follows this filter yet').waitFor();
});

test('people who may not edit devices can read changes, but not subscribe', async () => {
  const person = await under.addPerson();
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'VIP', conditions: IS_VIP });
  await loadFleet(under.composition.backend, [filter]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}?tab=live`);
  await page
    .getByText('Someone who can change the filter and edit devices can add a subscription.')
    .waitFor();
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.subscriptions.add(aSubscription({ filterId: filter.id, orgId, name: 'Ring 2' })),
  );
  const devices = Array.from({ length: 12 }, (_, i) =>
    aDevice({ orgId, hostname: `pos-${i}`, tags: ['vip'] }),
  );
  await evaluate();
  await loadFleet(under.composition.backend, devices);
  await evaluate();
  await page.reload();
  const changes = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem');
  await changes.nth(9).waitFor();
  expect(await changes.count()).toBe(10);
  await page.getByRole('button', { name: 'Show more' }).click();
  await changes.nth(11).waitFor();
  await changes.first().getByRole('link').click();
  await page.getByRole('tab', { name: 'Filters' }).click();
  await page
    .getByText(/^since /)
    .first()
    .waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.goBack();
  await subscriptionsOf(page).waitFor();
  expect(await page.getByRole('button', { name: 'Add subscription' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for Ring 2' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toStrictEqual(['How to read it']);
});

test('a filter with a subscription is deleted only after confirmation, which ends the subscription', async () => {
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Followed', conditions: IS_VIP });
  await loadFleet(under.composition.backend, [filter, aDevice({ orgId, tags: ['vip'] })]);
  const guard = { devices: 0 };
  const subscription = aSubscription({ filterId: filter.id, orgId, name: 'Ring 3', guard });
  await under.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.subscriptions.add(subscription));
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  await page.getByRole('button', { name: 'Actions for Followed' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete “Followed”?' });
  await dialog.getByText('1 subscription follows this filter and would end:').waitFor();
  await dialog.getByText('Ring 3').waitFor();
  await dialog.getByText(/devices? would leave with it\.$/).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await page.keyboard.press('Escape');
  const row = page.getByRole('row').filter({ hasText: 'Followed' });
  await row.waitFor();

  await page.getByRole('button', { name: 'Actions for Followed' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  await row.waitFor({ state: 'detached' });
  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  expect((await gone).status()).toBe(200);
  const [ended] = await under.composition.backend.subscriptions.list(SYSTEM_SCOPE, filter.id);
  expect(ended?.state).toBe('ended');
});

test('a mail subscription reports when the count crosses a threshold, or every change', async () => {
  const permissions = ['devices:write', 'users:write'] as const;
  const person = await under.addPerson({ name: 'Mara Keller', permissions: [...permissions] });
  const colleague = await under.addPerson({ name: 'Nils Fässler' });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Mailed', conditions: IS_VIP });
  await loadFleet(under.composition.backend, [filter]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}?tab=live`);
  await page.getByRole('button', { name: 'Add subscription' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Mail');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ring 4');
  await dialog.getByRole('button', { name: 'Remove Mara Keller' }).click();
  await dialog.getByRole('textbox', { name: 'Minutes between mails' }).fill('often');
  await page.keyboard.press('Enter');
  await dialog.getByText('Choose at least one person.').waitFor();
  await dialog.getByText('Enter a number of minutes.').waitFor();
  const recipients = dialog.getByRole('combobox', { name: 'Recipients' });
  for (const name of ['Nils', 'Mara']) {
    await recipients.fill(name);
    await recipients.press('Enter');
  }
  await dialog.getByRole('combobox', { name: 'When' }).selectOption('More devices match than');
  await dialog.getByRole('textbox', { name: 'Number of devices' }).fill('10');
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Add subscription' }).click();
  await subscriptionsOf(page).getByRole('cell', { name: '2 people, above 10' }).waitFor();
  await page.getByRole('button', { name: 'Actions for Ring 4' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByRole('combobox', { name: 'When' }).selectOption('Devices enter or leave');
  await dialog.getByRole('textbox', { name: 'Minutes between mails' }).fill('2.5');
  await page.keyboard.press('Enter');
  await subscriptionsOf(page).getByRole('cell', { name: '2 people, every change' }).waitFor();
  const [subscription] = await under.composition.backend.subscriptions.list(SYSTEM_SCOPE, filter.id);
  expect(subscription).toMatchObject({
    ...{ kind: 'mail', notify: 'changes', batchSeconds: 150 },
    recipients: [colleague.record.id, person.record.id],
  });
});

test('a webhook shows its secret once, lists its deliveries, and sends one again', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Hooked', conditions: IS_VIP });
  const device = aDevice({ orgId, hostname: 'desk-1', tags: [] });
  await loadFleet(under.composition.backend, [filter, device]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}?tab=live`);
  await page.getByRole('button', { name: 'Add subscription' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Webhook');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Engine');
  await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://engine.example');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.keyboard.press('Enter');
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await evaluate();
  await tag(device, 'vip');
  await deliver();

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Engine' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Deliveries');
  const deliveries = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  await deliveries.filter({ hasText: 'Delivered' }).waitFor();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  await deliveries.filter({ hasText: 'Test' }).filter({ hasText: 'Waiting' }).waitFor();
  await deliver();
  await deliveries.filter({ hasText: 'Test' }).filter({ hasText: 'Delivered' }).waitFor();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  expect(receiver.received.length).toBe(3);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await choose('Pause');
  await page.getByText('No subscription is active').waitFor();
  await choose('Deliveries');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByText('Someone paused it').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await choose('Renew secret');
  await dialog.getByRole('button', { name: 'Renew secret' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
});

test('a paused webhook whose missed changes are no longer stored resumes from now', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { memberships, unitOfWork, subscriptions } = under.composition.backend;
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Forgotten', conditions: IS_VIP });
  const device = aDevice({ orgId, hostname: 'desk-2', tags: [] });
  await loadFleet(under.composition.backend, [filter, device]);
  const of = { filterId: filter.id, orgId };
  const hook = aSubscription({ ...of, kind: 'webhook', url: receiver.url, name: 'Engine', state: 'paused' });
  await unitOfWork(SYSTEM_SCOPE, async (tx) => {
    await tx.subscriptions.add(hook);
    await tx.webhooks.setSecret(hook.id, 'whsec_plJ3nmyCDGBKInavdOK15jsl', 0);
    await tx.subscriptions.add(aSubscription({ ...of, name: 'Feed' }));
  });
  await evaluate();
  for (const tags of [['vip'], [], ['vip']]) await tag(device, ...tags);
  await memberships.forget(0, 1);

  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}?tab=live`);
  await page.getByRole('button', { name: 'Actions for Engine' }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resume “Engine” from now?' });
  await dialog.getByText('The changes it missed are no longer stored.').waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await dialog.getByRole('button', { name: 'Resume from now' }).click();
  await subscriptionsOf(page)
    .getByRole('row')
    .filter({ hasText: 'Engine' })
    .filter({ hasText: 'Active' })
    .waitFor();
  expect((await subscriptions.find(SYSTEM_SCOPE, hook.id))?.state).toBe('active');
  await tag(device);
  await deliver();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.changes)).toMatchObject([
    [{ seq: 4, type: 'left', hostname: 'desk-2' }],
  ]);
});

test('a filter for all customers shows its members to partner staff, but not to a customer', async () => {
  const partner = aPartner();
  const organizations = ['North', 'South'].map((name) => anOrganization({ partnerId: partner.id, name }));
  await loadFleet(under.composition.backend, [partner, ...organizations]);
  const membership = { scope: 'partner', partnerId: partner.id, orgIds: null } as const;
  const staff = await under.addPerson({ membership, permissions: ['devices:write'] });
  const customer = await under.addPerson({
    membership: { scope: 'organization', orgId: (organizations[0] as { id: OrgId }).id },
    permissions: ['devices:write'],
  });
  const owner = { orgId: null, partnerId: partner.id, createdBy: staff.record.id };
  const filter = aFilter({ ...owner, name: 'Wide', conditions: IS_VIP });
  const devices = organizations.map(({ id, name }) => aDevice({ orgId: id, hostname: name, tags: [] }));
  await loadFleet(under.composition.backend, [filter, ...devices]);

  const page = await under.openPageAs(staff);
  await page.goto(`/filters/${filter.id}?tab=live`);
  await page.getByRole('button', { name: 'Add subscription' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Everywhere');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Done' }).click();
  await evaluate();
  for (const device of devices) await tag(device, 'vip');
  const changes = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem');
  await changes.nth(1).waitFor();
  expect((await changes.getByRole('link').allInnerTexts()).toSorted()).toStrictEqual(['North', 'South']);
  await page.getByRole('img', { name: /now 2\.$/ }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);

  // A customer sees the filter and what follows it, but none of the other customers' devices.
  const theirs = await under.openPageAs(customer);
  await theirs.goto(`/filters/${filter.id}?tab=live`);
  await theirs.getByText('Only staff who reach all of them see its members and changes.').waitFor();
  await subscriptionsOf(theirs).getByText('Everywhere').waitFor();
  expect(await theirs.getByRole('button', { name: 'Add subscription' }).count()).toBe(0);
  expect(await subscriptionsOf(theirs).getByRole('button').count()).toBe(0);
  expect(await theirs.getByRole('list', { name: 'Recent changes' }).count()).toBe(0);
  expect(await faultsInEveryLook(theirs)).toStrictEqual([]);
});

test('a filter that another one uses is not deleted, and the dialog links to the other one', async () => {
  const person = await under.addPerson();
  const of = { orgId, createdBy: person.record.id };
  const inner = aFilter({ ...of, name: 'Inner', conditions: IS_VIP });
  const outer = aFilter({
    ...of,
    name: 'Outer',
    conditions: { operator: 'AND', conditions: [{ field: 'filter', operator: 'equals', value: inner.id }] },
  });
  await loadFleet(under.composition.backend, [inner, outer]);
  const page = await under.openPageAs(person);
  await page.goto('/filters?search=inner');
  await page.getByRole('button', { name: 'Actions for Inner' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: '“Inner” cannot be deleted' });
  await dialog.getByRole('link', { name: 'Outer' }).waitFor();
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await dialog.getByRole('link', { name: 'Outer' }).click();
  await page.getByRole('heading', { name: 'Outer', level: 1 }).waitFor();
});

test('the tab that could not be loaded during an outage loads when it is over, and no change is lost', async () => {
  const person = await under.addPerson({ permissions: ['devices:write'] });
  const filter = aFilter({ orgId, createdBy: person.record.id, name: 'Calm', conditions: IS_VIP });
  await loadFleet(under.composition.backend, [filter]);
  const page = await under.openPageAs(person);
  await page.goto(`/filters/${filter.id}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Stormy');
  await page.waitForLoadState('networkidle');
  const away = /\/assets\/|\/healthz|\/readyz|\/api\//;
  await page.route(away, (route) => route.abort());
  await page.getByRole('tab', { name: 'Live' }).click();
  await page.getByRole('status').filter({ hasText: 'Can’t reach the server' }).waitFor();
  expect(await name.inputValue()).toBe('Stormy');
  await page.unroute(away);
  await page.getByText('Nothing follows this filter yet').waitFor();
  expect(await name.inputValue()).toBe('Stormy');
});
