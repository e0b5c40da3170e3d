/**
 * What a press of a key means (Contract: §14). Not tinykeys: it takes a letter by what is typed and by its place alike,
 * so that on AZERTY one press is two keys; it knows AltGr only where a binding names it; and it tells Ctrl from Cmd,
 * which are one here.
 */

/** What is read of a keyboard event. */
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

/**
 * The name by which bindings know the press: a letter or digit, a sign, `Escape`, `mod+k`, `mod+shift+h`. `mod` is Cmd
 * or Ctrl. Null for what is never a shortcut.
 */
export function nameOfPress(press: PressedKey): string | null {
  // 229 is what a key is while an input method has it, in browsers that do not say so otherwise.
  if (press.repeat || press.isComposing || press.keyCode === 229) return null;
  const typed = typedBy(press);
  if (typed === null) return null;
  if (isPlain(press, typed)) return typed;
  if (press.altKey || press.getModifierState('AltGraph')) return null;
  return `mod+${press.shiftKey ? 'shift+' : ''}${typed}`;
}

/** What the layout types, or, where it types a letter of another script, what stands there on a US keyboard. */
function typedBy({ key, code, shiftKey }: PressedKey): string | null {
  if (key === 'Escape') return key;
  if ([...key].length !== 1 || key === ' ') return null;
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter !== undefined && /[^\p{ASCII}]/u.test(key)) return letter.toLowerCase();
  if (/\p{L}/u.test(key)) return (shiftKey ? SHIFTED_PLACES : PLACES)[code] ?? key;
  return key;
}

/** Signs by their place on a US keyboard, as on others a letter of theirs stands there. */
const PLACES: Readonly<Record<string, string>> = { Slash: '/', BracketLeft: '[' };
const SHIFTED_PLACES: Readonly<Record<string, string>> = { Slash: '?' };

/** Whether no modifier is held, but for what the layout needs: Shift, and AltGr or Option for a sign. */
function isPlain(press: PressedKey, typed: string): boolean {
  const { altKey, ctrlKey, metaKey } = press;
  if (!altKey && !ctrlKey && !metaKey) return true;
  if (metaKey || /^[a-z0-9]$/.test(typed)) return false;
  if (press.getModifierState('AltGraph')) return true;
  // Windows says Ctrl and Alt for AltGr, a Mac says Alt for Option: both type `[` at a place where a US keyboard has
  // something else.
  return altKey && typed === '[' && press.code !== 'BracketLeft';
}

/**
 * Lets a form be sent once for each time that Enter is pressed, however long it is held: a wrong code would be tried
 * until no more attempts are left. Capturing, as fields may tell nobody else of their keys.
 */
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
