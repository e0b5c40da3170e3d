/** All views edit the same tree. Text or JSON is kept beside the tree and replaces it once it parses. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import type { ApiAnswer } from '#console/api/http.ts';
import { keepDraft, readDraft } from '#console/app/drafts.ts';
import { type DraftGroup, toDraft, toJson } from '#console/pages/filters/tree/draft-tree.ts';
import { useHistory } from './use-history.ts';

export const VIEWS = ['builder', 'text', 'json'] as const;
export type View = (typeof VIEWS)[number];

export type FilterTab = View | SavedTab;

export const SAVED_TABS = ['live', 'history', 'used'] as const;
export type SavedTab = (typeof SAVED_TABS)[number];

export function isSavedTab(tab: FilterTab): tab is SavedTab {
  return SAVED_TABS.some((one) => one === tab);
}

export interface Written {
  readonly view: Exclude<View, 'builder'>;
  readonly content: string;
  /** Null while the content does not parse. */
  readonly tree: DraftGroup | null;
}

export interface DraftContent {
  readonly name: string;
  readonly description: string;
  readonly orgId: string | null;
  readonly partnerId: string | null;
  readonly tree: DraftGroup;
  readonly written: Written | null;
}

export type SavedVersion = ApiAnswer<SavedFilter>;

export interface FilterDraft {
  readonly content: DraftContent;
  readonly change: (changes: Changes) => void;
  /** Null if there is nothing to undo. */
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** The tag of the version that the edit began with, for `If-Match`. */
  readonly etag: string | null;
  readonly isDirty: boolean;
  /** The version that the edit began with; null if only its tag is known. */
  readonly base: DraftContent | null;
  readonly isRestored: boolean;
  /** Discarding can be undone. */
  readonly discard: () => void;
  /** Call after `edited` was saved as `version`. Later edits stay. */
  readonly settle: (version: SavedVersion, edited: DraftContent) => void;
  /**
   * Like `settle`, but also moves the draft to another filter's page, where later edits continue. `key` is that page's
   * draft key.
   */
  readonly settleAt: (key: string, version: SavedVersion, edited: DraftContent) => void;
  readonly forget: () => void;
  readonly isAtRisk: () => boolean;
}

export type Changes = Partial<DraftContent> | ((before: DraftContent) => Partial<DraftContent>);

/** Counted from the last change. */
const STORE_AFTER_MS = 300;

export function useFilterDraft(key: string, start: DraftContent, startTag: string | null): FilterDraft {
  const [base, setBase] = useState({ content: start, etag: startTag });
  const [found] = useState(() => restore(key));
  const history = useHistory((): Edited => found ?? { content: start, etag: startTag }, isSame);
  const { content, etag } = history.now;
  const [isRestored, setIsRestored] = useState(found !== null);
  const isForgotten = useRef(false);
  const place = useRef(key);

  const baseText = useMemo(() => textOf(base.content), [base]);
  const text = useMemo(() => textOf(content), [content]);
  const isDirty = text !== baseText;

  const store = useRef(() => {});
  store.current = () => {
    if (!isForgotten.current)
      keepDraft(place.current, isDirty ? JSON.stringify(toStored(content, etag)) : '');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change restarts the timer.
  useEffect(() => {
    // Stores without delay, because the next page is about to read the draft.
    if (place.current !== key) return store.current();
    const timer = window.setTimeout(() => store.current(), STORE_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [text, baseText]);

  useEffect(() => {
    const storeNow = () => store.current();
    window.addEventListener('pagehide', storeNow);
    return () => {
      window.removeEventListener('pagehide', storeNow);
      storeNow();
    };
  }, []);

  function settle({ data, etag: tag }: SavedVersion, edited: DraftContent) {
    const saved = contentOf(data);
    if (saved === null) return;
    // Reuses the tree, so the focused field is not lost.
    const next = { ...saved, tree: edited.tree, written: edited.written };
    setBase({ content: next, etag: tag });
    // Edits made while the save was running are kept.
    history.amend((step, isNow) => ({
      content: isNow ? { ...next, ...changesBetween(content, step.content) } : step.content,
      etag: tag,
    }));
    setIsRestored(false);
  }

  return {
    content,
    change: (changes) =>
      history.change((before) => ({
        ...before,
        content: {
          ...before.content,
          ...(typeof changes === 'function' ? changes(before.content) : changes),
        },
      })),
    undo: history.undo,
    redo: history.redo,
    etag,
    isDirty,
    base: etag === base.etag ? base.content : null,
    isRestored: isRestored && isDirty,
    discard: () => {
      history.change(() => base);
      setIsRestored(false);
    },
    settle,
    settleAt: (to, version, edited) => {
      keepDraft(key, '');
      place.current = to;
      settle(version, edited);
    },
    isAtRisk: () => isDirty && !isForgotten.current && place.current === key,
    forget: () => {
      isForgotten.current = true;
      keepDraft(key, '');
    },
  };
}

/** The parts that changed. The tree and its text count as one part. */
function changesBetween(before: DraftContent, now: DraftContent): Partial<DraftContent> {
  const { name, description, orgId, partnerId, tree, written } = now;
  return {
    ...(name !== before.name && { name }),
    ...(description !== before.description && { description }),
    ...(orgId !== before.orgId && { orgId }),
    ...(partnerId !== before.partnerId && { partnerId }),
    ...((tree !== before.tree || written !== before.written) && { tree, written }),
  };
}

/** Null if the conditions are too deep to edit. */
export function contentOf(filter: SavedFilter): DraftContent | null {
  const { name, description, orgId, partnerId, conditions } = filter;
  const tree = toDraft(conditions);
  if (tree === null) return null;
  return { name, description: description ?? '', orgId, partnerId, tree, written: null };
}

interface Edited {
  readonly content: DraftContent;
  readonly etag: string | null;
}

function isSame(one: Edited, other: Edited): boolean {
  return textOf(one.content) === textOf(other.content);
}

function textOf({ name, description, orgId, partnerId, tree, written }: DraftContent): string {
  const pending = written?.tree === null ? written : null;
  return JSON.stringify([name, description, orgId, partnerId, toJson(tree), pending]);
}

function toStored(
  { name, description, orgId, partnerId, tree, written }: DraftContent,
  etag: string | null,
): StoredDraft {
  const pending = written?.tree === null ? { view: written.view, content: written.content } : null;
  return { etag, name, description, orgId, partnerId, conditions: toJson(tree), pending };
}

interface StoredDraft extends Omit<DraftContent, 'tree' | 'written'> {
  readonly etag: string | null;
  readonly conditions: unknown;
  readonly pending: Omit<Written, 'tree'> | null;
}

/** Null if nothing readable is stored. Another version of the console may have written the draft. */
function restore(key: string): Edited | null {
  try {
    const stored: Partial<StoredDraft> | null = JSON.parse(readDraft(key) || 'null');
    const tree = toDraft(stored?.conditions);
    if (tree === null || typeof stored?.name !== 'string' || typeof stored.description !== 'string')
      return null;
    const { name, description, orgId = null, partnerId = null, etag = null, pending } = stored;
    const isPending =
      typeof pending?.content === 'string' && (pending.view === 'text' || pending.view === 'json');
    const written = isPending ? { view: pending.view, content: pending.content, tree: null } : null;
    return { content: { name, description, orgId, partnerId, tree, written }, etag };
  } catch {
    return null;
  }
}
