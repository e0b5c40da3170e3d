/** Characters form one class if each of the pattern's sets has all or none of them. */
import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { type CharacterSet, includesCodePoint } from '#adapters/postgres-regex/characters/character-set.ts';

/** Stands for the missing character before and after a text. */
export const TEXT_EDGE = 0;

/** What assertions such as `$` need to know of a neighboring character. */
export interface ClassTraits {
  readonly isEdge: boolean;
  readonly isNewline: boolean;
  readonly isWord: boolean;
}

/** Classes are numbered from 1 as they appear; 0 is {@link TEXT_EDGE}. */
export interface CharacterClassifier {
  classify(codePoint: number): number;
  includes(set: number, classId: number): boolean;
  /** Only correct for patterns with assertions. */
  traits(classId: number): ClassTraits;
}

/** Bounds memory, because texts may contain any of a million characters. */
const MAX_KNOWN_CHARACTERS = 10_000;

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
