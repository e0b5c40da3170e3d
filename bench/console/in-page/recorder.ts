/**
 * Runs inside the measured page. Measures the time from the last action until something is shown, and the work of the
 * page. It is sent to the browser as text, so it imports only types.
 */
import type { Recorded, Scrolled, Shown } from './recording.ts';

const FRAME_MS = 1000 / 60;

/** After this many milliseconds it counts as missing. */
const PATIENCE_MS = 20_000;

/** The browser reports tasks late. */
const TOLD_AFTER_MS = 100;

(() => {
  const tasks: PerformanceEntry[] = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  });
  let lastInputAt = 0;
  for (const type of ['keydown', 'pointerdown', 'click', 'wheel'] as const) {
    window.addEventListener(
      type,
      ({ timeStamp }) => {
        lastInputAt = timeStamp;
      },
      { capture: true, passive: true },
    );
  }

  const scroller = () => document.querySelector('table')?.parentElement ?? null;

  async function longTasksSince(start: number): Promise<readonly number[]> {
    await new Promise((resolve) => setTimeout(resolve, TOLD_AFTER_MS));
    return tasks.filter(({ startTime }) => startTime >= start).map(({ duration }) => duration);
  }

  function areRowsThere(): boolean {
    const list = scroller();
    if (list === null) return false;
    const { top, bottom } = list.getBoundingClientRect();
    const inView = [...list.querySelectorAll('tbody tr[aria-rowindex]')]
      .map((row) => ({ row, box: row.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom > top && box.top < bottom);
    const lowest = inView.at(-1)?.box.bottom ?? 0;
    const isEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    return (
      inView.length > 0 &&
      inView.every(({ row }) => row.getAttribute('aria-busy') === null) &&
      (lowest >= bottom - 1 || isEnd)
    );
  }

  function isShown(shown: Shown): boolean {
    switch (shown.kind) {
      case 'count':
        return [...document.querySelectorAll('[role=status]')].some((one) => one.textContent === shown.text);
      case 'heading':
        return document.querySelector('h1')?.textContent === shown.text;
      case 'first':
        return document.querySelector('tbody a')?.id === `device-${shown.id}` && areRowsThere();
      case 'rows':
        return scroller()?.scrollTop !== shown.from && areRowsThere();
    }
  }

  /** Call it before the action. */
  function record(shown: Shown): Promise<Recorded> {
    const begunAt = performance.now();
    return new Promise((resolve, reject) => {
      const look = () => {
        if (performance.now() - begunAt > PATIENCE_MS) {
          return reject(new Error(`not shown: ${JSON.stringify(shown)}`));
        }
        if (lastInputAt < begunAt || !isShown(shown)) return requestAnimationFrame(look);
        const ms = performance.now() - lastInputAt;
        return void longTasksSince(begunAt).then((longTasks) => resolve({ ms, longTasks }));
      };
      requestAnimationFrame(look);
    });
  }

  /** Turns the wheel once a frame, like a hurried hand. */
  function scroll(frames: number, pixels: number): Promise<Scrolled> {
    const begunAt = performance.now();
    const list = scroller();
    let [drawn, dropped, incomplete, last] = [0, 0, 0, begunAt];
    return new Promise((resolve) => {
      const step = (now: number) => {
        if (drawn > 0) dropped += Math.max(0, Math.round((now - last) / FRAME_MS) - 1);
        last = now;
        drawn++;
        // Looks at the result of the last frame.
        if (!areRowsThere()) incomplete++;
        list?.scrollBy({ top: pixels, behavior: 'instant' });
        if (drawn < frames) return requestAnimationFrame(step);
        return void longTasksSince(begunAt).then((longTasks) =>
          resolve({ frames: drawn, dropped, incomplete, longTasks }),
        );
      };
      requestAnimationFrame(step);
    });
  }

  Object.assign(globalThis, { recorder: { record, scroll } });
})();
