import { type Chosen, restrictTo } from './bulk.ts';
import type { Api } from './http.ts';

export interface DeviceExport {
  readonly chosen: Chosen;
  readonly format: 'csv' | 'ndjson';
  readonly fields: readonly string[];
}

const MEDIA_TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** Throws `ApiError` or `AbortError`. A broken connection throws `TypeError`. `onRows` gets the count so far. */
export async function exportDevices(
  api: Api,
  { chosen, format, fields }: DeviceExport,
  onRows: (count: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await api.fetch('/devices/export', {
    method: 'POST',
    body: { ...restrictTo(chosen), format, fields },
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

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts rows in a stream, without the CSV header. Line breaks within quotes do not count. */
export function makeRowCounter(format: 'csv' | 'ndjson'): (piece: Uint8Array) => number {
  let lines = format === 'csv' ? -1 : 0;
  let isQuoted = false;
  return (piece) => {
    for (const byte of piece) {
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) lines++;
    }
    return Math.max(lines, 0);
  };
}
