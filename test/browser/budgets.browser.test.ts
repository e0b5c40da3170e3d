/** The weight of the console's first load. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardWords } from '#console/app/words/dashboard.ts';
import { deviceWords } from '#console/app/words/devices.ts';
import { paletteWords } from '#console/app/words/palette.ts';
import { settingsWords } from '#console/app/words/settings.ts';
import { signInWords } from '#console/app/words/sign-in.ts';
import { type ConsoleUnderTest, openConsole, type Person } from '#test/support/browser/console-under-test.ts';

/** Compressed bytes of script until a page is shown. */
const MAX_SCRIPT_BYTES = 150_000;

let under: ConsoleUnderTest;
let person: Person;

beforeAll(async () => {
  under = await openConsole();
  person = await under.addPerson();
});

afterAll(() => under.close());

/** The names of the fetched scripts, and their bytes as sent. */
function scriptsOf(page: Page): Promise<{ readonly names: readonly string[]; readonly bytes: number }> {
  return page.evaluate(() => {
    const scripts = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'));
    return {
      names: scripts.map(({ name }) => new URL(name).pathname),
      bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
}

/** How many of the scripts contain the text. */
async function countWith(page: Page, names: readonly string[], text: string): Promise<number> {
  const scripts = await Promise.all(names.map(async (name) => (await page.request.get(name)).text()));
  return scripts.filter((script) => script.includes(text)).length;
}

test('the sign-in page stays within its script budget', async () => {
  const page = await under.openPage();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const { bytes, names } = await scriptsOf(page);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes, names.join('\n')).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  // The words of an area come with its pages.
  expect(await countWith(page, names, signInWords.stepUpTitle)).toBe(1);
  for (const later of [dashboardWords.notSeen7, deviceWords.ruledOut, settingsWords.security.scan]) {
    expect(await countWith(page, names, later), later).toBe(0);
  }
});

test('the dashboard stays within its script budget and does not load palette, help or menus', async () => {
  const page = await under.openPage();
  await under.signIn(page, person);
  // A person with a session opens the console anew.
  await page.goto('about:blank');
  await page.goto('/');
  await page.getByRole('link', { name: 'Critical alerts' }).waitFor();
  await page.waitForLoadState('networkidle');
  const { bytes, names } = await scriptsOf(page);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes, names.join('\n')).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  for (const later of ['palette', 'help-panel', 'shortcuts-card', 'user-menu-items', 'step-up-dialog']) {
    expect(names.filter((name) => name.includes(`/${later}-`))).toStrictEqual([]);
  }
  expect(await countWith(page, names, dashboardWords.notSeen7)).toBe(1);
  for (const later of [deviceWords.ruledOut, settingsWords.security.scan, paletteWords.noConnection]) {
    expect(await countWith(page, names, later), later).toBe(0);
  }
});
