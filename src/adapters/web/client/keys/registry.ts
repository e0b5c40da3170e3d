/** A page's shortcuts come before those of the shell, so a page can override them. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { makeStore } from '#console/app/store.ts';
import { getPreferences } from '#console/app/stored-preferences.ts';
import { isSingleKey, type KeyBinding, makeChordReader } from './chords.ts';
import { nameOfPress } from './press.ts';

export interface KeyGroup {
  readonly title: string;
  readonly isShell?: boolean;
  readonly bindings: readonly KeyBinding[];
}

/** Sorted by precedence, not by the time of mounting, because a page may mount before the shell. */
const groups = makeStore<readonly KeyGroup[]>([]);

/** `bindings` may be a new array at every render. */
export function useKeys(title: string, bindings: readonly KeyBinding[], isShell = false): void {
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  const shape = bindings.map(({ keys, title: name }) => `${keys}\t${name}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions are looked up when a key is pressed.
  useEffect(() => {
    const group: KeyGroup = {
      title,
      isShell,
      bindings: latest.current.map((binding, index) => ({
        ...binding,
        run: (press) => latest.current[index]?.run(press),
      })),
    };
    const all = [group, ...groups.get()];
    groups.set([...all.filter((one) => !one.isShell), ...all.filter((one) => one.isShell)]);
    return () => groups.set(groups.get().filter((other) => other !== group));
  }, [title, shape, isShell]);
}

export function useKeyGroups(): readonly KeyGroup[] {
  return useSyncExternalStore(groups.subscribe, groups.get);
}

export function listenToKeys(): () => void {
  const reader = makeChordReader();
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const name = nameOfPress(event);
    if (name === null) return;
    const place = placeOf(event);
    const { hasSingleKeys } = getPreferences();
    const working = groups
      .get()
      .flatMap(({ bindings }) => bindings)
      .filter(
        (binding) =>
          (hasSingleKeys || !isSingleKey(binding)) &&
          (place === 'page' || (place === 'field' && binding.worksInFields === true)),
      );
    const binding = reader.read(name, event.timeStamp, working);
    if (binding === null) return;
    event.preventDefault();
    binding.run(event);
  };
  window.addEventListener('keydown', listen);
  window.addEventListener('blur', reader.forget);
  return () => {
    window.removeEventListener('keydown', listen);
    window.removeEventListener('blur', reader.forget);
  };
}

/** Open menus and lists count as dialogs. While one is open, no shortcut works. */
function placeOf(event: KeyboardEvent): 'dialog' | 'field' | 'page' {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return 'dialog';
  const target = event.composedPath()[0];
  return target instanceof Element && target.closest(FIELDS) !== null ? 'field' : 'page';
}

const FIELDS = [
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="reset"])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[role="searchbox"]',
  '[role="combobox"]',
  '[role="listbox"]',
  '[role="menu"]',
  'button[aria-haspopup="listbox"]',
].join(', ');
