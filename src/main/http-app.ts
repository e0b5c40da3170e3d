import { availableParallelism } from 'node:os';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { RequestBudgets } from '#application/admission/request-budgets.ts';
import type { Composition, Parts } from './composition.ts';
import type { Run, Storage } from './ingredients.ts';

export async function makeApp(parts: Parts, storage: Storage, run: Run): Promise<Composition['app']> {
  const { readiness, withFreshness } = storage;
  const { createApp } = await import('#adapters/http/app.ts');
  const { isDatabaseUnavailable, isRefusedInMaintenance } = await import(
    '#adapters/postgres/database-error.ts'
  );
  const { PasswordQueueFullError } = await import('#application/ports/auth/password-verifier.ts');
  return createApp({
    ...parts,
    publicKeys: parts.tokenKeys.publicKeys,
    newRequestId: () => parts.newId(),
    version: run.version,
    trustedProxies: run.config.trustedProxies,
    baseUrl: run.config.baseUrl ?? null,
    ...(run.config.inventoryExpirationHours !== undefined && {
      inventoryExpirationHours: run.config.inventoryExpirationHours,
    }),
    budgets: run.config.budgets ?? (await suitableBudgets(storage.pools, run)),
    ...(run.config.findPages !== undefined && { findPages: run.config.findPages }),
    ...(run.config.tracing !== undefined && { traceRequest: run.config.tracing.traceRequest }),
    ...(run.config.metrics !== undefined && (await measured(parts, storage, run.config.metrics))),
    ...(withFreshness !== undefined && { withFreshness }),
    isRefusedInMaintenance,
    isUnavailable: (error) => isDatabaseUnavailable(error) || error instanceof PasswordQueueFullError,
    readiness: async () => {
      const checks = { ...(await readiness()), running: !run.isStopping };
      return { isReady: Object.values(checks).every(Boolean), checks };
    },
  });
}

/** Suited to the opened database's pools; for a supplied backend, to the usual pool sizes. */
async function suitableBudgets(pools: Storage['pools'], { config }: Run): Promise<RequestBudgets> {
  const { budgetsFor, USUAL_CONNECTIONS } = await import('#application/admission/request-budgets.ts');
  const atPrimary = pools().filter(({ replica }) => replica === undefined);
  const connections = Object.fromEntries(atPrimary.map(({ pool, size }) => [pool, size]));
  return budgetsFor({
    connections: { ...USUAL_CONNECTIONS, ...connections },
    cores: config.databaseCores ?? availableParallelism(),
  });
}

/** Wraps the measured parts and registers the gauges. */
async function measured(
  { filters, search, backend, clock }: Parts,
  { pools, replicas }: Pick<Storage, 'pools' | 'replicas'>,
  metrics: Metrics,
) {
  const { measureFilters, measureSearch } = await import('#adapters/metrics/measure.ts');
  const { readBacklog } = backend;
  metrics.watch({ pools, readBacklog, clock, ...(replicas !== undefined && { replicas }) });
  return {
    filters: measureFilters(filters, metrics),
    search: measureSearch(search, metrics),
    noteRequest: metrics.noteRequest,
    noteRefusal: metrics.noteRefusal,
  };
}
