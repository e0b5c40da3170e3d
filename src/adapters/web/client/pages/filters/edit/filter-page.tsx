import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { filterQuery } from '#console/api/filters/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { useVocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { NotFound } from '#console/parts/feedback/not-found.tsx';
import { DeepFilter } from './deep-filter.tsx';
import { draftKey } from './draft/draft-store.ts';
import { contentOf } from './draft/filter-draft.ts';
import { EditorSkeleton } from './editor-skeleton.tsx';
import { FilterEditor } from './filter-editor.tsx';

/** A saved filter, to be read and changed. */
export function FilterPage() {
  const { id } = useParams({ from: '/shell/filters/$id' });
  return <SavedFilterPage key={id} id={id} />;
}

function SavedFilterPage({ id }: { readonly id: string }) {
  const { tab = 'builder' } = useSearch({ from: '/shell/filters/$id' });
  const navigate = useNavigate();
  const user = useUser();
  const isJustSaved = useRouterState({ select: ({ location }) => location.state.isSaved === true });
  const { data: saved, error, refetch } = useQuery(filterQuery(useApi(), id));
  const { vocabulary, error: vocabularyError, retry } = useVocabulary();
  // Whatever replaces what is being edited starts afresh.
  const [round, setRound] = useState(0);
  if (error instanceof ApiError && error.status === 404 && saved === undefined) return <NotFound />;
  const start = saved === undefined ? null : contentOf(saved.data);
  if (saved !== undefined && start === null) return <DeepFilter filter={saved.data} />;
  if (saved === undefined || start === null || vocabulary === null) {
    const retryAll = () => {
      retry();
      if (saved === undefined) void refetch();
    };
    return (
      <EditorSkeleton error={(saved === undefined ? error : null) ?? vocabularyError} onRetry={retryAll} />
    );
  }
  return (
    <FilterEditor
      key={round}
      saved={{ filter: saved.data, etag: saved.etag }}
      start={start}
      storageKey={draftKey(user.id, id)}
      vocabulary={vocabulary}
      view={tab}
      onView={(view) =>
        void navigate({
          to: '/filters/$id',
          params: { id },
          search: (search) => ({ ...search, tab: view === 'builder' ? undefined : view }),
          replace: true,
        })
      }
      isJustSaved={isJustSaved}
      onReload={async () => {
        await refetch();
        setRound((before) => before + 1);
      }}
    />
  );
}
