import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { FILTERS_KEY, filterQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { draftKey } from '#console/app/drafts.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { useGuarded } from '#console/pages/filters/edit/guard/use-guarded.tsx';
import { toJson } from '#console/pages/filters/tree/draft-tree.ts';
import { useSending } from '#console/parts/fields/form.tsx';
import type { DraftContent, FilterDraft, SavedVersion } from './filter-draft.ts';

export interface Saving {
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  /** Null for a conflict, which `theirs` and `isGone` describe. */
  readonly fault: unknown;
  readonly theirs: SavedVersion | null;
  readonly isGone: boolean;
  /** Null if saving failed. */
  readonly save: (content: DraftContent) => Promise<SavedVersion | null>;
  readonly overwrite: (content: DraftContent) => Promise<SavedVersion | null>;
  readonly saveCopy: (content: DraftContent) => Promise<SavedVersion | null>;
  readonly forget: () => void;
  readonly dialog: ReactNode;
}

/** Another person deleted the filter (`gone`), or saved this version of it. */
type Conflict = 'gone' | SavedVersion;

export interface SavingInput {
  readonly saved: SavedFilter | null;
  readonly draft: FilterDraft;
  readonly isJustSaved: boolean;
}

export function useSaving({ saved, draft, isJustSaved }: SavingInput): Saving {
  const api = useApi();
  const user = useUser();
  const queries = useQueryClient();
  const sending = useSending();
  const guarded = useGuarded(words.filters.guard.save);
  const [outcome, setOutcome] = useState<'saved' | Conflict | null>(isJustSaved ? 'saved' : null);
  const theirs = outcome === 'saved' || outcome === 'gone' ? null : outcome;

  async function attempt(send: () => Promise<SavedVersion | null>): Promise<SavedVersion | null> {
    let saving: SavedVersion | null = null;
    setOutcome(null);
    await sending.send(async () => {
      try {
        const version = await send();
        if (version === null) return;
        queries.setQueryData(filterQuery(api, version.data.id).queryKey, version);
        await queries.invalidateQueries({ queryKey: [...FILTERS_KEY, 'list'] });
        setOutcome('saved');
        saving = version;
      } catch (error) {
        setOutcome(await conflictOf(error));
      }
    });
    return saving;
  }

  async function conflictOf(error: unknown): Promise<Conflict> {
    if (!(error instanceof ApiError) || saved === null) throw error;
    if (error.status === 404) return 'gone';
    if (error.status === 412) return api.ask<SavedFilter>(`/filters/${saved.id}`);
    throw error;
  }

  async function create(content: DraftContent, name: string): Promise<SavedVersion> {
    const { orgId, partnerId } = content;
    const version = await api.ask<SavedFilter>('/filters', {
      method: 'POST',
      body: {
        ...bodyOf(content),
        name,
        ...(orgId !== null && { orgId }),
        ...(partnerId !== null && { partnerId }),
      },
    });
    draft.settleAt(draftKey(user.id, `filter.${version.data.id}`), version, content);
    return version;
  }

  async function update(id: string, content: DraftContent, tag: string | null): Promise<SavedVersion | null> {
    const version = await guarded.send((confirmed) =>
      api.ask<SavedFilter>(`/filters/${id}`, {
        method: 'PATCH',
        body: { ...bodyOf(content), ...confirmed },
        headers: tag === null ? {} : { 'If-Match': tag },
      }),
    );
    if (version === null) return null;
    draft.settle(version, content);
    return version;
  }

  return {
    isSaving: sending.isSending,
    isSaved: outcome === 'saved',
    fault: sending.fault,
    theirs,
    isGone: outcome === 'gone',
    save: (content) =>
      attempt(() => (saved === null ? create(content, content.name) : update(saved.id, content, draft.etag))),
    overwrite: (content) =>
      attempt(() => update(saved?.id ?? '', content, theirs === null ? draft.etag : theirs.etag)),
    saveCopy: (content) => attempt(() => create(content, words.filters.copyOf(content.name))),
    forget: () => {
      setOutcome(null);
      sending.forget();
    },
    dialog: guarded.dialog,
  };
}

function bodyOf({ name, description, tree }: DraftContent): object {
  return { name, description: description === '' ? null : description, conditions: toJson(tree) };
}
