/** `PartsContext` does not change while typing, so hundreds of conditions are not rendered on every key. */
import { createContext, useContext } from 'react';
import type { DraftGroup, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeFaults, NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Place } from '#console/pages/filters/tree/rearrange.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import type { Step } from './node-handle.tsx';

export interface BuilderParts {
  readonly vocabulary: Vocabulary;
  readonly change: (update: (tree: DraftGroup) => DraftGroup) => void;
  readonly add: (groupId: number, member: DraftNode) => void;
  readonly remove: (id: number) => void;
  readonly rearrange: (id: number, step: Step) => void;
  readonly drop: (id: number, place: Place, isCopy: boolean) => void;
  readonly openMenu: (id: number, handle: HTMLElement) => void;
  readonly openText: (() => void) | null;
}

export interface BuilderFindings {
  readonly notes: NodeNotes | null;
  readonly faults: NodeFaults;
  readonly addedId: number | null;
}

export const PartsContext = createContext<BuilderParts | null>(null);
export const FindingsContext = createContext<BuilderFindings | null>(null);

export function useBuilder(): BuilderParts {
  return within(useContext(PartsContext));
}

export function useFindings(): BuilderFindings {
  return within(useContext(FindingsContext));
}

function within<T>(value: T | null): T {
  if (value === null) throw new Error('used outside of the builder');
  return value;
}
