import type { SavedFilter } from '#console/api/filters.ts';
import type { Api } from '#console/api/http.ts';

/** Has the browser keep the devices of a filter as a CSV file. Throws `ApiError`. */
export async function exportDevices(api: Api, { id, name }: SavedFilter): Promise<void> {
  const response = await api.fetch('/devices/export', {
    method: 'POST',
    body: { filterId: id, format: 'csv' },
  });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || id}.csv`;
  link.click();
  // The download has begun by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
