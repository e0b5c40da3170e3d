import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { undoChange } from '#console/api/bulk.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { useKeys } from '#console/keys/registry.ts';
import { ExportDialog } from '#console/pages/devices/dialogs/export-dialog.tsx';
import type { Column } from '#console/pages/devices/table/columns.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { messageOf } from '#console/parts/display/format.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { usePassing } from '#console/parts/hooks/use-passing.ts';
import { quoteWhereNeeded } from '#domain/filter/text/print/print-condition.ts';
import { MAX_BULK_DEVICES } from '#domain/limits.ts';
import { BulkDialog, type BulkDone, type BulkKind } from './bulk-dialog.tsx';
import { addRecentChange, type RecentChange, removeRecentChange } from './recent-changes.tsx';
import styles from './selection-foot.module.css';
import type { DeviceSelection } from './use-selection.ts';

export interface Said {
  readonly text: string;
  /** Null if the message offers no undo. */
  readonly operationId: string | null;
}

export function useBulkMessages() {
  const api = useApi();
  const queries = useQueryClient();
  const { id: userId } = useUser();
  const [said, setSaid] = usePassing<Said>();

  const tell = ({ text, change }: BulkDone) => {
    if (change !== null) addRecentChange(userId, change);
    setSaid({ text, operationId: change?.operationId ?? null });
  };
  const undo = async ({ operationId }: Pick<RecentChange, 'operationId'>) => {
    setSaid(null);
    try {
      const { restored, skipped } = await undoChange(api, queries, operationId);
      removeRecentChange(userId, operationId);
      setSaid({ text: words.bulk.undone(restored, skipped), operationId: null });
    } catch (error) {
      setSaid({ text: messageOf(error), operationId: null });
    }
  };
  const { operationId = null } = said ?? {};
  useKeys(words.devices.table, [
    {
      keys: 'mod+z',
      title: words.bulk.undoKey,
      run: () => operationId !== null && void undo({ operationId }),
    },
  ]);
  return { said, tell, undo };
}

export interface SelectionFootProps {
  readonly selection: DeviceSelection;
  /** How many devices match the filter. */
  readonly total: number;
  readonly columns: readonly Column[];
  readonly onFilter: (q: string) => void;
  readonly messages: ReturnType<typeof useBulkMessages>;
}

export function SelectionFoot({ selection, total, columns, onFilter, messages }: SelectionFootProps) {
  const canChange = holds(useUser(), 'devices:write');
  const [open, setOpen] = useState<BulkKind | 'export' | null>(null);
  const { count, isAll, isLoading, isAllOrNothing, chosen, names } = selection;
  const { said } = messages;
  const close = () => setOpen(null);
  const isTooMany = count > MAX_BULK_DEVICES;
  useKeys(words.devices.table, [
    { keys: 'a', title: words.bulk.selectAllKey, run: () => total > 0 && selection.selectAll() },
    {
      keys: 't',
      title: words.bulk.tagKey,
      run: () => canChange && count > 0 && !isTooMany && !isLoading && setOpen('tag'),
    },
  ]);
  return (
    <div className={styles.foot}>
      <div role="status">
        {said !== null && (
          <div className={`row floating ${styles.toast}`}>
            {said.text}
            {said.operationId !== null && (
              <Button
                kind="quiet"
                isCompact
                onPress={() => void messages.undo({ operationId: said.operationId ?? '' })}
              >
                {words.bulk.undo}
              </Button>
            )}
          </div>
        )}
      </div>
      {(count > 0 || isLoading) && (
        <section aria-label={words.bulk.bar} className={`row floating ${styles.bar}`}>
          <strong role="status">{isLoading ? words.bulk.selecting : words.bulk.selected(count)}</strong>
          {!isAll && total > count && (
            <Button kind="quiet" isCompact onPress={selection.selectAll}>
              {words.bulk.selectAll(total)}
            </Button>
          )}
          {canChange &&
            (['tag', 'field', 'status'] as const).map((kind) => (
              <Button key={kind} isCompact isDisabled={isTooMany || isLoading} onPress={() => setOpen(kind)}>
                {words.bulk[kind](count)}
              </Button>
            ))}
          <Button isCompact isDisabled={isLoading} onPress={() => setOpen('export')}>
            {words.bulk.export(count)}
          </Button>
          {!isAll && (
            <>
              <CopyButton text={names.join('\n')} label={words.bulk.copyNames} isCompact />
              <Button kind="quiet" isCompact onPress={() => onFilter(filterOf(names))}>
                {words.bulk.onlyThese}
              </Button>
            </>
          )}
          <Button kind="quiet" isCompact onPress={selection.clear}>
            {words.bulk.clear}
          </Button>
          {canChange && isTooMany && <span className="note">{words.bulk.tooMany(MAX_BULK_DEVICES)}</span>}
          {isAllOrNothing && <span className="note">{words.bulk.allOrNothing(MAX_BULK_DEVICES)}</span>}
          <ErrorNotice error={selection.error} />
        </section>
      )}
      {open === 'export' && <ExportDialog chosen={chosen} count={count} columns={columns} onClose={close} />}
      {open !== null && open !== 'export' && (
        <BulkDialog kind={open} chosen={chosen} count={count} onClose={close} onDone={messages.tell} />
      )}
    </div>
  );
}

function filterOf(names: readonly string[]): string {
  return `host:=${[...new Set(names)].map((name) => quoteWhereNeeded(name, 'element')).join(',')}`;
}
