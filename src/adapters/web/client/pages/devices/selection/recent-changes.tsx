/** Bulk changes that can still be undone. They outlast a reload of the tab. */
import { useSyncExternalStore } from 'react';
import { MenuTrigger } from 'react-aria-components';
import { draftKey, keepDraft, readDraft } from '#console/app/drafts.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { formatSpan } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { UNDO_MS } from '#domain/device/bulk-change.ts';
import styles from './recent-changes.module.css';

export interface RecentChange {
  readonly operationId: string;
  /** Text such as `added vip on 40 devices`. */
  readonly text: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

export function RecentChangesMenu({ onUndo }: { readonly onUndo: (change: RecentChange) => Promise<void> }) {
  const { id } = useUser();
  const changes = useSyncExternalStore(subscribe, () => read(id));
  if (changes.length === 0) return null;
  return (
    <MenuTrigger>
      <Button kind="quiet" aria-label={words.bulk.recent} className={styles.recent ?? ''}>
        <Icon name="undo" /> <span>{words.bulk.recent}</span>
      </Button>
      <Menu placement="bottom end">
        {changes.map((change) => (
          <MenuItem key={change.operationId} onAction={() => void onUndo(change)}>
            {words.bulk.recentEntry(change.text, formatSpan(change.at, Date.now()))}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

const listeners = new Set<() => void>();
let known: { readonly key: string; readonly changes: readonly RecentChange[] } | null = null;

export function addRecentChange(userId: string, change: RecentChange): void {
  write(userId, [change, ...read(userId)]);
}

export function removeRecentChange(userId: string, operationId: string): void {
  write(
    userId,
    read(userId).filter((change) => change.operationId !== operationId),
  );
}

/** Latest first. */
function read(userId: string): readonly RecentChange[] {
  const key = draftKey(userId, 'recent-changes');
  if (known?.key !== key) known = { key, changes: parse(readDraft(key)) };
  const isOver = (change: RecentChange) => Date.now() - change.at >= UNDO_MS;
  if (known.changes.some(isOver)) known = { key, changes: known.changes.filter((one) => !isOver(one)) };
  return known.changes;
}

function write(userId: string, changes: readonly RecentChange[]): void {
  known = { key: draftKey(userId, 'recent-changes'), changes };
  keepDraft(known.key, changes.length === 0 ? '' : JSON.stringify(changes));
  for (const listener of listeners) listener();
}

function parse(text: string): readonly RecentChange[] {
  return text === '' ? [] : (JSON.parse(text) as readonly RecentChange[]);
}

/** How often expired changes are dropped from the list. */
const LOOK_EVERY_MS = 15_000;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(listener, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    listeners.delete(listener);
  };
}
