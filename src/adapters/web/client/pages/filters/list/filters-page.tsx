import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import { filtersQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKeys } from '#console/keys/registry.ts';
import { useWholeText } from '#console/pages/devices/table/use-whole-text.tsx';
import { useOwners } from '#console/pages/filters/owners.ts';
import { NarrowingSearch, Toolbar } from '#console/pages/lists/toolbar.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { useVocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Toast } from '#console/parts/feedback/toast.tsx';
import table from '#console/parts/layout/data-table.module.css';
import { Page } from '#console/parts/layout/page.tsx';
import { matchesSearch } from '#domain/filter/saved-filter.ts';
import { FilterRow } from './filter-row.tsx';
import styles from './filters-page.module.css';
import { useDeletions } from './use-deletions.ts';
import { UsedDialog } from './used-dialog.tsx';

const SKELETON_ROWS = 5;

/** Rendering ten thousand rows at once blocks a browser for half a minute. */
const ROWS_AT_ONCE = 100;

export function FiltersPage() {
  const { org, search = '' } = useSearch({ from: '/shell/filters' });
  const navigate = useNavigate();
  const api = useApi();
  const { data: filters, error, refetch } = useQuery(filtersQuery(api));
  const { vocabulary, error: vocabularyError, retry } = useVocabulary();
  const deletions = useDeletions();
  const tip = useWholeText();
  const [said, setSaid] = useState<string | null>(null);
  const [drawn, setDrawn] = useState(ROWS_AT_ONCE);
  const wanted = useDeferredValue(search);

  const owners = useOwners();
  const isSpread =
    Object.keys(owners.choices).length > 1 || filters?.some(({ partnerId }) => partnerId !== null) === true;
  const own = filters?.filter(
    (filter) => !deletions.ids.has(filter.id) && (org === undefined || owners.covers(filter, org)),
  );
  const shown = own?.filter((filter) => matchesSearch(filter, wanted));
  const { columns: titles } = words.filters;
  // A filter's page sets `deletedId` and leaves the deletion to this list.
  const deletedId = useRouterState({ select: ({ location }) => location.state.deletedId });
  const deleted = filters?.find(({ id }) => id === deletedId);
  useEffect(() => {
    if (deleted === undefined) return;
    // Clears the state first, or a reload would delete the filter again.
    void navigate({ to: '/filters', search: (before) => before, state: {}, replace: true });
    void deletions.add(deleted);
  }, [deleted, navigate, deletions.add]);
  const message = deletions.message ?? said;
  const undo = () => deletions.undo !== null && setSaid(deletions.undo());
  useKeys(words.filters.title, [
    // A shortcut helps, because the undo button is below a long list and disappears after ten seconds.
    { keys: 'mod+z', title: words.filters.undoDeletion, run: undo },
  ]);
  const failure = error ?? (vocabulary === null ? vocabularyError : null);
  const retryAll = () => {
    retry();
    if (error !== null) void refetch();
  };

  return (
    <Page
      title={words.filters.title}
      isWide
      actions={
        <Button kind="primary" onPress={() => void navigate({ to: '/filters/new' })}>
          {words.filters.create}
        </Button>
      }
    >
      <ErrorNotice error={failure} onRetry={retryAll} />
      <ErrorNotice error={deletions.error} />
      {own?.length === 0 ? (
        <Empty title={words.filters.emptyTitle} text={words.filters.emptyText}>
          <Link to="/filters/new">{words.filters.create}</Link>
        </Empty>
      ) : (
        <>
          <Toolbar>
            <NarrowingSearch label={words.filters.search} value={search} />
          </Toolbar>
          <p role="status" className={styles.listed}>
            {shown !== undefined && words.filters.listed(shown.length)}
          </p>
          {shown?.length === 0 ? (
            <p className="soft">{words.filters.nothingFound(wanted)}</p>
          ) : (
            <div className={table.frame}>
              <table
                aria-label={words.filters.title}
                className={styles.table}
                onFocus={tip.onFocus}
                onBlur={tip.onBlur}
              >
                <thead>
                  <tr>
                    <th scope="col">{titles.name}</th>
                    {isSpread && (
                      <th scope="col" className={`cut ${styles.wide}`}>
                        {titles.owner}
                      </th>
                    )}
                    <th scope="col" className={styles.number}>
                      {titles.count}
                    </th>
                    <th scope="col" className={`cut ${styles.wide}`}>
                      {titles.conditions}
                    </th>
                    <th scope="col" className={`cut ${styles.wide}`}>
                      {titles.creator}
                    </th>
                    <th scope="col" className={`cut ${styles.wide}`}>
                      {titles.changed}
                    </th>
                    <th scope="col">
                      <span className="visually-hidden">{titles.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown === undefined || vocabulary === null
                    ? Array.from({ length: failure === null ? SKELETON_ROWS : 0 }, (_, i) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
                        <tr key={i}>
                          <td colSpan={isSpread ? 7 : 6}>
                            <Skeleton width="70%" />
                          </td>
                        </tr>
                      ))
                    : shown
                        .slice(0, drawn)
                        .map((filter) => (
                          <FilterRow
                            key={filter.id}
                            filter={filter}
                            catalog={vocabulary.catalog}
                            orgId={org ?? null}
                            owner={isSpread ? owners.titleOf(filter) : null}
                            onDelete={owners.mayChange(filter) ? () => void deletions.add(filter) : null}
                            onSay={setSaid}
                          />
                        ))}
                </tbody>
              </table>
            </div>
          )}
          {shown !== undefined && shown.length > drawn && (
            <div className={styles.more}>
              <Button onPress={() => setDrawn(drawn + ROWS_AT_ONCE)}>{words.loadMore}</Button>
            </div>
          )}
        </>
      )}
      {tip.node}
      {deletions.used !== null && (
        <UsedDialog used={deletions.used} onForce={deletions.force} onKeep={deletions.keep} />
      )}
      <Toast onUndo={deletions.undo === null ? undefined : undo}>{message}</Toast>
    </Page>
  );
}
