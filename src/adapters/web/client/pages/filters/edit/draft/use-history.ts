/** Undo and redo. Typing in a field is one step until the focus leaves the field. */
import { useEffect, useRef, useState } from 'react';

export interface History<T> {
  readonly now: T;
  readonly change: (update: (before: T) => T) => void;
  /** Changes all steps, such as after saving. */
  readonly amend: (update: (step: T, isNow: boolean) => T) => void;
  /** Null if there is nothing to undo. */
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
}

interface Steps<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  /** The visit to a text field during which the last step was typed. More typing in the same visit adds no step. */
  readonly visit: object | null;
}

const MOST_STEPS = 500;

/** `isSame` says whether two steps look the same. */
export function useHistory<T>(start: () => T, isSame: (one: T, other: T) => boolean): History<T> {
  const [steps, setSteps] = useState<Steps<T>>(() => ({ past: [], now: start(), future: [], visit: null }));
  const typing = useTyping();
  const { past, now, future } = steps;

  /** Goes to the nearest step that looks different. */
  function go(from: readonly T[], take: (left: readonly T[], found: T) => Steps<T>) {
    const index = from.findLastIndex((one) => !isSame(one, now));
    const found = from[index];
    if (found === undefined) return;
    typing.forget();
    setSteps(take(from.slice(0, index), found));
  }

  const undo = () =>
    go(past, (left, found) => ({ past: left, now: found, future: [...future, now], visit: null }));
  const redo = () =>
    go(future, (left, found) => ({ past: [...past, now], now: found, future: left, visit: null }));

  useUndoKeys(undo, redo, typing);

  return {
    now,
    change: (update) => {
      const visit = typing.visit();
      setSteps((before) => {
        const isContinued = visit !== null && visit === before.visit;
        return {
          past: isContinued ? before.past : [...before.past, before.now].slice(-MOST_STEPS),
          now: update(before.now),
          future: [],
          visit,
        };
      });
    },
    amend: (update) =>
      setSteps((before) => ({
        past: before.past.map((step) => update(step, false)),
        now: update(before.now, true),
        future: before.future.map((step) => update(step, false)),
        visit: null,
      })),
    undo: past.length === 0 ? null : undo,
    redo: future.length === 0 ? null : redo,
  };
}

interface Typing {
  /** The current visit to a text field; null unless an input event is being handled. */
  readonly visit: () => object | null;
  /** Whether the browser itself can undo or redo within the field. */
  readonly hasOwn: (field: Element, way: 'undo' | 'redo') => boolean;
  /** Call after the page has changed the content of fields. */
  readonly forget: () => void;
}

function useTyping(): Typing {
  const visit = useRef<Visit | null>(null);
  const isTyping = useRef(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const onFocus = ({ target }: Event) => {
      visit.current = isTextField(target)
        ? { field: target, start: target.value, typed: target.value, undone: 0 }
        : null;
    };
    document.addEventListener('focusin', onFocus, { signal });
    // `isTyping` is set before React's handlers run and reset after them.
    document.addEventListener(
      'input',
      (event) => {
        const { current } = visit;
        if (current === null || event.target !== current.field) return;
        isTyping.current = true;
        const inputType = event instanceof InputEvent ? event.inputType : '';
        current.undone =
          inputType === 'historyUndo'
            ? current.undone + 1
            : inputType === 'historyRedo'
              ? current.undone - 1
              : 0;
        current.typed = current.field.value;
      },
      { capture: true, signal },
    );
    document.addEventListener(
      'input',
      () => {
        isTyping.current = false;
      },
      { signal },
    );
    return () => listening.abort();
  }, []);
  return {
    visit: () => (isTyping.current ? visit.current : null),
    hasOwn: (field, way) => {
      const { current } = visit;
      // If the page has set the field's content, the browser has dropped its undo steps.
      if (current?.field !== field || current.field.value !== current.typed) return false;
      return way === 'undo' ? current.typed !== current.start : current.undone > 0;
    },
    forget: () => {
      const { current } = visit;
      if (current === null) return;
      // The fields show the new content only in the next frame.
      requestAnimationFrame(() => {
        const { field } = current;
        if (visit.current === current)
          visit.current = { field, start: field.value, typed: field.value, undone: 0 };
      });
    },
  };
}

interface Visit {
  readonly field: HTMLInputElement | HTMLTextAreaElement;
  readonly start: string;
  typed: string;
  /** The number of steps that the browser has undone in the field. */
  undone: number;
}

function isTextField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}

function useUndoKeys(undo: () => void, redo: () => void, typing: Typing) {
  const latest = useRef({ undo, redo, typing });
  latest.current = { undo, redo, typing };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const way = wayOf(event);
      if (way === null || event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest('[role="dialog"]') !== null || latest.current.typing.hasOwn(target, way)) return;
      event.preventDefault();
      latest.current[way]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, or with Cmd. */
function wayOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (ctrlKey === metaKey || altKey) return null;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : null;
}
