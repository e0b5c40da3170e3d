import { hashKey, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { type DeviceQuery, devicePageQuery } from '#console/api/devices.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKeys } from '#console/keys/registry.ts';
import { useNarrow } from '#console/pages/lists/toolbar.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { useCatalog } from '#console/parts/condition/use-vocabulary.ts';
import {
  asksForPatches,
  UnreportedPatches,
  unreportedOfText,
} from '#console/parts/display/unreported-patches.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DEFAULT_DEVICE_SORT, parseDeviceSort, printDeviceSort } from '#domain/device/device-sort.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import styles from './devices-page.module.css';
import { ExplainDialog } from './dialogs/explain-dialog.tsx';
import { ExportDialog } from './dialogs/export-dialog.tsx';
import { SaveFilterDialog } from './dialogs/save-filter-dialog.tsx';
import { SyntaxDialog } from './dialogs/syntax-dialog.tsx';
import { EmptyDevices, UnreadableFilter } from './empty-devices.tsx';
import { FilterChips } from './filter/filter-chips.tsx';
import { FilterField } from './filter/filter-field.tsx';
import { RecentChangesMenu } from './selection/recent-changes.tsx';
import { SelectionFoot, useBulkMessages } from './selection/selection-foot.tsx';
import { useSelection } from './selection/use-selection.ts';
import { columnsOf } from './table/columns.tsx';
import { ColumnsMenu } from './table/columns-menu.tsx';
import { DeviceCount } from './table/device-count.tsx';
import { DeviceTable, MAX_ROWS } from './table/device-table.tsx';
import { type ColumnLayout, parseColumns, printColumns, useColumnLayout } from './table/use-column-layout.ts';

type Floating =
  | { readonly kind: 'syntax' | 'export' | 'save' }
  | { readonly kind: 'explain'; readonly device: DeviceRow | null };

const TITLE = 'Devices & Assets';

export function DevicesPage() {
  const {
    q = '',
    sort: sortText,
    columns: columnsText,
    dialog,
    org = null,
  } = useSearch({ from: '/shell/devices' });
  const sort = parseDeviceSort(sortText ?? '') ?? DEFAULT_DEVICE_SORT;
  const ended = useRouterState({ select: ({ location }) => location.state.endedDevice });
  const { catalog } = useCatalog();
  const { layout, changeLayout } = useColumnLayout();
  const ids = columnsText === undefined ? layout.ids : parseColumns(columnsText);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with equal ids, no row must be rendered again.
  const columns = useMemo(() => columnsOf(ids, catalog ?? CORE_CATALOG), [ids.join(), catalog]);
  const fields = columns.flatMap(({ field }) => field ?? []);
  const query: DeviceQuery = {
    ...{ q, orgId: org, sort: printDeviceSort(sort) },
    ...(fields.length > 0 && { fields }),
  };
  const { shown, first, error, refetch } = useShownQuery(query);
  const { data: organizations = [] } = useQuery(organizationsQuery(useApi()));
  const [floating, setFloating] = useState<Floating | null>(null);
  const [current, setCurrent] = useState<number | null>(null);
  const [isHalf, setIsHalf] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLElement>(null);
  const rowAt = useRef<(index: number) => DeviceRow | undefined>(() => undefined);
  const narrow = useNarrow();
  const names = useMemo(() => new Map(organizations.map(({ id, name }) => [id, name])), [organizations]);
  const count = first?.totalCount ?? 0;
  const selection = useSelection(shown ?? query, count);
  const messages = useBulkMessages();

  const apply = (text: string, isFinal: boolean) => {
    setCurrent(null);
    narrow({ q: text.trim() === '' ? undefined : text }, isFinal);
  };
  const lay = (changes: Partial<ColumnLayout>) => {
    changeLayout(changes);
    if (changes.ids !== undefined) narrow({ columns: printColumns(changes.ids) });
  };
  const withCurrent = (act: (row: DeviceRow) => void) => () => {
    const row = current === null ? undefined : rowAt.current(current);
    if (row !== undefined) act(row);
  };
  const move = (step: 1 | -1) => () =>
    setCurrent((before) => {
      if (count === 0) return null;
      return before === null ? 0 : Math.min(Math.max(before + step, 0), Math.min(count, MAX_ROWS) - 1);
    });

  useKeys(words.devices.table, [
    { keys: '/', title: words.devices.keys.filter, run: () => input.current?.focus() },
    { keys: '?', title: words.devices.keys.syntax, run: () => setFloating({ kind: 'syntax' }) },
    { keys: 'j', title: words.devices.keys.next, run: move(1) },
    { keys: 'k', title: words.devices.keys.previous, run: move(-1) },
    {
      keys: 'x',
      title: words.devices.keys.select,
      run: ({ shiftKey }) => withCurrent((row) => selection.toggle(row, current ?? 0, shiftKey))(),
    },
    {
      keys: 'e',
      title: words.devices.keys.explain,
      run: withCurrent((device) => setFloating({ kind: 'explain', device })),
    },
  ]);

  const faults = error instanceof ApiError ? error.errors.filter(({ path }) => path === 'q') : [];
  const isOutOfDate = faults.length > 0 || isHalf;
  const close = () => {
    setFloating(null);
    if (dialog !== undefined) narrow({ dialog: undefined });
  };
  return (
    <Page
      title={TITLE}
      isFull
      actions={
        <>
          <Button onPress={() => setFloating({ kind: 'save' })} isDisabled={shown === null}>
            {words.devices.save}
          </Button>
          <Button onPress={() => setFloating({ kind: 'export' })} isDisabled={count === 0}>
            {words.devices.export}
          </Button>
        </>
      }
    >
      <div className={styles.filter}>
        <FilterField
          value={q}
          onApply={apply}
          faults={faults}
          catalog={catalog ?? CORE_CATALOG}
          inputRef={input}
          list={list}
          onSyntax={() => setFloating({ kind: 'syntax' })}
          onHalf={setIsHalf}
          hasList={shown !== null}
        >
          {catalog !== null && (
            <FilterChips
              q={faults.length === 0 ? q : (shown?.q ?? '')}
              catalog={catalog}
              onChange={(text) => apply(text, true)}
              onEmpty={() => input.current?.focus()}
            />
          )}
        </FilterField>
        {faults.length === 0 && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </div>
      {ended !== undefined && <Notice kind="success">{ended}</Notice>}
      <div className={`row ${styles.bar}`}>
        <DeviceCount first={first} orgId={org} organizations={organizations} isOutOfDate={isOutOfDate} />
        <div className="row">
          <Link to="/devices/duplicates">{words.devicePage.ends.duplicates}</Link>
          <RecentChangesMenu onUndo={messages.undo} />
          <Button kind="quiet" onPress={() => setFloating({ kind: 'explain', device: null })}>
            {words.devices.explain}
          </Button>
          <ColumnsMenu columns={columns} catalog={catalog ?? CORE_CATALOG} onLayout={lay} />
        </div>
      </div>
      {shown !== null && asksForPatches(shown.q) && (
        <UnreportedPatches ofThese={unreportedOfText(shown.q)} orgId={org} />
      )}
      <SelectionFoot
        selection={selection}
        total={count}
        columns={columns}
        onFilter={(text) => apply(text, true)}
        messages={messages}
      />
      {count > MAX_ROWS && <Notice kind="info">{words.devices.tooMany(MAX_ROWS)}</Notice>}
      {shown === null && faults.length > 0 && <UnreadableFilter onClear={() => apply('', true)} />}
      {shown !== null && first !== undefined && count === 0 ? (
        <EmptyDevices q={shown.q} orgId={org} />
      ) : (
        (shown !== null || error === null) && (
          <DeviceTable
            ref={list}
            query={shown ?? query}
            sort={sort}
            isOutOfDate={isOutOfDate}
            onSort={(chosen) => narrow({ sort: chosen === null ? undefined : printDeviceSort(chosen) }, true)}
            count={first === undefined ? ROWS_WHILE_LOADING : count}
            columns={columns}
            layout={layout}
            onLayout={lay}
            organizations={names}
            current={current}
            onCurrent={setCurrent}
            selection={selection}
            onRows={(look) => {
              rowAt.current = look;
            }}
          />
        )
      )}
      {floating?.kind === 'syntax' && <SyntaxDialog onClose={close} />}
      {floating?.kind === 'save' && (
        <SaveFilterDialog q={shown?.q ?? ''} orgId={org} count={count} onClose={close} />
      )}
      {(floating?.kind === 'export' || (dialog === 'export' && first !== undefined)) && (
        <ExportDialog
          chosen={{ kind: 'all', q: shown?.q ?? '', orgId: org }}
          count={count}
          columns={columns}
          onClose={close}
        />
      )}
      {floating?.kind === 'explain' && (
        <ExplainDialog q={shown?.q ?? ''} orgId={org} device={floating.device} onClose={close} />
      )}
    </Page>
  );
}

const ROWS_WHILE_LOADING = 12;

/** Keeps the last answered query on screen while the next one loads or fails. */
function useShownQuery(query: DeviceQuery) {
  const api = useApi();
  const queries = useQueryClient();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...devicePageQuery(api, queries, query, 0),
    placeholderData: keepPreviousData,
  });
  const [last, setLast] = useState<DeviceQuery | null>(null);
  const isAnswered = data !== undefined && !isPlaceholderData && error === null;
  if (isAnswered && (last === null || hashKey([last]) !== hashKey([query]))) setLast(query);
  const shown = isAnswered ? query : last;
  const { data: before } = useQuery({
    ...devicePageQuery(api, queries, shown ?? query, 0),
    enabled: shown !== null,
  });
  return { shown, first: isAnswered ? data : before, error, refetch };
}
