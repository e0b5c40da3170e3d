/** Streams the records of a load into its staging tables, batch by batch. */
import { setImmediate } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { FleetCounts, FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { makeStagedFleet, type StagedFleet, stageRecord } from './fleet-tables.ts';
import type { ResolveTitleIds } from './software-titles.ts';
import { StagingConnection } from './staging.ts';

export interface StageFleetDeps {
  readonly resolveTitleIds: ResolveTitleIds;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  /** Encrypts a secret that has to be read back. */
  readonly sealTotpSecret: (secret: string, userId: UserId) => string;
  /** What another database may have sealed, for this one; or why it cannot be read. */
  readonly takeSealedTotpSecret: (sealed: string, userId: UserId) => Result<string, string>;
  readonly newId: IdGenerator;
}

/** Records per batch; a batch resolves its titles and hashes its passwords together. */
const BATCH_SIZE = 500;

interface Staging {
  readonly staged: StagedFleet;
  readonly counts: FleetCounts;
  /** Secrets that cannot be read. */
  readonly faults: readonly FleetFault[];
}

/** Stages the whole source; afterwards all rows are in the database and the planner knows how many there are. */
export async function stageFleet(
  deps: StageFleetDeps,
  client: PoolClient,
  source: Iterable<LocatedRecord> | AsyncIterable<LocatedRecord>,
  onProgress: ((records: number) => void) | undefined,
): Promise<Staging> {
  const connection = new StagingConnection(client);
  const staged = makeStagedFleet(connection);
  const counts = { ...NO_RECORDS };
  let total = 0;
  let batch: LocatedRecord[] = [];
  const faults: FleetFault[] = [];
  const finishBatch = async () => {
    if (batch.length === 0) return;
    await stageBatch(deps, staged, batch, (fault) => faults.push(fault));
    total += batch.length;
    batch = [];
    onProgress?.(total);
    // A source that never waits would starve the connection.
    await setImmediate();
  };
  for await (const located of source) {
    counts[located.record.kind]++;
    if (batch.push(located) === BATCH_SIZE) await finishBatch();
  }
  await finishBatch();
  for (const table of Object.values(staged)) {
    await table.flush();
    await connection.settle();
    await table.analyze();
  }
  return { staged, counts, faults };
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
  report: (fault: FleetFault) => void,
): Promise<void> {
  const context = {
    report,
    hashPassword: deps.hashPassword,
    sealTotpSecret: deps.sealTotpSecret,
    takeSealedTotpSecret: deps.takeSealedTotpSecret,
    digestSecret: deps.digestSecret,
    newId: () => deps.newId<'patch'>(),
    titleIds: await deps.resolveTitleIds(titlesOf(batch)),
  };
  await Promise.all(batch.map((located) => stageRecord(staged, located, context)));
  for (const table of Object.values(staged)) if (table.isFull) await table.flush();
}

function titlesOf(batch: readonly LocatedRecord[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { record } of batch) {
    if (record.kind === 'device') for (const { name } of record.software) names.add(name);
  }
  return names;
}
