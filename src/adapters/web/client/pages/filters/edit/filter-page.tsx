import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filterQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { draftKey } from '#console/app/drafts.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { FilterCount } from '#console/pages/filters/list/filter-count.tsx';
import { type FilterOwners, useOwners } from '#console/pages/filters/owners.ts';
import { draftOfText } from '#console/pages/filters/tree/draft-text.ts';
import { emptyGroup, levelsOf, MAX_LEVELS } from '#console/pages/filters/tree/draft-tree.ts';
import { useVocabulary, type Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { NotFound } from '#console/parts/feedback/not-found.tsx';
import { ErrorNotice, type ErrorNoticeProps, Notice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { contentOf, type DraftContent } from './draft/filter-draft.ts';
import { FilterEditor } from './filter-editor.tsx';

export function FilterPage() {
  const { id } = useParams({ from: '/shell/filters/$id' });
  return <SavedFilterPage key={id} id={id} />;
}

function SavedFilterPage({ id }: { readonly id: string }) {
  const { tab = 'builder' } = useSearch({ from: '/shell/filters/$id' });
  const user = useUser();
  const isJustSaved = useRouterState({ select: ({ location }) => location.state.isSaved === true });
  const { data: saved, error, refetch } = useQuery(filterQuery(useApi(), id));
  const { vocabulary, error: vocabularyError, retry } = useVocabulary();
  const owners = useOwners();
  // Counts up to remount the editor with the new version.
  const [round, setRound] = useState(0);
  if (error instanceof ApiError && error.status === 404 && saved === undefined) return <NotFound />;
  const found = saved === undefined ? null : contentOf(saved.data);
  // A copy of a filter that the user may not change needs another owner.
  const foreign = { orgId: owners.onlyOrgId, partnerId: null };
  const start =
    found === null || saved === undefined || owners.mayChange(saved.data) ? found : { ...found, ...foreign };
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
      saved={saved}
      start={start}
      storageKey={draftKey(user.id, `filter.${id}`)}
      vocabulary={vocabulary}
      tab={tab}
      isJustSaved={isJustSaved}
      onReload={async () => {
        await refetch();
        setRound((before) => before + 1);
      }}
    />
  );
}

export function NewFilterPage() {
  const { from, q, org, tab = 'builder' } = useSearch({ from: '/shell/filters/new' });
  const user = useUser();
  const copied = useQuery({ ...filterQuery(useApi(), from ?? ''), enabled: from !== undefined });
  const { vocabulary, error, retry } = useVocabulary();
  const isReady = vocabulary !== null && (from === undefined || copied.data !== undefined);
  const owners = useOwners();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the owners change only together with the vocabulary.
  const start = useMemo(
    () => (isReady ? startOf({ copied: copied.data?.data ?? null, q, org, vocabulary, owners }) : null),
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
      storageKey={draftKey(
        user.id,
        ['filter', 'new', from, q].filter((part) => part !== undefined).join('.'),
      )}
      vocabulary={vocabulary}
      tab={tab}
      isJustSaved={false}
      onReload={() => Promise.resolve()}
    />
  );
}

interface StartInput {
  readonly copied: SavedFilter | null;
  readonly q: string | undefined;
  readonly org: string | undefined;
  readonly vocabulary: Vocabulary;
  readonly owners: FilterOwners;
}

function startOf({ copied, q, org, vocabulary, owners }: StartInput): DraftContent {
  const { catalog, organizations, resolveName } = vocabulary;
  const orgId = owners.onlyOrgId ?? organizations.find(({ id }) => id === org)?.id ?? null;
  const owner = { orgId, partnerId: null };
  const empty = { name: '', description: '', ...owner, tree: emptyGroup('AND'), written: null };
  const copy = copied === null ? null : contentOf(copied);
  if (copied !== null && copy !== null) {
    return { ...copy, ...(!owners.mayChange(copied) && owner), name: words.filters.copyOf(copied.name) };
  }
  if (q === undefined) return empty;
  const read = draftOfText(q, catalog, resolveName);
  if (read.ok) return { ...empty, tree: read.value };
  return { ...empty, written: { view: 'text', content: q, tree: null } };
}

function EditorSkeleton({ error, onRetry }: Required<ErrorNoticeProps>) {
  if (error !== null && error !== undefined) {
    return (
      <Page title={words.failedTitle}>
        <ErrorNotice error={error} onRetry={onRetry} />
      </Page>
    );
  }
  return (
    <Page title={words.loading} heading={<Skeleton width={240} />}>
      <div className="stack" aria-busy="true">
        <Skeleton width={600} />
        <Skeleton width={600} />
        <Skeleton width={180} />
        <Skeleton width="80%" />
        <Skeleton width="80%" />
      </div>
    </Page>
  );
}

/** A filter too deep to edit. It can still be counted and exported. */
function DeepFilter({ filter }: { readonly filter: SavedFilter }) {
  return (
    <Page title={filter.name}>
      <Notice kind="info">{words.filters.tooDeep(levelsOf(filter.conditions), MAX_LEVELS)}</Notice>
      {filter.description !== null && <p>{filter.description}</p>}
      <p>
        {words.filters.columns.count}: <FilterCount filter={filter} isSeen orgId={null} />
      </p>
    </Page>
  );
}
