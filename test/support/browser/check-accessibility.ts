/** What axe finds wrong with a page: WCAG 2.2 at levels A and AA, and its own best practices. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Each as `rule: selector`; empty where nothing is. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's debugger, which the page's policy does not concern.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      // What was announced stays there for some seconds, by the name of a button that may be gone.
      exclude: ['[data-live-announcer]'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}
