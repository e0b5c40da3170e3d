/** What axe finds wrong with a page: WCAG 2.2 at levels A and AA, and its own best practices. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules that look at colours: what another theme of the same page may break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Each as `rule: selector`; empty where nothing is. */
export function accessibilityFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, {});
}

/** Only the rules on colour, for a page that was checked in another theme before. */
export function colourFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, { runOnly: { type: 'rule', values: COLOUR_RULES } });
}

async function runAxe(page: Page, rules: axe.RunOptions): Promise<readonly string[]> {
  // Evaluated by the browser's debugger, which the page's policy does not concern.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        // What was announced stays there for some seconds, by the name of a button that may be gone.
        { exclude: ['[data-live-announcer]'] },
        options,
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    // What is right need not be described.
    { ...rules, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
}
