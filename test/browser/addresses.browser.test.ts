/** Every place is an address: it survives signing in and a reload (Contract: §14). */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { EVERY_PATH, type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
});

afterAll(() => under.close());

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** The text of a page and of its fields, without times. */
async function contentOf(page: Page): Promise<string> {
  const main = page.getByRole('main');
  const text = (await main.innerText())
    .replace(/\b(?:just now|\d+ (?:s|sec|min|h)\b.*? ago)/g, 'a moment ago')
    .replace(/\b\d\d:\d\d:\d\d\b/g, 'now');
  const values = await main
    .locator('input, textarea, select')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  return [text, ...values].join('\n');
}

/**
 * Waits until all answers have arrived and are shown. `networkidle` is no help: signing in navigates without a load,
 * so /login has already reached that state.
 */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const nothingToDo = () =>
    page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve(null))));
  return async () => {
    do {
      await expect.poll(() => open.size).toBe(0);
      // Showing an answer may have sent another request.
      await nothingToDo();
    } while (open.size > 0);
  };
}

const PUBLIC: readonly string[] = ['/login', '/invitation', '/reset-password'];

describe.each(EVERY_PATH.filter((path) => !PUBLIC.includes(path)))('%s', (path) => {
  test('leads to the sign-in page and back, and shows the same after a reload', async () => {
    const { address, shows } = places.visits[path];
    const person = await places.addAdministrator();
    const page = await under.openPage();
    const settled = watchRequests(page);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(new URL(page.url()).searchParams.get('next')).toBe(address);
    await under.signInByForm(page, person, addressOf(page));
    await shows(page).waitFor();
    expect(addressOf(page)).toBe(address);
    await settled();
    const content = await contentOf(page);
    await page.reload();
    await shows(page).waitFor();
    expect(addressOf(page)).toBe(address);
    await expect.poll(() => contentOf(page)).toBe(content);
    expect(under.problems()).toStrictEqual([]);
  });
});
