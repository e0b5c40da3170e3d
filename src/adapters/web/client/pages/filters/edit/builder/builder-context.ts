/**
 * What every part of the builder shares: in two, as one stays the same while the other follows every key, and hundreds
 * of conditions need not.
 */
import { createContext, useContext } from 'react';
import type { DraftGroup, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeFaults, NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';

export interface BuilderParts {
  readonly vocabulary: Vocabulary;
  readonly change: (update: (tree: DraftGroup) => DraftGroup) => void;
  /** Puts a member at the end of a group, and the focus into its first field. */
  readonly add: (groupId: number, member: DraftNode) => void;
  /** Null where there is no text beside the builder. */
  readonly openText: (() => void) | null;
}

export interface BuilderFindings {
  /** Null where nothing is counted. */
  readonly notes: NodeNotes | null;
  readonly faults: NodeFaults;
  /** The condition that was just added; null for none. */
  readonly addedId: number | null;
}

const PartsContext = createContext<BuilderParts | null>(null);
const FindingsContext = createContext<BuilderFindings | null>(null);

export const BuilderPartsProvider = PartsContext.Provider;
export const BuilderFindingsProvider = FindingsContext.Provider;

/** The same from key to key. */
export function useBuilder(): BuilderParts {
  const parts = useContext(PartsContext);
  if (parts === null) throw new Error('used outside of BuilderPartsProvider');
  return parts;
}

export function useFindings(): BuilderFindings {
  const findings = useContext(FindingsContext);
  if (findings === null) throw new Error('used outside of BuilderFindingsProvider');
  return findings;
}
