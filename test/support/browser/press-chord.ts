import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Milliseconds after which it is pressed again. */
const AGAIN_AFTER_MS = 3_000;

/**
 * Presses `g` and the key, and waits for the path that they lead to. A chord waits one second for its second key: on a
 * slow machine two presses, one after the other, come further apart, so they are sent together, and again where they
 * came before the page listens.
 */
export async function pressChord(page: Page, key: string, path: string): Promise<void> {
  await expect
    .poll(async () => {
      await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
      await page
        .waitForURL(({ pathname }) => pathname === path, { timeout: AGAIN_AFTER_MS })
        .catch(() => undefined);
      return new URL(page.url()).pathname;
    })
    .toBe(path);
}
