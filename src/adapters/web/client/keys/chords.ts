/** Presses of keys to bindings: single ones, and chords such as `g h` (Spec: Web client behaviors). */

/** How long a chord waits for its second key, in milliseconds (Contract: §14). */
export const CHORD_MS = 1_000;

export interface KeyBinding {
  /** The name of a press (`nameOfPress`), or two of them with a space between. */
  readonly keys: string;
  /** What the card of shortcuts calls it; absent: it is not on the card. */
  readonly title?: string;
  /** Whether it works in text fields, too. */
  readonly worksInFields?: boolean;
  readonly run: () => void;
}

/** Whether it is pressed without Cmd or Ctrl, and so can be switched off (WCAG 2.1.4). Esc is no character. */
export function isSingleKey({ keys }: KeyBinding): boolean {
  return !keys.startsWith('mod+') && keys !== 'Escape';
}

export interface ChordReader {
  /** The binding that this press completes; the earlier of two for the same keys. `at` in milliseconds. */
  read(name: string, at: number, bindings: readonly KeyBinding[]): KeyBinding | null;
  forget(): void;
}

export function makeChordReader(): ChordReader {
  let begun: { readonly name: string; readonly until: number } | null = null;
  return {
    read(name, at, bindings) {
      const first = begun !== null && at <= begun.until ? begun.name : null;
      begun = null;
      const chord = first === null ? undefined : bindings.find(({ keys }) => keys === `${first} ${name}`);
      if (chord !== undefined) return chord;
      const single = bindings.find(({ keys }) => keys === name);
      if (single !== undefined) return single;
      if (bindings.some(({ keys }) => keys.startsWith(`${name} `))) begun = { name, until: at + CHORD_MS };
      return null;
    },
    forget() {
      begun = null;
    },
  };
}
