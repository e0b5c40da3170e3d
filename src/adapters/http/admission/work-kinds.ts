import type { WorkKind } from '#application/admission/request-budgets.ts';

/** Keyed by method and registered path. Other routes are `work`. */
export const WORK_KINDS: Readonly<Record<string, WorkKind>> = {
  'POST /api/v1/filters': 'evaluation',
  'POST /api/v1/filters/preview': 'evaluation',
  'POST /api/v1/filters/explain': 'evaluation',
  'PATCH /api/v1/filters/:id': 'evaluation',
  'DELETE /api/v1/filters/:id': 'evaluation',
  'POST /api/v1/filters/:id/restore': 'evaluation',
  'POST /api/v1/filters/:id/preview': 'evaluation',
  'GET /api/v1/devices': 'evaluation',
  'POST /api/v1/devices/query': 'evaluation',
  'POST /api/v1/devices/bulk': 'evaluation',
  'POST /api/v1/filters/:id/explain': 'evaluation',
  'POST /api/v1/filters/:id/impact': 'evaluation',
  'GET /api/v1/devices/:id/filters': 'evaluation',
  'GET /api/v1/devices/duplicates': 'evaluation',
  'POST /api/v1/devices/export': 'export',
  'POST /api/v1/inventory': 'inventory',
  'GET /api/v1/organizations': 'evaluation',
  'GET /api/v1/alerts': 'evaluation',
  'GET /api/v1/patches': 'evaluation',
  'GET /api/v1/summary': 'evaluation',
  // Parsing and formatting also test regular expressions, so they count as evaluations.
  'GET /api/v1/filters/parse': 'evaluation',
  'POST /api/v1/filters/parse': 'evaluation',
  'POST /api/v1/filters/format': 'evaluation',
  'GET /api/v1/filters/complete': 'search',
  'GET /api/v1/search': 'search',
};

export function workKindOf(method: string, route: string): WorkKind {
  // Hono handles HEAD with the GET route.
  return WORK_KINDS[`${method === 'HEAD' ? 'GET' : method} ${route}`] ?? 'work';
}
