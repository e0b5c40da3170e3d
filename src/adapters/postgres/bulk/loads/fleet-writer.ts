/**
 * A load is one transaction: records are staged by COPY in bounded memory, checked as a whole, then upserted. Readers
 * see the previous fleet until the commit.
 */
import type { Pool, PoolClient } from 'pg';
import { recordChange } from '#adapters/postgres/audit-insert.ts';
import { liftLimits, tryLock, withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import { FairShare } from '#application/admission/fair-share.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type {
  FleetCounts,
  FleetFault,
  FleetWriter,
  LocatedRecord,
} from '#application/ports/fleet/fleet-writer.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  findFilterFaults,
  findFilterQuotaFaults,
  holdCustomFields,
  holdFilterLinks,
  holdFilterUsage,
} from './filter-faults.ts';
import { beginInitialLoad, endInitialLoad, INITIAL_LOAD, isUnused } from './initial-load.ts';
import { holdTitlesOfLoad, noteStagedTitles } from './load-titles.ts';
import { type StageFleetDeps, stageFleet } from './stage-fleet.ts';
import { findStagedFaults } from './staged-faults.ts';
import { upsertFleet } from './upsert-fleet.ts';
import { writeAhead } from './write-ahead.ts';

export interface FleetWriterDeps extends StageFleetDeps {
  readonly pool: Pool;
  readonly checkPatterns: PatternChecker;
  readonly clock: Clock;
  /** Refreshes the planner's statistics and flushes the pending lists of inverted indexes. */
  readonly afterLargeLoad: () => Promise<void>;
  /** Behind a pooler, a load cannot tell whether others use the database. Default: false. */
  readonly isPooled?: boolean;
}

/** A load uses a connection for a long time. Further loads wait, so other work finds free connections. */
const MAX_CONCURRENT_LOADS = 2;

/** The longest delay that Node's timers accept. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const LOAD_LOCK = lockNumber('loads');

/** In devices. After a smaller load, autovacuum suffices. */
const LARGE_LOAD = 500;

/** Searches scan the pending list of GIN indexes, which takes up to two milliseconds at this length. */
const LARGE_LOAD_PENDING = `set local gin_pending_list_limit = '2MB'`;

export function makeFleetWriter(deps: FleetWriterDeps): FleetWriter {
  const turns = new FairShare({
    total: MAX_CONCURRENT_LOADS,
    perTenant: MAX_CONCURRENT_LOADS,
    perCaller: MAX_CONCURRENT_LOADS,
    maxWaitingPerCaller: Number.POSITIVE_INFINITY,
    maxWaitingPerTenant: Number.POSITIVE_INFINITY,
    maxWaitMs: NO_LIMIT_MS,
  });
  return async (source, onProgress, makeEntry, { allowMoves = false } = {}) => {
    const turn = await turns.claim({ tenant: 'loads', caller: 'loads' }, 1);
    if (turn.kind !== 'granted') throw new Error(`the load never got its turn: ${turn.kind}`);
    try {
      const result = await withScope(
        deps.pool,
        SYSTEM_SCOPE,
        async (client) => {
          const loaded = await load(deps, client, source, onProgress, allowMoves);
          if (!loaded.ok) return loaded;
          const { counts, moved } = loaded.value;
          await recordChange(client, makeEntry?.(counts, moved));
          return ok(counts);
        },
        { shouldCommit: (outcome) => outcome.ok },
      );
      // A failure is ignored: the load is committed, and autovacuum catches up.
      if (result.ok && result.value.device >= LARGE_LOAD) await deps.afterLargeLoad().catch(() => undefined);
      return result;
    } finally {
      turn.release();
    }
  };
}

interface Loaded {
  readonly counts: FleetCounts;
  readonly moved: number;
}

async function load(
  deps: FleetWriterDeps,
  client: PoolClient,
  source: Iterable<LocatedRecord> | AsyncIterable<LocatedRecord>,
  onProgress: ((records: number) => void) | undefined,
  allowMoves: boolean,
): Promise<Result<Loaded, readonly FleetFault[]>> {
  await liftLimits(client);
  await client.query(`set local work_mem = '64MB'`);
  await holdTitlesOfLoad(client);
  let isInitial = false;
  const tryInitialLoad = async () => {
    isInitial = deps.isPooled !== true && (await isUnused(client)) && (await beginInitialLoad(client));
  };
  const {
    staged,
    areTitlesNew,
    titlePlaces,
    counts,
    faults: unreadable,
  } = await stageFleet(deps, client, source, onProgress, async (soFar, sent, areNewSoFar) => {
    if (!soFar.device.isWrittenAhead) {
      if (!(await tryLock(client, LOAD_LOCK))) return false;
      await tryInitialLoad();
      await client.query(LARGE_LOAD_PENDING);
    }
    return writeAhead(client, soFar, sent, { areTitlesNew: areNewSoFar, isInitial });
  });
  if (unreadable.length > 0) return err(unreadable.slice(0, MAX_FAULTS));
  // From here on, only one load runs at a time, so what the checks find still holds when rows are written,
  // and loads cannot deadlock.
  await client.query('select pg_advisory_xact_lock($1)', [LOAD_LOCK]);
  if (!staged.saved_filter.isEmpty) {
    await holdFilterLinks(client);
    await holdFilterUsage(client);
  }
  if (!staged.custom_field.isEmpty) await holdCustomFields(client);
  if (counts.device >= LARGE_LOAD && !staged.device.isEmpty) {
    await client.query('create index on staged_device (id)');
  }
  const faults = await findStagedFaults(client, staged, allowMoves);
  if (faults.length > 0) return err(faults);
  const quotaFaults = staged.saved_filter.isEmpty ? [] : await findFilterQuotaFaults(client);
  if (quotaFaults.length > 0) return err(quotaFaults);
  if (counts.device >= LARGE_LOAD) await client.query(LARGE_LOAD_PENDING);
  if (!isInitial && counts.device >= INITIAL_LOAD) await tryInitialLoad();
  const { leftOut, moved } = await upsertFleet(client, staged, new Date(deps.clock()).toISOString());
  // Titles are added to lists late, because inventories with the same new titles wait from here to the commit.
  const { organization_software: titles } = staged;
  const titleFaults = titles.isEmpty
    ? []
    : await noteStagedTitles(client, titlePlaces, titles.isWrittenAhead, areTitlesNew);
  if (titleFaults.length > 0) return err(titleFaults);
  if (isInitial) await endInitialLoad(client);
  const filterFaults = staged.saved_filter.isEmpty ? [] : await findFilterFaults(client, deps.checkPatterns);
  if (filterFaults.length > 0) return err(filterFaults);
  const { user, apiKey } = counts;
  return ok({ counts: { ...counts, user: user - leftOut.user, apiKey: apiKey - leftOut.apiKey }, moved });
}
