/**
 * When a focused element is removed, browsers drop the focus, and keyboard users start again at the top. `keepFocus`
 * moves the focus to a neighbor instead.
 */

interface Step {
  readonly element: Element;
  readonly index: number;
}

/** Returns a function that stops watching `root`, which must not contain dialogs. */
export function keepFocus(root: HTMLElement): () => void {
  let steps: readonly Step[] = [];
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element && target !== root && root.contains(target)) steps = stepsTo(target, root);
  };
  const isLost = () =>
    document.activeElement === document.body && steps[0] !== undefined && !steps[0].element.isConnected;
  const mend = () => {
    if (!isLost()) return;
    (neighbourOf(steps, root) ?? root).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    // Waits, because a closing dialog restores the focus itself within a frame.
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(mend));
  });
  root.addEventListener('focusin', note);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', note);
    observer.disconnect();
  };
}

function stepsTo(target: Element, root: HTMLElement): readonly Step[] {
  const steps: Step[] = [];
  for (let element = target; element !== root; ) {
    const parent = element.parentElement;
    if (parent === null) break;
    steps.push({ element, index: [...parent.children].indexOf(element) });
    element = parent;
  }
  return steps;
}

/** The next focusable element, or else the previous one. */
function neighbourOf(steps: readonly Step[], root: HTMLElement): HTMLElement | null {
  const at = steps.findIndex(({ element }) => element.isConnected);
  const rest = at === -1 ? [] : steps.slice(at);
  const gone = steps[(at === -1 ? steps.length : at) - 1];
  const around = rest[0]?.element ?? root;
  // Focusing a scrollable region keeps its scroll position.
  const scroller = around.closest<HTMLElement>('[tabindex]');
  if (scroller !== null && scroller !== root && root.contains(scroller)) return scroller;
  let next: Element | null = around.children[gone?.index ?? 0] ?? null;
  for (const within of [around, ...rest.slice(1).map(({ element }) => element), root]) {
    const all = [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((one) => one.checkVisibility());
    const after = all.find((one) => next !== null && isAtOrBehind(one, next));
    const found = after ?? all.at(-1);
    if (found !== undefined) return found;
    next = within;
  }
  return null;
}

function isAtOrBehind(one: Element, other: Element): boolean {
  return other.contains(one) || (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]';
