/** Requesting the deletion of an account, and deciding on it, in the console (Contract: §7, §14). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeSmtpSender } from '#adapters/mail/smtp-sender.ts';
import type { Worker } from '#adapters/system/worker.ts';
import { CONSOLE_DIR } from '#adapters/web/build/build-console.ts';
import { accessibilityFaults } from '#test/support/browser/check-accessibility.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { type MailServer, startMailServer } from '#test/support/mail/mail-server.ts';

let under: ConsoleUnderTest;
let mailServer: MailServer;
let worker: Worker;

const PAGE = '/account/delete';
const QUEUE = '/admin/account-deletion-requests';

beforeAll(async () => {
  under = await openConsole();
  mailServer = await startMailServer();
  worker = under.composition.startWorker({
    sendMail: makeSmtpSender({
      url: mailServer.url,
      from: { name: 'Fleetsift', address: 'fleetsift@msp.example' },
    }),
    baseUrl: under.url,
    intervalMs: 3_600_000,
  });
});

afterAll(async () => {
  await worker.stop(5_000);
  await mailServer.close();
  await under.close();
});

afterEach(() => {
  expect(under.problems()).toStrictEqual([]);
});

function aDecider(name: string): Promise<Person> {
  return under.addPerson({
    name,
    membership: { scope: 'system' },
    permissions: ['users:write'],
    isPlatformAdmin: true,
    hasFactor: true,
  });
}

/** Opens the account deletion page. */
async function openDeletion(person: Person, options?: Parameters<ConsoleUnderTest['openPage']>[0]) {
  const page = await under.openPage(options);
  await under.signIn(page, person, PAGE);
  await page.getByRole('heading', { name: 'Delete account', level: 1 }).waitFor();
  return page;
}

async function ask(page: Page, person: Person, reason = ''): Promise<void> {
  await page.getByLabel('Password').fill(person.password);
  await page.getByLabel('Reason (optional)').fill(reason);
  await page.getByRole('button', { name: 'Request deletion' }).click();
  await page.getByRole('button', { name: 'Cancel request' }).waitFor();
}

/** Opens the deletion request of a person in the console of an administrator. */
async function openRequest(decider: Person, person: Person): Promise<Page> {
  const page = await under.openPage();
  await under.signIn(page, decider, QUEUE);
  await page.getByRole('link', { name: person.record.name, exact: true }).click();
  await page.getByRole('heading', { name: 'Deletion request', level: 1, exact: true }).waitFor();
  return page;
}

async function decide(
  page: Page,
  verdict: 'Approve' | 'Reject',
  person: Person,
  note: string,
): Promise<void> {
  await page.getByRole('button', { name: verdict }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type the email to confirm').fill(person.email);
  await dialog.getByLabel('Note to the user').fill(note);
  await dialog.getByRole('button', { name: verdict }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Waits for the mail to the person with the words in its subject, and returns its text. */
async function mailTo({ email }: Person, subject: string): Promise<string> {
  for (;;) {
    const count = mailServer.received.length;
    const mail = mailServer.received.find(
      (one) => one.to.includes(email) && one.email.subject?.includes(subject) === true,
    );
    if (mail !== undefined) return mail.email.text ?? '';
    await mailServer.receivedCount(count + 1);
  }
}

test('an outage is reported, and the page loads by itself when it is over', async () => {
  const page = await under.openPage();
  await under.signIn(page, await under.addPerson({ hasFactor: true }), '/scripts');
  const away = /\/api\/|\/readyz/;
  await page.route(away, (route) => route.abort());
  await page.goto(PAGE);
  await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor();
  await page.unroute(away);
  await page.getByRole('button', { name: 'Request deletion' }).waitFor();
});

test('a request is rejected, and the link in the mail leads back to the page, which shows the note', async () => {
  const person = await under.addPerson({ name: 'Nils Fässler', hasFactor: true });
  const page = await under.openPage({ width: 360, height: 740 });
  await under.signInByForm(page, person, PAGE);
  await page.getByRole('heading', { name: 'Delete account', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(PAGE);
  await page.getByText('Arden Manufacturing').waitFor();
  // The page does not ask again for a code that was just entered.
  expect(await page.getByLabel('Authentication code').count()).toBe(0);
  await ask(page, person, 'I have left');
  await page.getByText('An administrator has not decided yet').waitFor();

  const office = await openRequest(await aDecider('Mara Keller'), person);
  await office.getByText('I have left').waitFor();
  await office.getByRole('link', { name: 'Deletion Requests 1' }).waitFor();
  await decide(office, 'Reject', person, 'Please hand over first.');
  await office.getByText('Rejected. Nils Fässler will be emailed your note.').waitFor();
  await office.getByRole('link', { name: 'Deletion Requests 1' }).waitFor({ state: 'detached' });

  const mail = await mailTo(person, 'was declined');
  expect(mail).toContain('Please hand over first.');
  const [link] = /http\S+\/account\/delete/.exec(mail) ?? [];
  await page.goto(link as string);
  await page.getByText('“Please hand over first.”').waitFor();
  await page.getByRole('button', { name: 'Request deletion' }).waitFor();
});

describe('the account deletion page', () => {
  test('reports errors, keeps the typed reason, and lets the person cancel the request', async () => {
    const person = await under.addPerson({ name: 'Ada Wrong', hasFactor: true });
    const page = await openDeletion(person);
    await page.getByRole('button', { name: 'Request deletion' }).click();
    await page.getByText('Enter your password.').waitFor();
    await page.getByLabel('Reason (optional)').fill('I have left');
    await page.getByText('1,989 characters left').waitFor();
    await page.getByLabel('Password').fill('not it');
    await page.getByRole('button', { name: 'Request deletion' }).click();
    await page.getByRole('alert').filter({ hasText: 'Wrong password' }).waitFor();
    // A reload keeps only the reason.
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('I have left');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await ask(page, person, 'I have left');
    await page.getByRole('button', { name: 'Cancel request' }).click();
    await page.getByRole('status').filter({ hasText: 'Request cancelled' }).waitFor();
    await page.getByRole('button', { name: 'Request deletion' }).waitFor();
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('');
  });

  test('asks for a code when the last one is too old', async () => {
    const person = await under.addPerson({ name: 'Ada Stale', hasFactor: true });
    const page = await openDeletion(person, { isSpoilt: true });
    await page.clock.setFixedTime(Date.now() + 20 * 60_000);
    await page.reload();
    await page.getByLabel('Authentication code').fill('000000');
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Request deletion' }).click();
    await page.getByRole('alert').filter({ hasText: 'That code is wrong' }).waitFor();
    await page.getByLabel('Authentication code').fill(await under.codeOf(person));
    await page.getByRole('button', { name: 'Request deletion' }).click();
    await page.getByRole('button', { name: 'Cancel request' }).waitFor();
  });

  test('links people without a second factor to its setup, and lets someone else sign in', async () => {
    const person = await under.addPerson({ name: 'Ada Simple' });
    const page = await openDeletion(person);
    await page.getByText('You need a second factor for this').waitFor();
    const link = page.getByRole('link', { name: 'Set up a second factor' });
    expect(await link.getAttribute('href')).toContain('/settings/security');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByRole('button', { name: 'Not you? Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await accessibilityFaults(page)).toStrictEqual([]);
  });

  test('says that the request was approved when the person tries to cancel it too late', async () => {
    const person = await under.addPerson({ name: 'Ada Gone', hasFactor: true });
    const page = await openDeletion(person, { theme: 'dark' });
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await ask(page, person);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    const office = await openRequest(await aDecider('Ben Gone'), person);
    await decide(office, 'Approve', person, '');
    await office.getByText('Approved. Ada Gone will be emailed the date.').waitFor();
    // It is too late to cancel, which the page learns from the refusal.
    await page.getByRole('button', { name: 'Cancel request' }).click();
    await page.getByText('an administrator approved your request').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel request' }).count()).toBe(0);
  });

  test('is small: page, script and style are below 60 kB', async () => {
    const html = await readFile(join(CONSOLE_DIR, 'account-delete.html'), 'utf8');
    const assets = [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(1);
    const files = await Promise.all(assets.map((path) => readFile(join(CONSOLE_DIR, path))));
    expect(files.reduce((sum, { length }) => sum + length, html.length)).toBeLessThan(60_000);
  });
});

describe('the review', () => {
  test('tells the second administrator who has decided and when', async () => {
    const person = await under.addPerson({ name: 'Ada Twice', hasFactor: true });
    await ask(await openDeletion(person), person);
    const first = await openRequest(await aDecider('Mara First'), person);
    const second = await openRequest(await aDecider('Mara Second'), person);
    expect(await accessibilityFaults(second)).toStrictEqual([]);
    await second.getByRole('button', { name: 'Reject' }).click();
    const dialog = second.getByRole('dialog', { name: 'Reject request' });
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText(`That does not match. Type ${person.email}.`).waitFor();
    await dialog.getByText('Give a reason. The person will read it.').waitFor();
    expect(await accessibilityFaults(second)).toStrictEqual([]);
    await dialog.getByLabel('Type the email to confirm').fill(person.email);
    await dialog.getByLabel('Note to the user').fill('No.');
    await decide(first, 'Approve', person, '');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await second.getByText(/no longer pending: Mara First approved it on \d{4}-\d\d-\d\d at/).waitFor();
    await second.getByRole('heading', { name: 'Decision' }).waitFor();
    expect(await second.getByRole('button', { name: 'Reject' }).count()).toBe(0);
  });

  test('hides its links and pages from people who may not manage users', async () => {
    const person = await under.addPerson();
    const page = await under.openPage();
    await under.signIn(page, person, QUEUE);
    await page.getByText('You don’t have access to this page').waitFor();
    await page.getByRole('heading', { name: 'Deletion requests', level: 1 }).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: 'Dashboard' }).waitFor();
    expect(await sidebar.getByRole('link', { name: /Deletion Requests|Audit log/ }).count()).toBe(0);
    await page.goto('/admin/audit-log');
    await page.getByText('You don’t have access to this page').waitFor();
  });

  test('opens from the link in its mail for an administrator of the organization', async () => {
    const person = await under.addPerson({ name: 'Ada Linked', hasFactor: true });
    const [orgId] = under.orgIds;
    const reviewer = await under.addPerson({
      name: 'Olga Org',
      membership: { scope: 'organization', orgId: orgId as NonNullable<typeof orgId> },
      permissions: ['users:write'],
      hasFactor: true,
    });
    await ask(await openDeletion(person), person, 'By the link');
    const mail = await mailTo(reviewer, 'waiting for your review');
    const [address] = /http\S+\/admin\/account-deletion-requests\/[0-9a-f-]+/.exec(mail) ?? [];
    const page = await under.openPage();
    await under.signIn(page, reviewer, new URL(address as string).pathname);
    await page.getByText('By the link').waitFor();
    // Only platform administrators have the queue in the sidebar.
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: 'Audit log' }).waitFor();
    expect(await sidebar.getByRole('link', { name: /Deletion Requests/ }).count()).toBe(0);
  });

  test('finds the request in the audit log by action and actor, which the address keeps', async () => {
    const person = await under.addPerson({ name: 'Ada Logged', hasFactor: true });
    const decider = await aDecider('Mara Logged');
    const page = await under.openPage();
    const asking = await under.openPage();
    await under.signInByForm(asking, person, PAGE);
    await asking.getByRole('heading', { name: 'Delete account', level: 1 }).waitFor();
    // The page has the typeface of the console.
    expect(await asking.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(
      /^"Inter Variable"/,
    );
    expect(await asking.evaluate(() => document.fonts.check('14px "Inter Variable"'))).toBe(true);
    await ask(asking, person);
    await under.signIn(page, decider, '/admin/audit-log?action=user.account_deletion.requested');
    const table = page.getByRole('table', { name: 'Audit log' });
    await table.getByText('Ada Logged requested the deletion of their account').waitFor();
    expect(await table.getByText('signed in').count()).toBe(0);
    expect(await accessibilityFaults(page)).toStrictEqual([]);
    await page.getByLabel('Action').selectOption('auth.login');
    await table.getByText('signed in').first().waitFor();
    await page.getByLabel('Actor').fill('ada logg');
    await page.getByLabel('Actor').press('Enter');
    // A sign-in is audited once: the password before the code is not.
    await page
      .getByRole('status')
      .filter({ hasText: /^1 entry$/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('actor')).toBe('ada logg');
    await page.getByLabel('Actor').fill('a');
    await page.getByLabel('Actor').press('Enter');
    await page.getByText('Type at least two characters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByText('requested the deletion of their account').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
