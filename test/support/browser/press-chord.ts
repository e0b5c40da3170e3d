import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** After so many milliseconds, the chord is pressed again. */
const AGAIN_AFTER_MS = 3_000;

/**
 * Presses `g` and the key, and waits for their path. A chord waits one second for its second key, and on a slow
 * machine two separate presses may take longer. So both are sent together, and again if the page did not listen yet.
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
