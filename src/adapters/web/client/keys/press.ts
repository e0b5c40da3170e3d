/** Replaces tinykeys, which reads one press on AZERTY as two keys and distinguishes Ctrl from Cmd (Contract: §14). */

export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
  getModifierState(name: string): boolean;
}

/** For example `a`, `?`, `Escape` or `mod+shift+h`; `mod` is Cmd or Ctrl. Null if no shortcut can match. */
export function nameOfPress(press: PressedKey): string | null {
  // Key code 229 marks input methods in browsers without `isComposing`.
  if (press.repeat || press.isComposing || press.keyCode === 229) return null;
  const typed = typedBy(press);
  if (typed === null) return null;
  if (isPlain(press, typed)) return typed;
  if (press.altKey || press.getModifierState('AltGraph')) return null;
  return `mod+${press.shiftKey ? 'shift+' : ''}${typed}`;
}

/** Letters of other scripts fall back to the US layout. */
function typedBy({ key, code, shiftKey }: PressedKey): string | null {
  if (key === 'Escape') return key;
  if ([...key].length !== 1 || key === ' ') return null;
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter !== undefined && /[^\p{ASCII}]/u.test(key)) return letter.toLowerCase();
  if (/\p{L}/u.test(key)) return (shiftKey ? SHIFTED_PLACES : PLACES)[code] ?? key;
  return key;
}

/** If a layout has a letter on one of these keys, the key acts as on a US keyboard. */
const PLACES: Readonly<Record<string, string>> = { Slash: '/', BracketLeft: '[' };
const SHIFTED_PLACES: Readonly<Record<string, string>> = { Slash: '?' };

/** True if no modifier is held. Ignores Shift, and AltGr or Option if typing the sign needs them. */
function isPlain(press: PressedKey, typed: string): boolean {
  const { altKey, ctrlKey, metaKey } = press;
  if (!altKey && !ctrlKey && !metaKey) return true;
  if (metaKey || /^[a-z0-9]$/.test(typed)) return false;
  if (press.getModifierState('AltGraph')) return true;
  // AltGr is Ctrl+Alt on Windows and Option on a Mac. Some layouts need it to type `[`.
  return altKey && typed === '[' && press.code !== 'BracketLeft';
}

/** Holding Enter would use up all attempts at a code. The listener captures, because fields may stop key events. */
export function ignoreHeldEnter(form: HTMLFormElement): void {
  form.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) {
        event.preventDefault();
      }
    },
    true,
  );
}
