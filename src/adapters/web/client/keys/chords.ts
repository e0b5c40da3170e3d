/** The maximum time between the two keys of a chord (Contract: §14). */
export const CHORD_MS = 1_000;

export interface KeyBinding {
  /** One key, such as `a`, or a chord of two, such as `g d`. The names are those of `nameOfPress`. */
  readonly keys: string;
  readonly title?: string;
  readonly worksInFields?: boolean;
  readonly run: (press: Pick<KeyboardEvent, 'shiftKey'>) => unknown;
}

/** People can switch off shortcuts without Ctrl or Cmd, such as `g d` (WCAG 2.1.4). Esc always works. */
export function isSingleKey({ keys }: KeyBinding): boolean {
  return !keys.startsWith('mod+') && keys !== 'Escape';
}

export interface ChordReader {
  /** `at` is the time of the press in milliseconds. */
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
