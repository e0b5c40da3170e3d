import { useEffect } from 'react';

/** Keeps what is typed while the palette is on its way, as nothing typed is ever lost. */
export function KeepTyping({ onType }: { readonly onType: (typed: string) => void }) {
  useEffect(() => {
    let typed = '';
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing) return;
      if (event.key === 'Backspace') typed = typed.slice(0, -1);
      else if ([...event.key].length === 1) typed += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
      onType(typed);
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, [onType]);
  return null;
}
