import type { CharacterClass } from '#adapters/postgres-regex/characters/character-class.ts';
import type { Assertion, LookDirection } from '#adapters/postgres-regex/pattern-item.ts';

/** `end` also follows the first fault. */
export type PatternToken =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  /** `code` can exceed Unicode, up to 0x7ffffffe; such a character matches nothing. */
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'any-character' }
  | { readonly kind: 'class'; readonly name: CharacterClass; readonly negated: boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'back-reference'; readonly group: number }
  | { readonly kind: 'alternation' }
  | { readonly kind: 'open'; readonly capturing: boolean }
  | { readonly kind: 'open-look'; readonly direction: LookDirection; readonly negated: boolean }
  | { readonly kind: 'close' }
  | { readonly kind: 'quantifier'; readonly min: number; readonly max: number }
  /** `{` or `\{`; `readBound` reads the numbers when a quantifier is due. */
  | { readonly kind: 'bound' }
  | { readonly kind: 'open-bracket'; readonly negated: boolean }
  | { readonly kind: 'close-bracket' }
  /** A `-` between the ends of a range. */
  | { readonly kind: 'range' }
  /** `[.`, `[=` or `[:`; `scanName` reads the name when it is due. */
  | { readonly kind: 'open-named'; readonly what: NamedElement };

export type NamedElement = 'collating-element' | 'equivalence-class' | 'character-class';

export function characterToken(code: number): PatternToken {
  return { kind: 'character', code };
}

export function assertionToken(assertion: Assertion): PatternToken {
  return { kind: 'assertion', assertion };
}
