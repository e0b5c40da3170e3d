import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import type { Chosen } from '#console/api/bulk.ts';
import { DEVICE_PAGE_SIZE, type DeviceQuery, devicePageQuery } from '#console/api/devices.ts';
import { useApi } from '#console/app/services.ts';
import { MAX_BULK_DEVICES } from '#domain/limits.ts';

export interface DeviceSelection {
  readonly count: number;
  readonly isAll: boolean;
  /** True while a selected range is loading, and while all rows but a deselected one are. */
  readonly isLoading: boolean;
  readonly error: unknown;
  /** True if all rows are selected and, because there are too many, none can be deselected. */
  readonly isAllOrNothing: boolean;
  readonly chosen: Chosen;
  /** Host names of the selected rows; empty if all are selected. */
  readonly names: readonly string[];
  has(id: string): boolean;
  /** With `isRange`, also selects all rows between this row and the one toggled last. */
  toggle(row: DeviceRow, index: number, isRange: boolean): void;
  selectAll(): void;
  clear(): void;
}

type Rows = ReadonlyMap<string, DeviceRow>;

const NONE: Rows = new Map();

/** `count` devices match the query. */
export function useSelection(query: DeviceQuery, count: number): DeviceSelection {
  const api = useApi();
  const queries = useQueryClient();
  const [rows, setRows] = useState<Rows>(NONE);
  const [allOf, setAllOf] = useState<string | null>(null);
  const [leftOut, setLeftOut] = useState<Rows>(NONE);
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const anchor = useRef<number | null>(null);
  const key = JSON.stringify([query.q, query.orgId]);
  const isAll = allOf === key;
  const isAllOrNothing = isAll && count > MAX_BULK_DEVICES + 1;

  async function rowsBetween(from: number, to: number): Promise<readonly DeviceRow[]> {
    const found: DeviceRow[] = [];
    // Pages load one after the other, because each needs the previous one's cursor.
    for (let page = Math.floor(from / DEVICE_PAGE_SIZE); page * DEVICE_PAGE_SIZE <= to; page++) {
      const { data } = await queries.ensureQueryData(devicePageQuery(api, queries, query, page));
      const start = page * DEVICE_PAGE_SIZE;
      found.push(...data.slice(Math.max(from - start, 0), to - start + 1));
    }
    return found;
  }

  async function toggle(row: DeviceRow, index: number, isRange: boolean): Promise<void> {
    const from = anchor.current;
    anchor.current = index;
    if (isAll) {
      if (!isAllOrNothing) setLeftOut((before) => change(before, [row], !before.has(row.id)));
      return;
    }
    const adds = !rows.has(row.id);
    if (!isRange || from === null) return setRows((before) => change(before, [row], adds));
    const [low, high] = [Math.min(from, index), Math.max(from, index)];
    setIsLoading(true);
    setError(null);
    try {
      const range = await rowsBetween(Math.max(low, high - MAX_BULK_DEVICES + 1), high);
      setRows((before) => change(before, range, true));
    } catch (failure) {
      setError(failure);
    } finally {
      setIsLoading(false);
    }
  }
  const latest = useRef(toggle);
  latest.current = toggle;

  const leftOutNow = useRef(leftOut);
  leftOutNow.current = leftOut;

  // The API has no "all but these", so the remaining rows are selected one by one.
  const isLeavingOut = isAll && leftOut.size > 0;
  const pickTheRest = useRef<(isOver: () => boolean) => Promise<void>>(async () => undefined);
  pickTheRest.current = async (isOver) => {
    setError(null);
    try {
      const all = await rowsBetween(0, count - 1);
      if (isOver()) return;
      setRows(change(change(NONE, all, true), [...leftOutNow.current.values()], false));
      setLeftOut(NONE);
      setAllOf(null);
    } catch (failure) {
      if (isOver()) return;
      setLeftOut(NONE);
      setError(failure);
    }
  };
  useEffect(() => {
    if (!isLeavingOut) return;
    let isOver = false;
    void pickTheRest.current(() => isOver);
    return () => {
      isOver = true;
    };
  }, [isLeavingOut]);

  return {
    count: isAll ? count - leftOut.size : rows.size,
    isAll,
    isLoading: isLoading || isLeavingOut,
    error,
    isAllOrNothing,
    chosen: isAll ? { kind: 'all', q: query.q, orgId: query.orgId } : { kind: 'some', ids: [...rows.keys()] },
    names: [...rows.values()].map(({ hostname }) => hostname),
    has: (id) => (isAll ? !leftOut.has(id) : rows.has(id)),
    // A stable function, so memoized rows are not rendered again.
    toggle: useCallback((row, index, isRange) => void latest.current(row, index, isRange), []),
    selectAll: () => {
      setRows(NONE);
      setLeftOut(NONE);
      setAllOf(key);
    },
    clear: () => {
      anchor.current = null;
      setRows(NONE);
      setLeftOut(NONE);
      setAllOf(null);
    },
  };
}

function change(before: Rows, changed: readonly DeviceRow[], adds: boolean): Rows {
  const after = new Map(before);
  for (const row of changed) {
    if (adds) after.set(row.id, row);
    else after.delete(row.id);
  }
  return after;
}
