/**
 * A filter while it is edited. Its tree is the one thing that all views show; what is written in Text or JSON becomes
 * the tree as soon as it is one, and is kept beside it until then.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { keepDraft, readDraft } from '#console/app/drafts.ts';
import { type DraftGroup, toDraft, toJson } from '#console/pages/filters/tree/draft-tree.ts';

export const VIEWS = ['builder', 'text', 'json'] as const;
export type View = (typeof VIEWS)[number];

/** What was last written in a view other than the builder. */
export interface Written {
  readonly view: Exclude<View, 'builder'>;
  readonly content: string;
  /** The tree that it became; null where it is none yet. */
  readonly tree: DraftGroup | null;
}

export interface DraftContent {
  readonly name: string;
  readonly description: string;
  readonly orgId: string | null;
  readonly tree: DraftGroup;
  readonly written: Written | null;
}

export interface SavedVersion {
  readonly filter: SavedFilter;
  readonly etag: string | null;
}

export interface FilterDraft {
  readonly content: DraftContent;
  readonly change: (changes: Partial<DraftContent>) => void;
  /** The version that it began with, for `If-Match`. */
  readonly etag: string | null;
  readonly isDirty: boolean;
  /** The version that it began with; null where only its tag is known any more. */
  readonly base: DraftContent | null;
  /** Whether it was found in the storage. */
  readonly isRestored: boolean;
  /** Goes back to what it began with. What it returns brings the changes back. */
  readonly discard: () => () => void;
  /** What was edited is saved as this version; what has been written since stays. */
  readonly settle: (version: SavedVersion, edited: DraftContent) => void;
  /** Like `settle`, of another filter: its page, with this key of the storage, goes on with what has been written since. */
  readonly settleAt: (key: string, version: SavedVersion, edited: DraftContent) => void;
  /** It is saved elsewhere, or gone; nothing is kept of it. */
  readonly forget: () => void;
  /** Whether leaving it would leave changes behind that are saved nowhere. */
  readonly isAtRisk: () => boolean;
}

/** Milliseconds after the last change. */
const STORE_AFTER_MS = 300;

/** `key` is that of the storage. */
export function useFilterDraft(key: string, start: DraftContent, startTag: string | null): FilterDraft {
  const [base, setBase] = useState({ content: start, etag: startTag });
  const [found] = useState(() => restore(readStored(key)));
  const [content, setContent] = useState(found?.content ?? start);
  const [etag, setEtag] = useState(found === null ? startTag : found.etag);
  const [isRestored, setIsRestored] = useState(found !== null);
  const isForgotten = useRef(false);
  /** Where it is stored. */
  const place = useRef(key);

  const baseText = useMemo(() => textOf(base.content), [base]);
  const text = useMemo(() => textOf(content), [content]);
  const isDirty = text !== baseText;

  const store = useRef(() => {});
  store.current = () => {
    if (!isForgotten.current)
      keepDraft(place.current, isDirty ? JSON.stringify(toStored(content, etag)) : '');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is what it waits for.
  useEffect(() => {
    // The page that goes on with it reads it when it comes.
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

  function settle({ filter, etag: tag }: SavedVersion, edited: DraftContent) {
    const saved = contentOf(filter);
    if (saved === null) return;
    // The tree stays, so that the focus does.
    const next = { ...saved, tree: edited.tree, written: edited.written };
    setBase({ content: next, etag: tag });
    // `content` is what it was when it was sent.
    setContent((now) => ({ ...next, ...changesBetween(content, now) }));
    setEtag(tag);
    setIsRestored(false);
  }

  return {
    content,
    change: (changes) => setContent((before) => ({ ...before, ...changes })),
    etag,
    isDirty,
    base: etag === base.etag ? base.content : null,
    isRestored: isRestored && isDirty,
    discard: () => {
      setContent(base.content);
      setEtag(base.etag);
      setIsRestored(false);
      return () => {
        setContent(content);
        setEtag(etag);
      };
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

/** The parts that somebody has written since; a tree and the text that it is written in are one. */
function changesBetween(before: DraftContent, now: DraftContent): Partial<DraftContent> {
  const { name, description, orgId, tree, written } = now;
  return {
    ...(name !== before.name && { name }),
    ...(description !== before.description && { description }),
    ...(orgId !== before.orgId && { orgId }),
    ...((tree !== before.tree || written !== before.written) && { tree, written }),
  };
}

/** What is edited of a saved filter; null where its conditions are no tree. */
export function contentOf({ name, description, orgId, conditions }: SavedFilter): DraftContent | null {
  const tree = toDraft(conditions);
  return tree === null ? null : { name, description: description ?? '', orgId, tree, written: null };
}

function textOf({ name, description, orgId, tree, written }: DraftContent): string {
  const pending = written?.tree === null ? written : null;
  return JSON.stringify([name, description, orgId, toJson(tree), pending]);
}

function toStored(
  { name, description, orgId, tree, written }: DraftContent,
  etag: string | null,
): StoredDraft {
  const pending = written?.tree === null ? { view: written.view, content: written.content } : null;
  return { etag, name, description, orgId, conditions: toJson(tree), pending };
}

function restore(
  stored: StoredDraft | null,
): { readonly content: DraftContent; readonly etag: string | null } | null {
  const tree = stored === null ? null : toDraft(stored.conditions);
  if (stored === null || tree === null) return null;
  const { name, description, orgId, pending, etag } = stored;
  const written = pending === null ? null : { ...pending, tree: null };
  return { content: { name, description, orgId, tree, written }, etag };
}

/** What is kept of a draft. */
interface StoredDraft {
  /** The entity tag of the version that was changed; null for a filter that was never saved. */
  readonly etag: string | null;
  readonly name: string;
  readonly description: string;
  readonly orgId: string | null;
  readonly conditions: unknown;
  /** The content of a view that is not a filter yet. */
  readonly pending: { readonly view: Exclude<View, 'builder'>; readonly content: string } | null;
}

/** Null if there is no draft, or if another version of the console wrote it. */
function readStored(key: string): StoredDraft | null {
  try {
    const stored: Partial<StoredDraft> | null = JSON.parse(readDraft(key) || 'null');
    if (typeof stored?.name !== 'string' || typeof stored.description !== 'string') return null;
    const { etag, name, description, orgId, conditions, pending } = stored;
    const isPending =
      typeof pending?.content === 'string' && (pending.view === 'text' || pending.view === 'json');
    return {
      etag: etag ?? null,
      name,
      description,
      orgId: orgId ?? null,
      conditions,
      pending: isPending ? pending : null,
    };
  } catch {
    return null;
  }
}
