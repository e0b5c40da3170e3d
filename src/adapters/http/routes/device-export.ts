/** `/api/v1/devices/export`: whole sets of devices as a file (Contract: §10). */
import { Hono } from 'hono';
import { respondPieces, respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import type { ExportDevices } from '#application/devices/export-devices.ts';
import type { ExportFormat } from '#domain/export/print-export.ts';

export interface DeviceExportRoutesDeps {
  readonly exportDevices: ExportDevices;
  readonly authenticate: Authenticate;
}

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

/** The one route, relative to its own path. */
export function deviceExportRoutes({ exportDevices, authenticate }: DeviceExportRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { conditions, q, filterId, orgId, format, fields } = body.value;
    const sent = { conditions, q, filterId, orgId, format, fields };
    const begun = await exportDevices(c.get('call'), sent);
    if (!begun.ok) return respondProblem(c, begun.error);
    return respondPieces(c, begun.value.pieces, {
      'Content-Type': MEDIA_TYPES[begun.value.format],
      'Content-Disposition': `attachment; filename="devices.${begun.value.format}"`,
    });
  });

  // Other methods are 405; without this the word would be taken for the id of a device.
  routes.all('/', (c) => c.notFound());

  return routes;
}
