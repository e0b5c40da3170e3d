/** Streams the records of a load into its staging tables, batch by batch. */
import type { PoolClient } from 'pg';
import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { FleetCounts, FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import {
  makeStagedFleet,
  type RowContext,
  type StagedFleet,
  type StagedRowsOfFleet,
  stageRecord,
} from './fleet-tables.ts';
import type { ResolveTitleIds, TitlePlaces } from './load-titles.ts';
import { SeenTitles } from './seen-titles.ts';
import { StagingConnection } from './staging.ts';

export interface StageFleetDeps {
  readonly makeResolveTitleIds: () => ResolveTitleIds;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  /** Encrypts a secret that has to be read back. */
  readonly sealTotpSecret: (secret: string, userId: UserId) => string;
  /** What another database may have sealed, for this one; or why it cannot be read. */
  readonly takeSealedTotpSecret: (sealed: string, userId: UserId) => Result<string, string>;
  readonly newId: IdGenerator;
  /** The most devices that are written at a time while the next are read. */
  readonly chunkSize?: number;
}

/** Records per batch; a batch resolves its titles together. */
const BATCH_SIZE = 500;

/** Records of a batch whose passwords are hashed at the same time; of devices, a millisecond's worth. */
const STAGED_AT_ONCE = 25;

/** Within a chunk devices of one organization are neighbours, so that its previews read few pages. */
const DEFAULT_CHUNK_SIZE = 10_000;

/**
 * How long rows are made at a stretch, in milliseconds. Each COPY takes three turns of the thread; if a turn were as long
 * as a batch, the database would wait half of the time.
 */
const TURN_MS = 2;

/** Writes what is staged by then, if it may; whether to go on so. `areTitlesNew` says whether each is staged once. */
export type WriteAhead = (
  staged: StagedFleet,
  sent: StagedRowsOfFleet,
  areTitlesNew: boolean,
) => Promise<boolean>;

interface Staging {
  readonly staged: StagedFleet;
  /** Whether each title is staged once for its organization. */
  readonly areTitlesNew: boolean;
  readonly titlePlaces: TitlePlaces;
  readonly counts: FleetCounts;
  /** Secrets that cannot be read. */
  readonly faults: readonly FleetFault[];
}

/**
 * Stages the whole source; afterwards all rows are in the database and the planner knows how many there are. Whenever
 * a chunk of devices is staged, `writeAhead` has its turn while the next is gathered.
 */
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
    const ofLoad = { seenTitles, report: (fault: FleetFault) => faults.push(fault) };
    const titleIds = await resolveTitleIds(titlesOf(batch));
    await stageBatch(deps, staged, batch, { ...ofLoad, titleIds }, endTurn);
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

/** As they are now, whatever is added meanwhile. */
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
  deps: StageFleetDeps,
  staged: StagedFleet,
  batch: readonly LocatedRecord[],
  ofLoad: Pick<RowContext, 'seenTitles' | 'report' | 'titleIds'>,
  endTurn: EndSlice,
): Promise<void> {
  const context = {
    ...ofLoad,
    hashPassword: deps.hashPassword,
    sealTotpSecret: deps.sealTotpSecret,
    takeSealedTotpSecret: deps.takeSealedTotpSecret,
    digestSecret: deps.digestSecret,
    newId: () => deps.newId<'patch'>(),
  };
  for (let at = 0; at < batch.length; at += STAGED_AT_ONCE) {
    const records = batch.slice(at, at + STAGED_AT_ONCE);
    await Promise.all(records.map((located) => stageRecord(staged, located, context)));
    await endTurn();
  }
  for (const table of Object.values(staged)) if (table.isFull) await table.flush();
}

function titlesOf(batch: readonly LocatedRecord[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { record } of batch) {
    if (record.kind === 'device') for (const { name } of record.software) names.add(name);
  }
  return names;
}
