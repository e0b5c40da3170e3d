/** Drafts of filters in the tab's session storage, so that neither a reload nor an ended session loses them. */
import type { View } from './filter-draft.ts';

export interface StoredDraft {
  /** The entity tag of the version that was changed; null for a filter that was never saved. */
  readonly etag: string | null;
  readonly name: string;
  readonly description: string;
  readonly orgId: string | null;
  readonly conditions: unknown;
  /** The content of a view that is not a filter yet. */
  readonly pending: { readonly view: Exclude<View, 'builder'>; readonly content: string } | null;
}

const PREFIX = 'fleetsift.filter-draft';

/** Drafts are each person's own. */
export function draftKey(userId: string, filter: string): string {
  return `${PREFIX}.${userId}.${filter}`;
}

/** Null if there is no draft, or if it cannot be understood. */
export function readDraft(key: string): StoredDraft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { etag, name, description, orgId, conditions, pending } = stored as Partial<StoredDraft>;
    if (typeof name !== 'string' || typeof description !== 'string') return null;
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

/** Null forgets it. */
export function writeDraft(key: string, draft: StoredDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still has the draft until the page is left.
  }
}
