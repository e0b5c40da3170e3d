import type { Api } from '#console/api/http.ts';
import { makeRowCounter } from './count-rows.ts';

export interface DeviceExport {
  readonly q: string;
  readonly orgId: string | null;
  readonly format: 'csv' | 'ndjson';
  /** Null: all fields of the list. */
  readonly fields: readonly string[] | null;
}

const MEDIA_TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/**
 * `onRows` gets the number of devices received so far. Throws `ApiError`, a `TypeError` if the connection breaks, or
 * an `AbortError` if the signal aborts.
 */
export async function exportDevices(
  api: Api,
  { q, orgId, format, fields }: DeviceExport,
  onRows: (count: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await api.fetch('/devices/export', {
    method: 'POST',
    body: { q, format, ...(orgId !== null && { orgId }), ...(fields !== null && { fields }) },
    signal,
  });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const count = makeRowCounter(format);
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) break;
    pieces.push(read.value);
    onRows(count(read.value));
  }
  return new Blob(pieces, { type: MEDIA_TYPES[format] });
}
