import type { SavedFilter } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { FilterCount } from '#console/pages/filters/list/filter-count.tsx';
import { levelsOf, MAX_LEVELS } from '#console/pages/filters/tree/draft-tree.ts';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Page } from '#console/parts/layout/page.tsx';

/** A filter with too many levels to be edited: it can be counted and exported here. */
export function DeepFilter({ filter }: { readonly filter: SavedFilter }) {
  return (
    <Page title={filter.name}>
      <Notice kind="info">{words.filters.tooDeep(levelsOf(filter.conditions), MAX_LEVELS)}</Notice>
      {filter.description !== null && <p>{filter.description}</p>}
      <p>
        {words.filters.columns.count}: <FilterCount filter={filter} isSeen />
      </p>
    </Page>
  );
}
