/**
 * Counts all devices in scope if they are few and the count is quick, otherwise a sample. Software names that the
 * sample lacks are then looked up.
 */
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { CountedDevices } from '#adapters/postgres/reads/sql/fleet/completion.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type {
  CompletionRequest,
  CompletionSource,
  FoundValue,
} from '#application/ports/filters/completion-source.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import { foldCase, startsWithFolded } from '#domain/text/fold-case.ts';

/**
 * If at least this many devices of a sample (one device in 256) are in scope, only the sample is counted.
 * `one` applies to a scope of one organization, `several` to larger scopes. Each is at least 1.
 */
export interface CompletionBounds {
  readonly one: number;
  readonly several: number;
}

/**
 * Software has low bounds, because a device has dozens of titles. Organizations have high bounds, because
 * counting them reads only an index.
 */
const COMPLETION_BOUNDS: Readonly<Record<ValueSource, CompletionBounds>> = {
  tags: { one: 1_000, several: 200 },
  software: { one: 150, several: 50 },
  softwareVersions: { one: 150, several: 50 },
  agentVersions: { one: 1_000, several: 200 },
  osVersions: { one: 1_000, several: 200 },
  organizations: { one: 4_000, several: 4_000 },
  sites: { one: 1_000, several: 1_000 },
  // Unlimited, because names of filters come without counts of devices.
  filters: { one: Number.MAX_SAFE_INTEGER, several: Number.MAX_SAFE_INTEGER },
};

/** The share of a search's time limit for each step, including the wait for a connection. */
const ESTIMATING = 0.05;
const COUNTING = 0.25;
const SAMPLING = 0.1;
const LOOKING_UP = 0.1;

export function makeCompletionSource(
  reader: ScopedReader,
  timeoutMs: number,
  bounds = COMPLETION_BOUNDS,
): CompletionSource {
  async function ask<R extends object>(
    { onBehalfOf, signal }: CompletionRequest,
    statement: ScopedStatement,
    share: number,
  ): Promise<readonly R[] | null> {
    const late = AbortSignal.timeout(share * timeoutMs);
    const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
    try {
      return await reader.read<R>(statement, { onBehalfOf, signal: ended });
    } catch (error) {
      if (error instanceof ReadRefused) return null;
      throw error;
    }
  }

  async function isLarge(request: CompletionRequest): Promise<boolean> {
    const { one, several } = bounds[request.source];
    const most = reachableOrgIds(request.scope)?.length === 1 ? one : several;
    const statement = ScopedStatement.sampledDevices(request.scope, most);
    const rows = await ask<{ sampled: number }>(request, statement, ESTIMATING);
    return (rows?.[0]?.sampled ?? 0) >= most;
  }

  return async (request) => {
    const { source, title, typed, scope, limit } = request;
    const values = async (counted: CountedDevices, share: number) => {
      const statement = ScopedStatement.completionValues(scope, source, typed, limit, counted, title);
      return await ask<FoundValue>(request, statement, share);
    };
    const all = (await isLarge(request)) ? null : await values('all', COUNTING);
    if (all !== null) return all;
    const sampled = ((await values('sampled', SAMPLING)) ?? []).map(({ value }) => value);
    if (source !== 'software' || sampled.length >= limit) return sampled.map(uncounted);
    const statement = ScopedStatement.rareSoftware(scope, typed, limit);
    const rows = await ask<Pick<FoundValue, 'value'>>(request, statement, LOOKING_UP);
    const rare = (rows ?? []).map(({ value }) => value);
    return beginningFirst([...new Set([...sampled, ...rare])], typed)
      .slice(0, limit)
      .map(uncounted);
  };
}

/** Counts from a sample are too inaccurate to show. */
function uncounted(value: string): FoundValue {
  return { value, devices: null };
}

function beginningFirst(values: readonly string[], typed: string): readonly string[] {
  const begins = startsWithFolded(foldCase(typed));
  return values.toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
}
