/** Two contexts: one stays the same while typing, so hundreds of conditions are not rendered on every key. */
import { createContext, useContext } from 'react';
import type { DraftGroup, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeFaults, NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';

export interface BuilderParts {
  readonly vocabulary: Vocabulary;
  readonly change: (update: (tree: DraftGroup) => DraftGroup) => void;
  /** Appends a member and focuses its first field. */
  readonly add: (groupId: number, member: DraftNode) => void;
  /** Null: the page has no text view. */
  readonly openText: (() => void) | null;
}

export interface BuilderFindings {
  readonly notes: NodeNotes | null;
  readonly faults: NodeFaults;
  readonly addedId: number | null;
}

const PartsContext = createContext<BuilderParts | null>(null);
const FindingsContext = createContext<BuilderFindings | null>(null);

export const BuilderPartsProvider = PartsContext.Provider;
export const BuilderFindingsProvider = FindingsContext.Provider;

/** Stays the same while typing. */
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
