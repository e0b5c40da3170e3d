/** The console in a real browser, on the list of devices, with its service on the same machine. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '#test/support/browser/chromium.ts';
import { API_KEYS } from '../fleet/fleet-plan.ts';
import { median } from '../report/statistics.ts';
import type { Recorded, Scrolled, Shown } from './in-page/recording.ts';

export interface ApiCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

export interface MeasuredConsole {
  /** Shows the list of devices, with everything in reach. */
  readonly page: Page;
  /** Acts, and waits until the result is shown. */
  record(shown: Shown, act: () => Promise<unknown>): Promise<Recorded>;
  /** Each frame turns the wheel by `pixels`. */
  scroll(frames: number, pixels: number): Promise<Scrolled>;
  /** The median of some calls in milliseconds, from a page without the console. */
  callAlone<T>(call: ApiCall): Promise<{ readonly ms: number; readonly data: T }>;
  close(): Promise<void>;
}

/** Reaches all organizations. */
const PERSON = { email: 'all@example.com', password: 'the password of all' } as const;

/** The first call does not count. */
const CALLS = 5;

export async function openMeasuredConsole(databaseUrl: string): Promise<MeasuredConsole> {
  const service = fork(join(import.meta.dirname, 'console-service-process.ts'), [databaseUrl], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [url] = (await once(service, 'message')) as [string];
  // Otherwise the browser smooths each turn over a fifth of a second.
  const browser = await launchChromium(['--disable-smooth-scrolling']);
  const newContext = () =>
    browser.newContext({ baseURL: url, locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  const page = await openConsolePage(await newContext());
  const quiet = await (await newContext()).newPage();
  await quiet.goto('/icon.svg');
  return {
    page,
    record: async (shown, act) => {
      await page.evaluate(`void (globalThis.recorded = recorder.record(${JSON.stringify(shown)}))`);
      await act();
      return page.evaluate<Recorded>('globalThis.recorded');
    },
    scroll: (frames, pixels) => page.evaluate<Scrolled>(`recorder.scroll(${frames}, ${pixels})`),
    callAlone: async <Answer>(call: ApiCall) => {
      const { times, data } = await quiet.evaluate(callRepeatedly, {
        ...{ method: call.method, url: `/api/v1${call.path}`, calls: CALLS },
        ...{ body: call.body === undefined ? null : JSON.stringify(call.body), key: API_KEYS.all },
      });
      return { ms: median(times.slice(1)), data: data as Answer };
    },
    close: async () => {
      await browser.close();
      service.disconnect();
      await once(service, 'exit');
    },
  };
}

async function openConsolePage(context: BrowserContext): Promise<Page> {
  const recorder = await readFile(join(import.meta.dirname, 'in-page', 'recorder.ts'), 'utf8');
  await context.addInitScript(stripTypeScriptTypes(recorder));
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto('/devices');
  await page.getByLabel('Email').fill(PERSON.email);
  await page.getByLabel('Password').fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('table', { name: 'Devices' }).getByRole('link').first().waitFor();
  return page;
}

interface RepeatedCall {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly key: string;
  readonly calls: number;
}

/** Runs in the browser. */
async function callRepeatedly({ method, url, body, key, calls }: RepeatedCall) {
  const times: number[] = [];
  let data: unknown;
  for (let i = 0; i < calls; i++) {
    const begunAt = performance.now();
    const response = await fetch(url, {
      method,
      body,
      headers: { 'X-API-Key': key, ...(body !== null && { 'Content-Type': 'application/json' }) },
    });
    data = await response.json();
    if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(data)}`);
    times.push(performance.now() - begunAt);
  }
  return { times, data };
}
