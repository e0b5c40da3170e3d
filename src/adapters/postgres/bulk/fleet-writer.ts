/**
 * Loads whole fleets into PostgreSQL: staged by COPY in bounded memory, checked as a whole, then put in place, all
 * in one transaction. Readers see the fleet of before until it is committed.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { FairGate } from '#adapters/postgres/fair-gate.ts';
import { sessionVariables } from '#adapters/postgres/setup/session-scope.ts';
import { queryCustomFields } from '#adapters/postgres/transactional/custom-field-source.ts';
import { makeCheckConditions } from '#application/filters/check-conditions.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type {
  FleetCounts,
  FleetFault,
  FleetWriter,
  LocatedRecord,
} from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { createStagedFleet, type RowContext, stageRecord } from './fleet-tables.ts';
import type { ResolveTitleIds } from './software-titles.ts';
import { findStagedFaults } from './staged-faults.ts';
import { StagingConnection } from './staging.ts';
import { upsertFleet } from './upsert-fleet.ts';

export interface FleetWriterDeps {
  /** Connects as the service's unprivileged role. */
  readonly pool: Pool;
  readonly resolveTitleIds: ResolveTitleIds;
  readonly hashPassword: PasswordHasher;
  /** Encrypts a secret that has to be read again. */
  readonly sealSecret: (secret: string) => string;
  readonly checkPatterns: PatternChecker;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** Brings the planner's statistics up to date, and has indexes sort in what they have pending. */
  readonly afterLargeLoad: () => Promise<void>;
}

/** Records that are taken together: their titles are resolved and their passwords hashed at once. */
const BATCH_SIZE = 500;

/** Loads that hold a connection each at once; the others wait, so that the rest of the service keeps its own. */
const LOADS_AT_ONCE = 2;

/** The longest that a timer can be set to, in milliseconds. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Any number; it only has to be the same in every instance. */
const LOAD_LOCK = 7_317_003;

const LOAD_SETTINGS = {
  // The checks and upserts work on all that was staged; that takes as long as it takes.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  work_mem: '64MB',
};

/** A load of fewer devices leaves to autovacuum what comes after a load. */
const LARGE_LOAD = 500;

/**
 * How much an inverted index sorts in at once in a large load. Whoever searches it meanwhile looks through what it
 * has pending, which costs them some two milliseconds.
 */
const LARGE_LOAD_PENDING = '2MB';

export function makeFleetWriter(deps: FleetWriterDeps): FleetWriter {
  const gate = new FairGate(LOADS_AT_ONCE, LOADS_AT_ONCE);
  return async (source, onProgress) => {
    const leave = await gate.enter('load', NO_LIMIT_MS, undefined);
    if (typeof leave === 'string') throw new Error(`the load did not get its turn: ${leave}`);
    try {
      const result = await loadWithin(deps, source, onProgress);
      // The load stands whatever becomes of the statistics, which autovacuum sees to in time.
      if (result.ok && result.value.device >= LARGE_LOAD) await deps.afterLargeLoad().catch(() => undefined);
      return result;
    } finally {
      leave();
    }
  };
}

/** One load as one transaction. */
async function loadWithin(
  deps: FleetWriterDeps,
  source: Iterable<LocatedRecord> | AsyncIterable<LocatedRecord>,
  onProgress: ((records: number) => void) | undefined,
): Promise<Result<FleetCounts, readonly FleetFault[]>> {
  const client = await deps.pool.connect();
  try {
    await client.query('begin');
    await setScope(client, SYSTEM_SCOPE);
    for (const [name, value] of Object.entries(LOAD_SETTINGS)) {
      await client.query(`set local ${name} = '${value}'`);
    }
    const result = await load(deps, client, source, onProgress);
    await client.query(result.ok ? 'commit' : 'rollback');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(true);
    throw error;
  }
}

async function load(
  deps: FleetWriterDeps,
  client: PoolClient,
  source: Iterable<LocatedRecord> | AsyncIterable<LocatedRecord>,
  onProgress: ((records: number) => void) | undefined,
): Promise<Result<FleetCounts, readonly FleetFault[]>> {
  const connection = new StagingConnection(client);
  const staged = await createStagedFleet(connection);
  const counts: Record<FleetRecord['kind'], number> = {
    partner: 0,
    organization: 0,
    site: 0,
    user: 0,
    apiKey: 0,
    customField: 0,
    device: 0,
    script: 0,
    alert: 0,
    filter: 0,
  };
  let total = 0;
  let batch: LocatedRecord[] = [];
  const stageBatch = async () => {
    if (batch.length === 0) return;
    const context: RowContext = {
      hashPassword: deps.hashPassword,
      sealSecret: deps.sealSecret,
      hashKey: (key) => createHash('sha256').update(key).digest('hex'),
      newId: () => deps.newId<'patch'>(),
      titleIds: await deps.resolveTitleIds(titlesOf(batch)),
    };
    await Promise.all(batch.map((located) => stageRecord(staged, located, context)));
    for (const table of Object.values(staged)) if (table.isFull) await table.flush();
    total += batch.length;
    batch = [];
    onProgress?.(total);
    // A source that never waits would keep the connection from going on.
    await setImmediate();
  };
  for await (const located of source) {
    counts[located.record.kind]++;
    if (batch.push(located) === BATCH_SIZE) await stageBatch();
  }
  await stageBatch();
  for (const table of Object.values(staged)) {
    await table.flush();
    await connection.settle();
    await table.analyze();
  }

  // One load at a time is checked and put in place: what the checks found then still holds, and no two of them
  // wait for each other's rows.
  await client.query('select pg_advisory_xact_lock($1)', [LOAD_LOCK]);
  const faults = await findStagedFaults(client);
  if (faults.length > 0) return err(faults);
  if (counts.device >= LARGE_LOAD) {
    await client.query(`set local gin_pending_list_limit = '${LARGE_LOAD_PENDING}'`);
  }
  await upsertFleet(client, staged, new Date(deps.clock()).toISOString());
  const filterFaults = await checkFilters(deps, client);
  return filterFaults.length > 0 ? err(filterFaults) : ok(counts);
}

function titlesOf(batch: readonly LocatedRecord[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { record } of batch) {
    if (record.kind === 'device') for (const { name } of record.software) names.add(name);
  }
  return names;
}

/** Filters are checked last, against the custom fields as the load leaves them. */
async function checkFilters(deps: FleetWriterDeps, client: PoolClient): Promise<readonly FleetFault[]> {
  const customFields: CustomFieldSource = async (scope) => {
    await setScope(client, scope);
    const definitions = await queryCustomFields(
      scope,
      async (sql, values) => (await client.query(sql, values)).rows,
    );
    await setScope(client, SYSTEM_SCOPE);
    return definitions;
  };
  const check = makeCheckConditions({ customFields, checkPatterns: deps.checkPatterns });
  const { rows } = await client.query<{ line: number; member: string; org_id: OrgId; conditions: string }>(
    'select line, member, org_id, conditions from staged_saved_filter order by line, member',
  );
  const faults: FleetFault[] = [];
  for (const { line, member, org_id, conditions } of rows) {
    const checked = await check({ kind: 'organization', orgId: org_id }, JSON.parse(conditions), 'load');
    if (checked.ok) continue;
    for (const { path, message } of checked.error)
      faults.push({ line, member: `${member}.${path}`, message });
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults.slice(0, MAX_FAULTS);
}

async function setScope(client: PoolClient, scope: AccessScope): Promise<void> {
  for (const [name, value] of Object.entries(sessionVariables(scope))) {
    await client.query('select set_config($1, $2, true)', [name, value]);
  }
}
