/** What axe finds wrong with a page: WCAG 2.2 at levels A and AA, and its own best practices. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules about colors, which another theme of the same page may break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each fault as `rule: selector`. */
export function accessibilityFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, {});
}

/** Checks only the rules about colors, for a page that was already checked in another theme. */
export function colourFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, { runOnly: { type: 'rule', values: COLOUR_RULES } });
}

async function runAxe(page: Page, rules: axe.RunOptions): Promise<readonly string[]> {
  // The browser's debugger evaluates it, so the page's content security policy does not apply.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        // Announcements stay there for some seconds, and may name a button that is gone.
        { exclude: ['[data-live-announcer]'] },
        options,
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    // Passed rules are not reported.
    { ...rules, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
}
