/**
 * A reader that asks a replica where the request may be answered by one, and the primary for everything else: also for
 * what a replica did not answer, of which the caller notices nothing.
 */
import { classifyFailure, DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { ReadOptions, ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { PassedOverReason } from '#application/telemetry/replica-use.ts';
import type { FreshnessContext } from './freshness-context.ts';
import type { Replica } from './replica.ts';
import { ReplicaBehindError, ReplicaLostError } from './replica-errors.ts';
import type { ReplicaSet } from './replica-set.ts';

export interface ReplicatedReaderDeps {
  readonly primary: ScopedReader;
  /** One for each replica, with the same limits. */
  readonly onReplicas: ReadonlyMap<Replica, ScopedReader>;
  readonly replicas: ReplicaSet;
  readonly context: FreshnessContext;
  /** The limit of each statement, in milliseconds. */
  readonly timeoutMs: number;
}

type Run<T> = (reader: ScopedReader, options: ReadOptions) => Promise<T>;

export function makeReplicatedReader(deps: ReplicatedReaderDeps): ScopedReader {
  const { primary, onReplicas, replicas, context, timeoutMs } = deps;

  async function run<T>(options: ReadOptions, read: Run<T>): Promise<T> {
    const { mayLag, seen } = context.current;
    const replica = mayLag ? replicas.choose() : null;
    const reader = replica === null ? undefined : onReplicas.get(replica);
    if (replica === null || reader === undefined) {
      replicas.noteRead('primary');
      return read(primary, options);
    }
    const beganAt = performance.now();
    try {
      const result = await replica.run(options.signal, (signal) =>
        read(reader, { ...options, signal, seen }),
      );
      replicas.noteRead('replica');
      return result;
    } catch (error) {
      const reason = reasonOf(error, performance.now() - beganAt < timeoutMs);
      if (reason === 'unreachable') replica.lose(error);
      if (reason === null || options.isRepeatable?.() === false) throw error;
      replicas.notePassedOver(reason);
      replicas.noteRead('primary');
      return read(primary, startedLater(options, performance.now() - beganAt));
    }
  }

  return {
    read: (statement, options) => run(options, (reader, own) => reader.read(statement, own)),
    inSnapshot: (options, work) => run(options, (reader, own) => reader.inSnapshot(own, work)),
    // Part of many changes, and the same everywhere.
    withPatterns: primary.withPatterns,
    use: () => [
      ...primary.use(),
      ...[...onReplicas].flatMap(([{ state }, reader]) =>
        reader.use().map((use) => ({ ...use, replica: state.name })),
      ),
    ],
    close: async () => {
      await Promise.all([primary, ...onReplicas.values()].map((reader) => reader.close()));
    },
  };
}

/** The time at the replica does not count, as waiting for a turn does not. */
function startedLater(options: ReadOptions, byMs: number): ReadOptions {
  return options.startedAt === undefined ? options : { ...options, startedAt: options.startedAt + byMs };
}

/**
 * Why the primary is to answer instead; null if it would say the same. Whatever else goes wrong may be the replica's
 * fault, such as a table that a migration has made just now. `isEarly` says that no time limit can have passed.
 */
function reasonOf(error: unknown, isEarly: boolean): PassedOverReason | null {
  if (error instanceof ReplicaBehindError) return 'behind';
  if (error instanceof ReplicaLostError) return 'unreachable';
  if (error instanceof ReadRefused) {
    const wasStopped = error.refusal.kind === 'timeout' && classifyFailure(error.cause) === 'stopped';
    return wasStopped && isEarly ? 'conflict' : null;
  }
  if (error instanceof DatabaseBusyError) return null;
  switch (classifyFailure(error)) {
    case 'conflict':
      return 'conflict';
    case 'unavailable':
      return 'unreachable';
    default:
      return 'failed';
  }
}
