import { makeYieldToEventLoop, sortInSlices } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { DeviceExporter, ExportRequest } from '#application/ports/fleet/device-exporter.ts';
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder } from '#domain/device/device-row.ts';
import { columnReader, type ExportRow, type OwnerNames } from '#domain/export/export-column.ts';
import { type EvaluationDeps, type MatchInSlices, makeMatchInSlices } from './visit-devices.ts';

export interface DeviceExporterDeps extends EvaluationDeps {
  readonly world: Pick<World, 'devices' | 'organizations' | 'sites'>;
}

const BATCH_SIZE = 500;

export function makeDeviceExporter(deps: DeviceExporterDeps): DeviceExporter {
  const findMatches = makeMatchInSlices(deps);
  return (request) => exportDevices(deps.world, findMatches, request);
}

async function* exportDevices(
  world: DeviceExporterDeps['world'],
  findMatches: MatchInSlices,
  request: ExportRequest,
): AsyncGenerator<readonly ExportRow[], void> {
  // No await separates this from the snapshot of the devices, so both are of the same moment.
  const names = namesIn(world, request);
  const found: Device[] = [];
  for await (const slice of findMatches(request)) {
    if (!slice.ok) throw new MatchStreamError(slice.error);
    for (const device of slice.value) found.push(device);
  }
  const readers = request.columns.map((column) => columnReader(column, names));
  const yieldToEventLoop = makeYieldToEventLoop();
  let batch: ExportRow[] = [];
  for (const device of await sortInSlices(found, comparePreviewOrder)) {
    if (batch.push(readers.map((read) => read(device))) < BATCH_SIZE) continue;
    if (request.signal?.aborted) throw new MatchStreamError({ kind: 'cancelled' });
    yield batch;
    batch = [];
    await yieldToEventLoop();
  }
  if (request.signal?.aborted) throw new MatchStreamError({ kind: 'cancelled' });
  if (batch.length > 0) yield batch;
}

export function namesIn(
  world: Pick<World, 'organizations' | 'sites'>,
  { columns }: Pick<ExportRequest, 'columns'>,
): OwnerNames {
  const isWanted = (key: string) => columns.some((column) => column.key === key);
  const organizations = isWanted('organization') ? new Map(world.organizations) : null;
  const sites = isWanted('site') ? new Map(world.sites) : null;
  return {
    organization: (id) => organizations?.get(id)?.name ?? null,
    site: (id) => sites?.get(id)?.name ?? null,
  };
}
