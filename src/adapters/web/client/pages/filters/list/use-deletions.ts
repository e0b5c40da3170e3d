/** Deletions with undo: each is sent after ten seconds, or when the page is left. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { filtersQuery } from '#console/api/filters.ts';
import { ApiError } from '#console/api/http.ts';
import { keepUnsent } from '#console/api/unsent.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';

export interface Deletions {
  /** Hidden in the list, but not deleted yet. */
  readonly ids: ReadonlySet<string>;
  readonly message: string | null;
  readonly error: unknown;
  readonly add: (filter: SavedFilter) => void;
  /** Returns the message to show; null if nothing can be undone. */
  readonly undo: (() => string) | null;
}

const UNDO_MS = 10_000;

interface Waiting {
  readonly filter: SavedFilter;
  readonly timer: number;
  readonly isSent: boolean;
}

export function useDeletions(): Deletions {
  const api = useApi();
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef(waiting);
  latest.current = waiting;

  async function send({ id }: SavedFilter): Promise<void> {
    setWaiting((before) => before.map((one) => (one.filter.id === id ? { ...one, isSent: true } : one)));
    try {
      await api.call(`/filters/${id}`, { method: 'DELETE', isLast: true });
    } catch (fault) {
      // Another person deleted it first.
      if (!(fault instanceof ApiError && fault.status === 404)) setError(fault);
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
    await Promise.all(left.map(({ filter }) => send(filter)));
  };

  useEffect(() => {
    const onLeave = () => sendAll.current();
    window.addEventListener('pagehide', onLeave);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      void onLeave();
    };
  }, []);

  const isWaiting = waiting.length > 0;
  useEffect(() => (isWaiting ? keepUnsent(() => sendAll.current()) : undefined), [isWaiting]);

  const sendOne = useRef(send);
  sendOne.current = send;
  const add = useCallback((filter: SavedFilter) => {
    setError(null);
    const timer = window.setTimeout(() => void sendOne.current(filter), UNDO_MS);
    setWaiting((before) => [...before, { filter, timer, isSent: false }]);
  }, []);

  const last = waiting.findLast(({ isSent }) => !isSent);
  return {
    ids: new Set(waiting.map(({ filter }) => filter.id)),
    message: last === undefined ? null : words.filters.deleted(last.filter.name),
    error,
    add,
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
