/** Where the focus is, and whether it is visible. */
import type { Locator, Page } from 'playwright-core';

/** The focused element as `role or tag: name`; `body` if there is none. */
export function focusOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: focused } = document;
    if (focused === null || focused === document.body) return 'body';
    const label =
      focused.getAttribute('aria-label') ??
      (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
        ? focused.labels?.[0]?.textContent
        : focused instanceof HTMLButtonElement || focused instanceof HTMLAnchorElement
          ? focused.textContent
          : '');
    const kind = focused.getAttribute('role') ?? focused.tagName.toLowerCase();
    return `${kind}: ${label?.trim() ?? ''}`.replace(/: $/, '');
  });
}

/** After so many presses of Tab, a target counts as unreachable. */
const MAX_TABS = 90;

/** Moves the focus to the target by Tab, or backwards by Shift+Tab. */
export async function reachByKeys(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  const page = target.page();
  for (let i = 0; i < MAX_TABS; i++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}, but to ${await focusOf(page)}`);
}

/** After so many presses of Tab, a page counts as endless. */
const MAX_STEPS = 250;

/**
 * Walks a page by Tab from its top to its end. Returns the elements that do not show their focus: they have no size,
 * or neither they nor the elements around them have an outline.
 */
export async function unseenFocuses(
  page: Page,
): Promise<{ readonly unseen: readonly string[]; readonly steps: number }> {
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('a[href], button, input, select, textarea')?.focus();
  });
  const unseen: string[] = [];
  for (let steps = 1; steps <= MAX_STEPS; steps += 1) {
    const seen = await page.evaluate(() => {
      const { activeElement: focused } = document;
      if (focused === null || focused === document.body) return { isOver: true, isSeen: true };
      const { width, height } = focused.getBoundingClientRect();
      // A field may show its focus by the box around it.
      const around: Element[] = [];
      for (let one: Element | null = focused; one !== null && around.length < 5; one = one.parentElement) {
        around.push(one);
      }
      const hasOutline = around.some((one) => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
        return (
          outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/, 0\)$/.test(outlineColor)
        );
      });
      const isAgain = focused.hasAttribute('data-walked');
      focused.setAttribute('data-walked', '');
      return { isOver: isAgain, isSeen: hasOutline && width > 0 && height > 0 };
    });
    if (seen.isOver) return { unseen, steps };
    if (!seen.isSeen) unseen.push(await focusOf(page));
    await page.keyboard.press('Tab');
  }
  throw new Error(
    `after ${MAX_STEPS} presses of Tab the page has no end; the focus is at ${await focusOf(page)}`,
  );
}
