/** Decides which reads may come from a replica (Contract: §15). */
import { toValidationError, type ValidationError } from '#application/application-error.ts';
import { type Freshness, parsePosition } from '#application/ports/freshness.ts';
import { err, ok, type Result } from '#domain/result.ts';

export const POSITION_HEADER = 'X-Fleetsift-Position';

/**
 * Methods and registered paths. All other routes use the primary: they change something or must not lag, such
 * as lists of keys and sessions.
 */
const REPLICA_READS: ReadonlySet<string> = new Set([
  'GET /api/v1/filters',
  'POST /api/v1/filters/preview',
  'POST /api/v1/filters/explain',
  'GET /api/v1/filters/fields',
  'GET /api/v1/filters/parse',
  'POST /api/v1/filters/parse',
  'POST /api/v1/filters/format',
  'GET /api/v1/filters/complete',
  'GET /api/v1/filters/:id',
  'GET /api/v1/filters/:id/versions',
  'POST /api/v1/filters/:id/preview',
  'POST /api/v1/filters/:id/explain',
  'POST /api/v1/filters/:id/impact',
  'GET /api/v1/devices',
  'POST /api/v1/devices/query',
  'POST /api/v1/devices/export',
  'GET /api/v1/devices/duplicates',
  'GET /api/v1/devices/:id',
  'GET /api/v1/devices/:id/filters',
  'GET /api/v1/search',
  'GET /api/v1/organizations',
  'GET /api/v1/sites',
  'GET /api/v1/alerts',
  'GET /api/v1/alerts/:id',
  'GET /api/v1/scripts',
  'GET /api/v1/patches',
  'GET /api/v1/summary',
]);

export function mayLag(method: string, route: string): boolean {
  // Hono handles HEAD with the GET route.
  return REPLICA_READS.has(`${method === 'HEAD' ? 'GET' : method} ${route}`);
}

/** Ignores the header on routes that always read the primary. */
export function readFreshness(
  method: string,
  route: string,
  header: string | null,
): Result<Freshness, ValidationError> {
  if (!mayLag(method, route)) return ok({ mayLag: false, seen: null });
  if (header === null) return ok({ mayLag: true, seen: null });
  const seen = parsePosition(header.trim());
  return seen === null ? err(BAD_POSITION) : ok({ mayLag: true, seen });
}

const BAD_POSITION = toValidationError([
  {
    path: POSITION_HEADER,
    code: 'invalid_value',
    message: `${POSITION_HEADER} must be the value of this header in the answer to a change, such as 0/1A2B3C4D; leave it out to accept reads that are a little behind`,
  },
]);
