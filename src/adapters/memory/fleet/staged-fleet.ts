import { makeYieldToEventLoop } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { FleetCounts, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { FleetKind } from '#domain/fleet/load-rules.ts';
import type { UserId } from '#domain/ids.ts';

export type RecordOf<K extends FleetKind> = Extract<FleetRecord, { readonly kind: K }>;

/** Audit entries are missing, because they are a list and not a table. */
export const TABLES = {
  partner: 'partners',
  organization: 'organizations',
  site: 'sites',
  user: 'users',
  apiKey: 'apiKeys',
  enrolmentKey: 'enrolmentKeys',
  customField: 'customFields',
  device: 'devices',
  script: 'scripts',
  alert: 'alerts',
  filter: 'filters',
  deletionRequest: 'deletionRequests',
} as const satisfies Record<Exclude<FleetKind, 'auditEntry'>, keyof World>;

/** Records by id. If several have the same id, the first one counts. */
export type StagedRows = { readonly [K in FleetKind]: ReadonlyMap<RecordOf<K>['id'], RecordOf<K>> };

export interface StagedFleet {
  readonly records: readonly LocatedRecord[];
  readonly rows: StagedRows;
}

export async function stageFleet(
  source: AsyncIterable<LocatedRecord> | Iterable<LocatedRecord>,
  onProgress?: (records: number) => void,
): Promise<StagedFleet> {
  const yieldToEventLoop = makeYieldToEventLoop();
  const records: LocatedRecord[] = [];
  const kinds = [...Object.keys(TABLES), 'auditEntry'];
  const rows = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, FleetRecord>()]));
  for await (const located of source) {
    const { record } = located;
    records.push(located);
    const ofKind = rows[record.kind];
    if (!ofKind?.has(record.id)) ofKind?.set(record.id, record);
    onProgress?.(records.length);
    await yieldToEventLoop();
  }
  return { records, rows: rows as unknown as StagedRows };
}

export function countRecords({ rows }: StagedFleet, isLoaded: (userId: UserId) => boolean): FleetCounts {
  const sizes = Object.fromEntries(Object.entries(rows).map(([kind, { size }]) => [kind, size]));
  return {
    ...(sizes as Record<FleetKind, number>),
    user: [...rows.user.keys()].filter(isLoaded).length,
    apiKey: [...rows.apiKey.values()].filter(({ userId }) => isLoaded(userId)).length,
  };
}
