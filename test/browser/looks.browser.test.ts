/** Every place, in each of its looks, and walked by Tab (Contract: §14). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unseenFocuses } from '#test/support/browser/check-focus.ts';
import { faultsInEveryLook } from '#test/support/browser/check-looks.ts';
import { type ConsoleUnderTest, openConsole } from '#test/support/browser/console-under-test.ts';
import { EVERY_PATH, type EveryPlace, fillPlaces } from '#test/support/browser/every-place.ts';

let under: ConsoleUnderTest;
let places: EveryPlace;
let page: Page;
let stranger: Page;

beforeAll(async () => {
  under = await openConsole();
  places = await fillPlaces(under);
  page = await under.openPageAs(await places.addAdministrator());
  stranger = await under.openPage();
});

afterAll(() => under.close());

describe.each(EVERY_PATH)('%s', (path) => {
  test('is accessible, is as wide as the window, and shows where the focus is', async () => {
    const here = path === '/login' ? stranger : page;
    const { address, shows } = places.visits[path];
    await here.goto(address);
    await here.getByRole('heading', { level: 1 }).waitFor();
    await shows(here).waitFor();
    expect(await here.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await faultsInEveryLook(here)).toStrictEqual([]);
    const { unseen, steps } = await unseenFocuses(here);
    expect(unseen).toStrictEqual([]);
    expect(steps).toBeGreaterThan(2);
    expect(under.problems()).toStrictEqual([]);
  });
});
