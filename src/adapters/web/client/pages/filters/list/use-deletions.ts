/** A deletion is sent after ten seconds, or earlier when the user leaves the page. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Impact, SavedFilter } from '#adapters/http/api-types.ts';
import { filtersQuery, impactNow } from '#console/api/filters.ts';
import { ApiError, type FilterUse } from '#console/api/http.ts';
import { keepUnsent } from '#console/api/unsent.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { type Confirmed, confirmationOf } from '#console/pages/filters/edit/guard/use-guarded.tsx';

export interface Deletions {
  /** Filters that are hidden, but not yet deleted. */
  readonly ids: ReadonlySet<string>;
  readonly message: string | null;
  readonly error: unknown;
  readonly add: (filter: SavedFilter) => Promise<void>;
  /** A filter that was not deleted because filters or subscriptions use it. */
  readonly used: UsedFilter | null;
  readonly force: () => void;
  readonly keep: () => void;
  /** Returns the message to show; null if there is nothing to undo. */
  readonly undo: (() => string) | null;
}

export interface UsedFilter {
  readonly filter: SavedFilter;
  readonly usedBy: readonly FilterUse[];
  /** Null if the filter cannot be evaluated. */
  readonly impact: Impact | null;
}

const UNDO_MS = 10_000;

interface Waiting {
  readonly filter: SavedFilter;
  readonly timer: number;
  readonly isSent: boolean;
  readonly forced: Confirmed | null;
}

export function useDeletions(): Deletions {
  const api = useApi();
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [used, setUsed] = useState<UsedFilter | null>(null);
  const latest = useRef(waiting);
  latest.current = waiting;

  async function send({ filter, forced }: Waiting): Promise<void> {
    const { id } = filter;
    setWaiting((before) => before.map((one) => (one.filter.id === id ? { ...one, isSent: true } : one)));
    try {
      const options = forced === null ? {} : { query: { force: true }, body: forced };
      await api.call(`/filters/${id}`, { method: 'DELETE', isLast: true, ...options });
    } catch (fault) {
      if (fault instanceof ApiError && fault.code === 'filter_in_use') {
        setUsed({ filter, usedBy: fault.usedBy, impact: null });
      } else if (fault instanceof ApiError && fault.impact !== null) {
        setUsed({ filter, usedBy: fault.impact.usedBy, impact: fault.impact });
        // A 404 is no error: another person deleted the filter first.
      } else if (!(fault instanceof ApiError && fault.status === 404)) setError(fault);
    }
    const { queryKey } = filtersQuery(api);
    // Not awaited, because the list may be long.
    void queries.invalidateQueries({ queryKey }).then(() => {
      setWaiting((before) => before.filter((one) => one.filter.id !== id));
    });
  }

  const sendAll = useRef(() => Promise.resolve());
  sendAll.current = async () => {
    const left = latest.current.filter(({ isSent }) => !isSent);
    latest.current = [];
    for (const { timer } of left) window.clearTimeout(timer);
    await Promise.all(left.map(send));
  };

  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    const onLeave = () => sendAll.current();
    window.addEventListener('pagehide', onLeave);
    return () => {
      hasLeft.current = true;
      window.removeEventListener('pagehide', onLeave);
      void onLeave();
    };
  }, []);

  const isWaiting = waiting.length > 0;
  useEffect(() => (isWaiting ? keepUnsent(() => sendAll.current()) : undefined), [isWaiting]);

  const sendOne = useRef(send);
  sendOne.current = send;
  const schedule = useCallback((filter: SavedFilter, forced: Confirmed | null) => {
    const timer = window.setTimeout(() => void sendOne.current(one), UNDO_MS);
    const one: Waiting = { filter, timer, isSent: false, forced };
    setWaiting((before) => [...before, one]);
  }, []);
  const add = useCallback(
    async (filter: SavedFilter) => {
      setError(null);
      // If the impact cannot be read, the API's refusal of the deletion lists the uses.
      const now = await impactNow(api, filter).catch(() => null);
      if (hasLeft.current) return;
      const impact = now && { ...now, after: 0, entering: 0, leaving: now.before };
      if (impact !== null && impact.usedBy.length > 0) setUsed({ filter, usedBy: impact.usedBy, impact });
      else schedule(filter, null);
    },
    [api, schedule],
  );

  const last = waiting.findLast(({ isSent }) => !isSent);
  return {
    ids: new Set(waiting.map(({ filter }) => filter.id)),
    message: last === undefined ? null : words.filters.deleted(last.filter.name),
    error,
    add,
    used,
    force: () => {
      if (used !== null) schedule(used.filter, used.impact === null ? {} : confirmationOf(used.impact));
      setUsed(null);
    },
    keep: () => setUsed(null),
    undo:
      last === undefined
        ? null
        : () => {
            window.clearTimeout(last.timer);
            setWaiting((before) => before.filter((one) => one !== last));
            return words.filters.undone(last.filter.name);
          },
  };
}
