/** Checks a page in all its looks: light and dark, on a large screen, on a usual one, and as narrow as a phone. */
import type { Page } from 'playwright-core';
import { accessibilityFaults, colourFaults } from './check-accessibility.ts';

/** The second theme of a width changes only colors. */
const LOOKS = [
  { colorScheme: 'light', width: 1440, height: 900, check: accessibilityFaults },
  { colorScheme: 'dark', width: 1440, height: 900, check: colourFaults },
  { colorScheme: 'dark', width: 2560, height: 1300, check: colourFaults },
  { colorScheme: 'light', width: 2560, height: 1300, check: colourFaults },
  { colorScheme: 'dark', width: 360, height: 740, check: accessibilityFaults },
  { colorScheme: 'light', width: 360, height: 740, check: colourFaults },
] as const;

/** Each fault with its look. Restores the look of the page afterwards. */
export async function faultsInEveryLook(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const faults: string[] = [];
  for (const { colorScheme, width, height, check } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    // The first frame lays the page out; the second one shows the effects of that.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const found = [...(await check(page))];
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) found.push(`is ${wide} pixels wide`);
    faults.push(...found.map((fault) => `${colorScheme}, ${width}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
  return faults;
}
