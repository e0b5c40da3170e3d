import type { QueryClient } from '@tanstack/react-query';
import type { BulkChange, BulkOutcome, UndoOutcome } from '#adapters/http/api-types.ts';
import type { Api } from './http.ts';

export type Chosen =
  | { readonly kind: 'filter'; readonly id: string; readonly orgId: string | null }
  | { readonly kind: 'some'; readonly ids: readonly string[] }
  | { readonly kind: 'all'; readonly q: string; readonly orgId: string | null };

export type DeviceChange = BulkChange['change'];

/** Sends ids as a condition, because the API accepts only a few in the member `ids`. */
export function restrictTo(chosen: Chosen): object {
  if (chosen.kind !== 'some') {
    const by = chosen.kind === 'all' ? { q: chosen.q } : { filterId: chosen.id };
    return { ...by, ...(chosen.orgId !== null && { orgId: chosen.orgId }) };
  }
  return {
    conditions: { operator: 'AND', conditions: [{ field: 'id', operator: 'in', value: chosen.ids }] },
  };
}

/** Throws `ApiError` `count_changed` if the number of matching devices is not `expectedCount`. */
export async function changeDevices(
  api: Api,
  queries: QueryClient,
  chosen: Chosen,
  expectedCount: number,
  change: DeviceChange,
): Promise<BulkOutcome> {
  const body = { ...restrictTo(chosen), expectedCount, change };
  const outcome = await api.call<BulkOutcome>('/devices/bulk', { method: 'POST', body });
  await refresh(queries);
  return outcome;
}

export async function undoChange(api: Api, queries: QueryClient, operationId: string): Promise<UndoOutcome> {
  const path = `/devices/bulk/${encodeURIComponent(operationId)}/undo`;
  const outcome = await api.call<UndoOutcome>(path, { method: 'POST' });
  await refresh(queries);
  return outcome;
}

async function refresh(queries: QueryClient): Promise<void> {
  for (const key of ['devices', 'device', 'device-filters', 'summary']) {
    await queries.invalidateQueries({ queryKey: [key] });
  }
}
