import { textOrJson } from '#console/pages/filters/tree/draft-text.ts';
import { toJson } from '#console/pages/filters/tree/draft-tree.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { DraftContent } from './filter-draft.ts';

export type ComparedPart = 'name' | 'description' | 'tree';

export interface Difference {
  readonly part: ComparedPart;
  readonly theirs: string;
  readonly mine: string;
  /** `both` means that both sides changed the part, with different results. */
  readonly changedBy: 'them' | 'me' | 'both' | 'unknown';
}

const PARTS = ['name', 'description', 'tree'] as const;

export interface Versions {
  /** The version that both edits began with; null if unknown. */
  readonly base: DraftContent | null;
  readonly theirs: DraftContent;
  readonly mine: DraftContent;
}

export function compareVersions(
  { base, theirs, mine }: Versions,
  catalog: FieldCatalog,
): readonly Difference[] {
  return PARTS.flatMap((part) => {
    const say = (content: DraftContent) =>
      part === 'tree' ? textOrJson(toJson(content.tree), catalog) : content[part];
    const [before, their, own] = [base === null ? null : say(base), say(theirs), say(mine)];
    if (their === own) return [];
    const changedBy = before === their ? 'me' : before === own ? 'them' : 'both';
    return [{ part, theirs: their, mine: own, changedBy: before === null ? 'unknown' : changedBy }];
  });
}

/** Null if both sides may have changed the same part. */
export function mergeVersions(
  differences: readonly Difference[],
  theirs: DraftContent,
  mine: DraftContent,
): DraftContent | null {
  if (differences.some(({ changedBy }) => changedBy === 'both' || changedBy === 'unknown')) return null;
  const taken = differences.filter(({ changedBy }) => changedBy === 'them').map(({ part }) => part);
  return {
    ...mine,
    ...(taken.includes('name') && { name: theirs.name }),
    ...(taken.includes('description') && { description: theirs.description }),
    ...(taken.includes('tree') && { tree: theirs.tree, written: null }),
  };
}
