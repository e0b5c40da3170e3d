/** Changes of many devices that can still be undone, kept in this tab through a reload. */
import { useSyncExternalStore } from 'react';
import { draftKey, keepDraft, readDraft } from '#console/app/drafts.ts';
import { UNDO_MS } from '#domain/device/bulk-change.ts';

export interface RecentChange {
  readonly operationId: string;
  /** Such as `added vip on 40 devices`. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

const listeners = new Set<() => void>();
let known: { readonly key: string; readonly changes: readonly RecentChange[] } | null = null;

/** Latest first. */
export function useRecentChanges(userId: string): readonly RecentChange[] {
  return useSyncExternalStore(subscribe, () => read(userId));
}

export function addRecentChange(userId: string, change: RecentChange): void {
  write(userId, [change, ...read(userId)]);
}

export function removeRecentChange(userId: string, operationId: string): void {
  write(
    userId,
    read(userId).filter((change) => change.operationId !== operationId),
  );
}

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

/** Changes also leave the list by time. */
const LOOK_EVERY_MS = 15_000;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(listener, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    listeners.delete(listener);
  };
}
