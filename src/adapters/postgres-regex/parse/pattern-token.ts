/** The tokens that patterns of every flavour are read into. */
import type { CharacterClass } from '#adapters/postgres-regex/characters/character-class.ts';
import type { Assertion, LookDirection } from '#adapters/postgres-regex/pattern-item.ts';

/** One token; `end` also follows the first fault, for ever. */
export type PatternToken =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  /** `code` can lie beyond Unicode, up to 0x7ffffffe; such a character matches nothing. */
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
  /** `{` or `\{`: the numbers are read by `readBound` when a quantifier is due. */
  | { readonly kind: 'bound' }
  | { readonly kind: 'open-bracket'; readonly negated: boolean }
  | { readonly kind: 'close-bracket' }
  /** A `-` in a bracket expression that stands between the ends of a range. */
  | { readonly kind: 'range' }
  /** `[.`, `[=` or `[:` in a bracket expression: the name is read by `scanName` when it is due. */
  | { readonly kind: 'open-named'; readonly what: NamedElement };

/** What the delimiters of a named element say it is. */
export type NamedElement = 'collating-element' | 'equivalence-class' | 'character-class';

/** The token for one character. */
export function characterToken(code: number): PatternToken {
  return { kind: 'character', code };
}

/** The token for an assertion. */
export function assertionToken(assertion: Assertion): PatternToken {
  return { kind: 'assertion', assertion };
}
