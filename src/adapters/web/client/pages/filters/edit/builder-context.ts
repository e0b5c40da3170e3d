/** What every part of the builder shares. */
import { createContext, useContext } from 'react';
import type { DraftGroup, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeFaults, NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';

export interface BuilderParts {
  readonly vocabulary: Vocabulary;
  /** Null where nothing is counted. */
  readonly notes: NodeNotes | null;
  readonly faults: NodeFaults;
  /** Whether counts are being renewed. */
  readonly isCounting: boolean;
  readonly change: (update: (tree: DraftGroup) => DraftGroup) => void;
  /** Puts a member at the end of a group, and the focus into its first field. */
  readonly add: (groupId: number, member: DraftNode) => void;
  /** The condition that was just added; null for none. */
  readonly addedId: number | null;
  /** Null where there is no text beside the builder. */
  readonly openText: (() => void) | null;
}

const BuilderContext = createContext<BuilderParts | null>(null);

export const BuilderProvider = BuilderContext.Provider;

export function useBuilder(): BuilderParts {
  const parts = useContext(BuilderContext);
  if (parts === null) throw new Error('used outside of BuilderProvider');
  return parts;
}
