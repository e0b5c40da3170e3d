/** How people get access, from an empty service on, and regain it after losing a credential (Contract: §16). */

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { currentTotpCode } from '#adapters/auth/otpauth-totp.ts';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import { makeSmtpSender } from '#adapters/mail/smtp-sender.ts';
import type { Worker } from '#adapters/system/worker.ts';
import { makeFirstLink } from '#application/auth/links/invitations.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';
import { addAuthenticator } from '#test/support/browser/virtual-authenticator.ts';
import { type MailServer, startMailServer } from '#test/support/mail/mail-server.ts';

const PASSWORD = 'staple staple staple';

interface Service {
  readonly under: ConsoleUnderTest;
  /** Has a host name, because browsers use no passkeys at an IP address. */
  readonly origin: string;
  readonly worker: Worker;
}

let mailServer: MailServer;
let empty: Service;
let usual: Service;

beforeAll(async () => {
  mailServer = await startMailServer();
  empty = await startService([]);
  usual = await startService();
});

afterAll(async () => {
  for (const { under, worker } of [empty, usual]) {
    await worker.stop(5_000);
    await under.close();
  }
  await mailServer.close();
});

afterEach(() => {
  for (const { under, origin } of [empty, usual]) {
    // The page is opened by name, so its own requests count as requests to another host.
    const problems = under.problems().filter((problem) => !problem.startsWith(`another host: ${origin}/`));
    expect(problems).toStrictEqual([]);
  }
});

async function startService(organizations?: string[]): Promise<Service> {
  const under = await openConsole({}, {}, organizations);
  const origin = under.url.replace('127.0.0.1', 'localhost');
  const worker = under.composition.startWorker({
    sendMail: makeSmtpSender({
      url: mailServer.url,
      from: { name: 'Fleetsift', address: 'fleetsift@msp.example' },
    }),
    baseUrl: origin,
    intervalMs: 500,
  });
  return { under, origin, worker };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Waits for the mail of this subject and returns its text. */
async function mailTo(email: string, subject: RegExp): Promise<string> {
  for (let count = mailServer.received.length; ; count++) {
    const found = mailServer.received.find(
      ({ to, email: { subject: sent = '' } }) => to.includes(email) && subject.test(sent),
    );
    if (found !== undefined) return found.email.text ?? '';
    await mailServer.receivedCount(count + 1);
  }
}

function linkIn(text: string): string {
  const [link] = /http:\S+#\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`there is no link in: ${text}`);
  return link;
}

async function signIn(page: Page, email: string, password: string, code?: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  if (code === undefined) return;
  await page.getByLabel('Authentication code').fill(code);
  await button(page, 'Sign in').click();
}

/** Sets up an authenticator app on the page "Security", and returns its secret. */
async function setUpApp(page: Page, password: string): Promise<string> {
  await button(page, 'Set up a second factor').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('Authentication code').fill(currentTotpCode(secret, Date.now()));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await button(page, 'I have saved them').click();
  return secret;
}

/** Sends the inventory of the documentation to the address, as an agent with `--server` does. Returns the status. */
async function reportTo(server: string): Promise<number> {
  const { origin, pathname, username, password } = new URL(server);
  const answer = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'Content-Type': 'application/json',
    },
    body: await readFile('docs/example-inventory.json', 'utf8'),
  });
  return answer.status;
}

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

test('the first administrator of an empty service adds a machine and invites a second one, who signs in with a passkey', async () => {
  const { under, origin } = empty;
  const page = await under.openPage({ isSpoilt: true });
  await page.goto(origin);
  await page.getByText('Nobody has an account here yet.').waitFor();

  const { backend, clock } = under.composition;
  const token = await makeFirstLink({ unitOfWork: backend.unitOfWork, secrets: randomSecrets, clock })();
  await page.goto(`${origin}/invitation#${token}`);
  await page.getByLabel('Your company').fill('Northwind MSP');
  await page.getByLabel('First organization').fill('Kestrel Lane');
  await page.getByLabel('Email').fill('grace@northwind.example');
  await page.getByLabel('Name', { exact: true }).fill('Grace Northwind');
  await page.getByLabel('New password').fill(PASSWORD);
  expect(await faultsInEveryLook(page)).toStrictEqual([]);
  await button(page, 'Set password').click();
  await signIn(page, 'grace@northwind.example', PASSWORD);
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Add a machine' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Set up' }).click();
  await setUpApp(page, PASSWORD);
  await page.getByRole('main').getByRole('link', { name: 'Continue where you left off' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a machine' });
  await adding.getByLabel('Key name').fill('Laptops');
  await adding.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Run this on the machine' });
  await shown.getByLabel('Operating system').selectOption('Linux');
  const [, server = ''] = /--server '([^']+)'/.exec(await shown.locator('code').innerText()) ?? [];
  expect(await reportTo(server)).toBe(200);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Devices & Assets' }).click();
  await page.getByRole('table', { name: 'Devices' }).getByRole('row', { name: 'ACCT-PC-07' }).waitFor();

  await page.getByRole('link', { name: 'People', exact: true }).click();
  await button(page, 'Invite').click();
  const dialog = page.getByRole('dialog', { name: 'Invite someone' });
  await dialog.getByLabel('Email').fill('ada@northwind.example');
  await dialog.getByLabel('Name', { exact: true }).fill('Ada Northwind');
  await dialog
    .getByLabel('Organization', { exact: true })
    .selectOption('Every organization (platform staff)');
  for (const name of ADMINISTRATOR_PERMISSIONS) await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent to ada@northwind.example.').waitFor();
  await page.getByRole('row', { name: 'Ada Northwind' }).getByRole('link').click();
  await button(page, 'Change access…').click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Platform administrator' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('decides deletion requests').waitFor();

  const theirs = await under.openPage({ isSpoilt: true });
  await addAuthenticator(theirs);
  await theirs.goto(linkIn(await mailTo('ada@northwind.example', /invited/i)));
  await theirs.getByLabel('New password').fill(PASSWORD);
  await button(theirs, 'Set password').click();
  await signIn(theirs, 'ada@northwind.example', PASSWORD);
  await button(theirs, 'Ada Northwind').click();
  await theirs.getByRole('menuitem', { name: 'Security' }).click();
  await button(theirs, 'Add a passkey…').click();
  await theirs.getByRole('dialog').getByLabel('Name').fill('Phone');
  await theirs.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
  await theirs.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await button(theirs, 'I have saved them').click();
  await signOut(theirs, 'Ada Northwind');
  await theirs.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await button(theirs, 'Sign in with a passkey').click();
  await theirs.getByRole('link', { name: 'People', exact: true }).click();
  await theirs.getByRole('row', { name: 'Grace Northwind' }).getByRole('link').click();
  await button(theirs, 'Disable').waitFor();
});

test('a lost password is replaced by a mailed link and the second factor', async () => {
  const { under, origin } = usual;
  const person = await under.addPerson({ hasFactor: true });
  const before = await under.openPageAs(person);
  const page = await under.openPage({ isSpoilt: true });
  await page.goto(`${origin}/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The sign-in page is still shown while the next one loads, and has a field of the same name.
  await page.getByRole('heading', { name: 'Forgot your password?', level: 1 }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await button(page, 'Send link').click();
  await page.getByText('a link is on its way').waitFor();
  const link = linkIn(await mailTo(person.email, /password/i));
  await page.goto(link);
  await page.getByLabel('New password').fill('short');
  await button(page, 'Set password').click();
  await page.getByText('Use at least 8 characters.').waitFor();
  await page.getByLabel('New password').fill(PASSWORD);
  await button(page, 'Set password').click();
  await page.getByLabel('Authentication code').fill('000000');
  await button(page, 'Set password').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Authentication code').fill(await under.codeOf(person));
  await button(page, 'Set password').click();
  await page.getByText('Your password is set.').waitFor();

  await signIn(page, person.email, person.password);
  await page.getByRole('alert').filter({ hasText: 'email or password' }).waitFor();
  await signIn(page, person.email, PASSWORD, await under.codeOf(person));
  await button(page, person.record.name).waitFor();
  // The other session has ended, and the link is used up.
  await before.goto('/devices');
  await before.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await before.goto(link);
  await before.getByLabel('New password').fill('another password');
  await button(before, 'Set password').click();
  await before.getByRole('link', { name: 'Ask for a new link' }).click();
  await before.getByRole('heading', { name: 'Forgot your password?', level: 1 }).waitFor();
});

test('a lost phone: an administrator resets the second factor, and the person sets up a new one', async () => {
  const { under } = usual;
  const person: Person = await under.addPerson({ name: 'Nils Fässler', hasFactor: true });
  const administrator = await under.addPerson({
    name: 'Rosalind Moorcroft',
    membership: { scope: 'system' },
    permissions: ADMINISTRATOR_PERMISSIONS,
    isPlatformAdmin: true,
    hasFactor: true,
  });
  const page = await under.openPageAs(person);
  await page.goto('/devices');
  await button(page, 'Nils Fässler').waitFor();

  const desk = await under.openPageAs(administrator);
  await desk.goto('/people');
  await desk.getByLabel('Find a person').fill(person.email);
  await desk.getByRole('link', { name: 'Nils Fässler' }).click();
  await button(desk, 'Reset second factor').click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
  await desk.getByText('has no second factor now').waitFor();
  expect(await mailTo(person.email, /second factor/i)).toContain('Nils');

  await page.reload();
  await signIn(page, person.email, person.password);
  await button(page, 'Nils Fässler').waitFor();
  await page.goto('/settings/security');
  const secret = await setUpApp(page, person.password);
  await signOut(page, 'Nils Fässler');
  // The code of the setup is used up.
  await signIn(page, person.email, person.password, currentTotpCode(secret, Date.now() + 30_000));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await button(page, 'Nils Fässler').waitFor();
  await desk.reload();
  await desk.getByText('Authenticator app').waitFor();
});
