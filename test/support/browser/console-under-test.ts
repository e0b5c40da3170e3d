/**
 * The console as people use it: the real service on a new PostgreSQL database, with its built pages, and a real
 * Chromium. One browser serves all the files of a process.
 */
import { setTimeout } from 'node:timers/promises';
import { type ComposeConfig, type Composition, compose, type Parts } from 'fleetsift';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { currentTotpCode, otpauthTotp } from '#adapters/auth/otpauth-totp.ts';
import { basePathOf } from '#adapters/http/read/base-path.ts';
import { type RunningServer, serveApp } from '#adapters/http/serve.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { ensureConsole } from '#adapters/web/build/build-console.ts';
import { openConsoleFiles } from '#adapters/web/serve/console-files.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { launchChromium } from '#test/support/browser/chromium.ts';
import { type OpenOptions, PagePool } from '#test/support/browser/page-pool.ts';
import { anOrganization, aPartner, aUser } from '#test/support/builders.ts';
import { createMigratedDatabase } from '#test/support/database/fresh-database.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** Contract: §2. */
const TOTP_STEP_MS = 30_000;

const PASSWORD = 'correct horse battery';

export interface Person {
  readonly record: UserRecord;
  readonly email: string;
  readonly password: string;
}

export interface ConsoleUnderTest {
  readonly url: string;
  readonly composition: Composition;
  /** The partner's organizations; the people below belong to the first. */
  readonly orgIds: readonly OrgId[];
  /** Adds a person, with a second factor if `hasFactor`. */
  addPerson(given?: Partial<UserRecord> & { readonly hasFactor?: boolean }): Promise<Person>;
  /** The person's next code. A code works once, so the service's clock may be set ahead for the next one. */
  codeOf(person: Person): Promise<string>;
  /**
   * Opens a page in a separate browser profile, as on another computer. `problems` collects its errors. The page is
   * closed or reused when the test is over.
   */
  openPage(options?: OpenOptions): Promise<Page>;
  /** Opens a blank page in a separate browser profile in which the person is signed in. */
  openPageAs(person: Person, options?: OpenOptions): Promise<Page>;
  /** Signs in without the form, and then opens `path`. */
  signIn(page: Page, person: Person, path?: string): Promise<void>;
  /** Opens `path`, signs in by the form, and waits for the end of the sign-in page. */
  signInByForm(page: Page, person: Person, path?: string): Promise<void>;
  /** Takes the problems of all pages: uncaught errors, refused scripts and styles, requests to other hosts. */
  problems(): readonly string[];
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

function launch(): Promise<Browser> {
  // There is no GPU, so a separate GPU process would only cost time.
  browser ??= launchChromium(['--in-process-gpu']);
  return browser;
}

/** Membership of the first organization. */
const OF_FIRST = (orgId: OrgId): Membership => ({ scope: 'organization', orgId });

/** The organizations belong to one partner. Without any, the service is empty. */
export async function openConsole(
  config: Partial<ComposeConfig> = {},
  parts: Partial<Parts> = {},
  organizationNames = ['Arden Manufacturing', 'Borealis Health'],
): Promise<ConsoleUnderTest> {
  const { url: databaseUrl, drop } = await createMigratedDatabase(
    inject('databaseUrl'),
    inject('templateDatabase'),
  );
  const noHostPages = { incidents: null, remoteAccess: null, vulnerabilities: null };
  const files = await openConsoleFiles(await ensureConsole(() => undefined), {
    hostPages: noHostPages,
    basePath: basePathOf(config.baseUrl),
  });
  let aheadMs = 0;
  const { clock = () => systemClock() + aheadMs } = parts;
  const composition = await compose(
    {
      databaseUrl,
      migrate: true,
      filterTimeoutMs: 10_000,
      searchTimeoutMs: 10_000,
      // Each browser has its own network, because signing in is limited by network.
      trustedProxies: ['127.0.0.1'],
      logLevel: 'silent',
      findPages: () => files,
      ...config,
    },
    { ...parts, clock },
  );
  const server: RunningServer = await serveApp(composition.app, { host: '127.0.0.1', port: 0 });
  const partner = aPartner();
  const organizations = organizationNames.map((name) => anOrganization({ partnerId: partner.id, name }));
  if (organizations.length > 0) await loadFleet(composition.backend, [partner, ...organizations]);
  const orgIds = organizations.map(({ id }) => id);
  const problems: string[] = [];
  const lastSteps = new Map<string, number>();

  async function codeOf({ record }: Person): Promise<string> {
    const last = lastSteps.get(record.id) ?? 0;
    const step = Math.max(last + 1, Math.floor(clock() / TOTP_STEP_MS));
    lastSteps.set(record.id, step);
    // The service already accepts the next code.
    while (step > Math.floor(clock() / TOTP_STEP_MS) + 1) {
      if (parts.clock === undefined) aheadMs += TOTP_STEP_MS;
      else await setTimeout(500);
    }
    return currentTotpCode(record.totpSecret ?? '', step * TOTP_STEP_MS);
  }

  const pages = new PagePool(await launch(), server.url, (page) => watch(page, server.url, problems));

  async function signIn(page: Page, person: Person): Promise<void> {
    const { email, password, record } = person;
    const code = record.totpSecret === null ? undefined : await codeOf(person);
    const { request } = page.context();
    const answer = await request.post('/api/v1/auth/session', { data: { email, password, code } });
    if (!answer.ok()) throw new Error(`signing in as ${email} was refused: ${await answer.text()}`);
  }

  return {
    url: server.url,
    composition,
    orgIds,
    async addPerson({ hasFactor = false, ...given } = {}) {
      const [orgId] = orgIds as [OrgId];
      const record = aUser({
        password: PASSWORD,
        membership: OF_FIRST(orgId),
        totpSecret: hasFactor ? otpauthTotp.newSecret() : null,
        ...given,
      });
      await loadFleet(composition.backend, [record]);
      return { record, email: record.email, password: PASSWORD };
    },
    codeOf,
    openPage: (options) => pages.open(options),
    async openPageAs(person, options) {
      const page = await pages.open(options);
      await signIn(page, person);
      return page;
    },
    async signIn(page, person, path = '/') {
      await signIn(page, person);
      await page.goto(path);
    },
    async signInByForm(page, person, path = '/') {
      await page.goto(path);
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      if (person.record.totpSecret !== null) {
        await page.getByLabel('Authentication code').fill(await codeOf(person));
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      }
      await page.waitForURL((url) => url.pathname !== '/login');
    },
    problems: () => problems.splice(0),
    close: async () => {
      await pages.close();
      await server.close(0);
      await composition.close();
      await drop();
    },
  };
}

function watch(page: Page, origin: string, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // Many tests cause refused requests, but none causes a refused script or style.
    const isAnswer = /Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isAnswer) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url)) problems.push(`another host: ${url}`);
  });
}
