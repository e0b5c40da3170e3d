import { useEffect, useRef } from 'react';
import { usePreferences } from '#console/app/preferences.ts';

/** What a key does, by what it types, such as `j` or `?`. */
export type ListKeys = Readonly<Record<string, () => void>>;

const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="textbox"]';
const FLOATING = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Single keys of a page (Contract: §14): not in fields and dialogs, nor while an input method composes. */
export function useListKeys(keys: ListKeys): void {
  const { hasSingleKeys } = usePreferences();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!hasSingleKeys) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target instanceof Element && target.closest(`${FIELDS}, ${FLOATING}`) !== null) return;
      // An open dialog has the keys, wherever the focus is.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return;
      const act = latest.current[keyOf(event)];
      if (act === undefined) return;
      event.preventDefault();
      // The page's own keys come before those of the whole console.
      event.stopImmediatePropagation();
      act();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [hasSingleKeys]);
}

/** Letters by what the layout types, and by the key's place where that is no Latin letter. */
function keyOf({ key, code }: KeyboardEvent): string {
  if (/^Key[A-Z]$/.test(code) && !/^[a-z]$/i.test(key)) return code.slice(3).toLowerCase();
  return key;
}
