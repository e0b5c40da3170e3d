/** Drags nodes by their handles, and marks where they would drop. With Ctrl, Alt or Cmd at the end, a copy drops. */
import type { PointerEvent as HandlePointerEvent } from 'react';
import type { Place } from '#console/pages/filters/tree/rearrange.ts';

/** In pixels; a shorter movement is a click. */
const BEGINS_AFTER = 5;

/** In pixels. Dragging this close to the window's edge scrolls the page. */
const EDGE = 64;

interface Target {
  readonly place: Place;
  readonly marked: HTMLElement;
  readonly side: 'before' | 'after';
}

export function beginDrag(
  event: HandlePointerEvent<HTMLElement>,
  drop: (place: Place, isCopy: boolean) => void,
): void {
  if (event.button !== 0 || !event.isPrimary) return;
  const handle: HTMLElement = event.currentTarget;
  const dragged = handle.closest<HTMLElement>('[data-node]');
  if (dragged === null) return;
  const { clientX, clientY, pointerId } = event;
  handle.setPointerCapture(pointerId);
  let isDragging = false;
  let isCancelled = false;
  let target: Target | null = null;
  const listening = new AbortController();
  const { signal } = listening;

  const mark = (next: Target | null) => {
    if (target !== null) delete target.marked.dataset.drop;
    target = next;
    if (next !== null) next.marked.dataset.drop = next.side;
  };
  const end = () => {
    listening.abort();
    const found = target;
    mark(null);
    delete dragged.dataset.dragged;
    return found;
  };

  handle.addEventListener(
    'pointermove',
    (moved) => {
      if (isCancelled) return;
      if (!isDragging && Math.hypot(moved.clientX - clientX, moved.clientY - clientY) < BEGINS_AFTER) return;
      isDragging = true;
      dragged.dataset.dragged = '';
      mark(targetAt(moved, dragged));
    },
    { signal },
  );
  handle.addEventListener(
    'pointerup',
    ({ ctrlKey, altKey, metaKey }) => {
      const found = end();
      if (!isDragging) return;
      swallowClick();
      if (found !== null) drop(found.place, ctrlKey || altKey || metaKey);
    },
    { signal },
  );
  handle.addEventListener('pointercancel', end, { signal });
  document.addEventListener(
    'keydown',
    (pressed) => {
      if (pressed.key !== 'Escape' || !isDragging) return;
      pressed.preventDefault();
      isCancelled = true;
      mark(null);
      delete dragged.dataset.dragged;
    },
    { capture: true, signal },
  );
}

/** The click after the drag would open the menu. */
function swallowClick(): void {
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('click', (click) => click.stopPropagation(), {
    capture: true,
    once: true,
    signal,
  });
  window.setTimeout(() => listening.abort(), 100);
}

function targetAt({ clientX, clientY }: PointerEvent, dragged: HTMLElement): Target | null {
  const under = document.elementFromPoint(clientX, clientY);
  const group = under?.closest<HTMLElement>('[data-group]');
  if (under == null || group == null || dragged.contains(under)) return null;
  const groupId = Number(group.dataset.group);
  const members = [...group.querySelectorAll<HTMLElement>(':scope > ul > [data-node]')];
  if (under.closest('[data-adds]') !== null) return beside(members.at(-1), groupId, members.length, 'after');
  const node = under.closest<HTMLElement>('[data-node]');
  const isHead = node === null || !group.contains(node);
  if (isHead && (node === null || isLower(clientY, under))) return beside(members[0], groupId, 0, 'before');
  const around = node?.parentElement?.closest<HTMLElement>('[data-group]');
  if (node === null || around == null) return null;
  scrollNear(node, clientY);
  const index = [...(node.parentElement?.children ?? [])].indexOf(node);
  const side = !isHead && isLower(clientY, node) ? 'after' : 'before';
  return beside(node, Number(around.dataset.group), side === 'after' ? index + 1 : index, side);
}

function beside(
  marked: HTMLElement | undefined,
  groupId: number,
  index: number,
  side: Target['side'],
): Target | null {
  return marked === undefined ? null : { place: { groupId, index }, marked, side };
}

function isLower(y: number, element: Element): boolean {
  const { top, height } = element.getBoundingClientRect();
  return y > top + height / 2;
}

function scrollNear(node: HTMLElement, y: number): void {
  const neighbour =
    y < EDGE * 2
      ? node.previousElementSibling
      : y > window.innerHeight - EDGE
        ? node.nextElementSibling
        : null;
  neighbour?.scrollIntoView({ block: 'nearest' });
}
