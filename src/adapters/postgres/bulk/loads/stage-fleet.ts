import type { PoolClient } from 'pg';
import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';
import type { FleetCounts, FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { softwareEntries } from '#domain/device/installed-software.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { ResolveTitleIds, TitlePlaces } from './load-titles.ts';
import { SeenTitles } from './seen-titles.ts';
import { type RowContext, type StageRecordDeps, stageRecord } from './stage-record.ts';
import { makeStagedFleet, type StagedFleet, type StagedRowsOfFleet, StagingConnection } from './staging.ts';

export interface StageFleetDeps extends StageRecordDeps {
  readonly makeResolveTitleIds: () => ResolveTitleIds;
  /** How many devices are written at a time, while the next are read. */
  readonly chunkSize?: number;
}

const BATCH_SIZE = 500;

/**
 * How many records are staged at once, with their passwords hashed in parallel. Staging this many devices
 * takes about a millisecond.
 */
const STAGED_AT_ONCE = 25;

/** In devices. Each chunk is sorted by organization, so larger chunks let previews read fewer pages. */
const DEFAULT_CHUNK_SIZE = 10_000;

/**
 * After this long, staging lets the event loop send rows. With longer turns, the database would spend half of
 * the time waiting for the next COPY.
 */
const TURN_MS = 2;

/**
 * Writes the rows in `sent`. Returns false if later chunks must not be written ahead. `areTitlesNew` is true
 * if no title was staged twice for an organization.
 */
export type WriteAhead = (
  staged: StagedFleet,
  sent: StagedRowsOfFleet,
  areTitlesNew: boolean,
) => Promise<boolean>;

interface Staging {
  readonly staged: StagedFleet;
  readonly areTitlesNew: boolean;
  readonly titlePlaces: TitlePlaces;
  readonly counts: FleetCounts;
  readonly faults: readonly FleetFault[];
}

/** `writeAhead` runs after each chunk, while the next is read. */
export async function stageFleet(
  deps: StageFleetDeps,
  client: PoolClient,
  source: Iterable<LocatedRecord> | AsyncIterable<LocatedRecord>,
  onProgress: ((records: number) => void) | undefined,
  writeAhead: WriteAhead,
): Promise<Staging> {
  const connection = new StagingConnection(client);
  const staged = makeStagedFleet(connection);
  const counts = { ...NO_RECORDS };
  const { chunkSize = DEFAULT_CHUNK_SIZE } = deps;
  let total = 0;
  let chunkEnd = chunkSize;
  let isAhead = true;
  let batch: LocatedRecord[] = [];
  const faults: FleetFault[] = [];
  const seenTitles = new SeenTitles();
  const resolveTitleIds = deps.makeResolveTitleIds();
  const endTurn = makeEndSlice(TURN_MS);
  const finishBatch = async () => {
    if (batch.length === 0) return;
    const titleIds = await resolveTitleIds(titlesOf(batch));
    const report = (fault: FleetFault) => faults.push(fault);
    await stageBatch(staged, batch, { ...deps, titleIds, seenTitles, report }, endTurn);
    total += batch.length;
    batch = [];
    onProgress?.(total);
    if (isAhead && counts.device >= chunkEnd) {
      chunkEnd = counts.device + chunkSize;
      for (const table of Object.values(staged)) await table.flush();
      const sent = rowsOf(staged);
      connection.run(async () => {
        isAhead &&= await writeAhead(staged, sent, seenTitles.isComplete);
      });
    }
  };
  try {
    for await (const located of source) {
      await endTurn();
      counts[located.record.kind]++;
      if (batch.push(located) === BATCH_SIZE) await finishBatch();
    }
    await finishBatch();
    for (const table of Object.values(staged)) {
      await table.flush();
      await connection.settle();
      await table.analyze();
    }
    return { staged, areTitlesNew: seenTitles.isComplete, titlePlaces: seenTitles.places, counts, faults };
  } catch (error) {
    await connection.stop();
    throw error;
  }
}

function rowsOf(staged: StagedFleet): StagedRowsOfFleet {
  const rows = Object.entries(staged).map(([table, { columns, isEmpty }]) => [table, { columns, isEmpty }]);
  return Object.fromEntries(rows) as StagedRowsOfFleet;
}

const NO_RECORDS: Readonly<Record<FleetRecord['kind'], number>> = {
  partner: 0,
  organization: 0,
  site: 0,
  user: 0,
  apiKey: 0,
  enrolmentKey: 0,
  customField: 0,
  device: 0,
  script: 0,
  alert: 0,
  filter: 0,
  deletionRequest: 0,
  auditEntry: 0,
};

async function stageBatch(
  staged: StagedFleet,
  batch: readonly LocatedRecord[],
  context: RowContext,
  endTurn: EndSlice,
): Promise<void> {
  for (let at = 0; at < batch.length; at += STAGED_AT_ONCE) {
    const records = batch.slice(at, at + STAGED_AT_ONCE);
    await Promise.all(records.map((located) => stageRecord(staged, located, context)));
    await endTurn();
  }
  for (const table of Object.values(staged)) if (table.isFull) await table.flush();
}

function titlesOf(batch: readonly LocatedRecord[]): ReadonlyMap<string, InstalledSoftware> {
  return softwareEntries(batch.flatMap(({ record }) => (record.kind === 'device' ? record.software : [])));
}
