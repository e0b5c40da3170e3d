import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filterQuery } from '#console/api/filters/filters.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { draftOfText } from '#console/pages/filters/tree/draft-text.ts';
import { emptyGroup } from '#console/pages/filters/tree/draft-tree.ts';
import { useVocabulary, type Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { DeepFilter } from './deep-filter.tsx';
import { draftKey } from './draft/draft-store.ts';
import { contentOf, type DraftContent } from './draft/filter-draft.ts';
import { EditorSkeleton } from './editor-skeleton.tsx';
import { FilterEditor } from './filter-editor.tsx';

/** A filter that is not saved yet: empty, of a text (`q`), or the copy of another (`from`). */
export function NewFilterPage() {
  const { from, q, org, tab = 'builder' } = useSearch({ from: '/shell/filters/new' });
  const navigate = useNavigate();
  const user = useUser();
  const copied = useQuery({ ...filterQuery(useApi(), from ?? ''), enabled: from !== undefined });
  const { vocabulary, error, retry } = useVocabulary();
  const isReady = vocabulary !== null && (from === undefined || copied.data !== undefined);
  const start = useMemo(
    () => (isReady ? startOf({ copied: copied.data?.data ?? null, q, org, vocabulary }) : null),
    [isReady, copied.data, q, org, vocabulary],
  );
  if (copied.data !== undefined && contentOf(copied.data.data) === null) {
    return <DeepFilter filter={copied.data.data} />;
  }
  if (!isReady || start === null) {
    const retryAll = () => {
      retry();
      if (copied.error !== null) void copied.refetch();
    };
    return <EditorSkeleton error={copied.error ?? error} onRetry={retryAll} />;
  }
  return (
    <FilterEditor
      key={`${from} ${q}`}
      saved={null}
      start={start}
      storageKey={draftKey(user.id, ['new', from, q].filter((part) => part !== undefined).join(' '))}
      vocabulary={vocabulary}
      view={tab}
      onView={(view) =>
        void navigate({
          to: '/filters/new',
          search: (search) => ({ ...search, tab: view === 'builder' ? undefined : view }),
          replace: true,
        })
      }
      isJustSaved={false}
      onReload={() => Promise.resolve()}
    />
  );
}

interface StartInput {
  readonly copied: SavedFilter | null;
  readonly q: string | undefined;
  /** The organization that pages are narrowed to. */
  readonly org: string | undefined;
  readonly vocabulary: Vocabulary;
}

function startOf({ copied, q, org, vocabulary }: StartInput): DraftContent {
  const { catalog, organizations, resolveName } = vocabulary;
  const orgId = organizations.length > 1 ? (organizations.find(({ id }) => id === org)?.id ?? null) : null;
  const empty = { name: '', description: '', orgId, tree: emptyGroup('AND'), written: null };
  const copy = copied === null ? null : contentOf(copied);
  if (copied !== null && copy !== null) {
    const owner = organizations.length > 1 ? copied.orgId : null;
    return { ...copy, orgId: owner, name: words.filters.copyOf(copied.name) };
  }
  if (q === undefined) return empty;
  const read = draftOfText(q, catalog, resolveName);
  if (read.ok) return { ...empty, tree: read.value };
  return { ...empty, written: { view: 'text', content: q, tree: null } };
}
