import type { SavedFilter } from '#adapters/http/api-types.ts';
import { type Api, unbroken } from '#console/api/http.ts';
import { saveFile } from '#console/parts/actions/save-file.ts';

/** Has the browser keep the devices of a filter as a CSV file. Throws `ApiError`. */
export async function exportFiltered(api: Api, { id, name }: SavedFilter): Promise<void> {
  const body = { filterId: id, format: 'csv' };
  const response = await api.fetch('/devices/export', { method: 'POST', body });
  const title = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim();
  saveFile(`${title === '' ? id : title}.csv`, await unbroken(response, response.blob()));
}
