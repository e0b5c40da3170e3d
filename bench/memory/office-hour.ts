/**
 * The requests of an hour, ten a second: different previews, searches as they are typed, pages of devices, and some
 * exports.
 */
import type { Device } from '#domain/device/device.ts';
import { API_KEYS } from '../fleet/fleet-plan.ts';
import { drawFilter } from '../matching/saved-filter-set.ts';

export const REQUESTS_PER_HOUR = 36_000;

/** Then the same previews return. */
const DISTINCT_FILTERS = 5_000;

/** Per hundred requests; the rest are previews. */
const SEARCHES = 25;
const PAGES = 10;
const EXPORTS_PER_THOUSAND = 2;

export interface Asked {
  readonly path: string;
  readonly init: RequestInit;
}

/** One request in ten is over every organization; the rest are of a small one. */
const OF_THE_PLATFORM = 10;

/** Request `n` of the hour. Names and values come from `sample`. */
export function requestOfHour(n: number, sample: readonly Device[]): Asked {
  const key = n % OF_THE_PLATFORM === 0 ? API_KEYS.all : API_KEYS.small;
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const post = (path: string, body: object): Asked => ({
    path,
    init: { method: 'POST', headers, body: JSON.stringify(body) },
  });
  if (n % 1_000 < EXPORTS_PER_THOUSAND) return post('/api/v1/devices/export', { format: 'csv' });
  const kind = n % 100;
  const { hostname } = sample[n % sample.length] as Device;
  if (kind < SEARCHES) {
    const typed = encodeURIComponent(hostname.slice(0, 1 + (n % 8)));
    return { path: `/api/v1/search?q=${typed}&limit=10`, init: { headers } };
  }
  if (kind < SEARCHES + PAGES) return { path: '/api/v1/devices?limit=50', init: { headers } };
  const conditions = drawFilter(n % DISTINCT_FILTERS, sample);
  return post('/api/v1/filters/preview', { conditions, limit: 10 });
}
