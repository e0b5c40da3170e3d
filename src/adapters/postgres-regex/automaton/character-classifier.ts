/** Sorts characters into classes that no set of a pattern tells apart, as they turn up in texts. */
import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { type CharacterSet, includesCodePoint } from '#adapters/postgres-regex/characters/character-set.ts';

/** The class of what lies before the first and after the last character of a text. */
export const TEXT_EDGE = 0;

/** What assertions ask of the character beside a place. */
export interface ClassTraits {
  readonly isEdge: boolean;
  readonly isNewline: boolean;
  readonly isWord: boolean;
}

/** Classes are numbered from 1 in the order they turn up; 0 is {@link TEXT_EDGE}. */
export interface CharacterClassifier {
  /** The class of a code point. */
  classify(codePoint: number): number;
  /** Whether a set of the pattern, by its index, holds the characters of a class. */
  includes(set: number, classId: number): boolean;
  /** The traits of a class; meaningful only if the classifier was made for a pattern with assertions. */
  traits(classId: number): ClassTraits;
}

/** How many characters keep their class at hand; texts may hold any of a million. */
const MAX_KNOWN_CHARACTERS = 10_000;

/** A classifier for the sets of one pattern; `hasAssertions` says whether traits will be asked for. */
export function createClassifier(sets: readonly CharacterSet[], hasAssertions: boolean): CharacterClassifier {
  const probes = hasAssertions ? [...sets, NEWLINES, classMembers('word', false)] : sets;
  const signatures = [''];
  const traits: ClassTraits[] = [{ isEdge: true, isNewline: false, isWord: false }];
  const classIds = new Map<string, number>();
  const known = new Map<number, number>();
  const classifyNew = (codePoint: number): number => {
    const signature = probes.map((set) => (includesCodePoint(set, codePoint) ? '1' : '0')).join('');
    const classId = classIds.get(signature) ?? signatures.length;
    if (classId === signatures.length) {
      classIds.set(signature, classId);
      signatures.push(signature);
      traits.push({
        isEdge: false,
        isNewline: signature[sets.length] === '1',
        isWord: signature[sets.length + 1] === '1',
      });
    }
    if (known.size >= MAX_KNOWN_CHARACTERS) known.clear();
    known.set(codePoint, classId);
    return classId;
  };
  return {
    classify: (codePoint) => known.get(codePoint) ?? classifyNew(codePoint),
    includes: (set, classId) => signatures[classId]?.[set] === '1',
    traits: (classId) => traits[classId] as ClassTraits,
  };
}

const NEWLINES: CharacterSet = [0x0a, 0x0a];
