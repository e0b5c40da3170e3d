/** The use cases on a separate backend in memory, with a clock that only the test moves. */
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend, type MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { type FilterUseCases, makeFilterUseCases } from '#application/filters/filter-use-cases.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { EpochMs } from '#domain/time.ts';
import { movableClock, newId } from './builders.ts';

export interface MemoryService extends FilterUseCases {
  readonly backend: MemoryBackend;
  moveClockTo(instant: EpochMs): void;
  /** Takes the audit entries since the last call, without their random ids. */
  takeEntries(): readonly Omit<AuditEntry, 'id'>[];
}

export interface MemoryServiceOptions {
  readonly filterTimeoutMs?: number;
  /** Replaces ports of the backend. */
  readonly change?: (backend: MemoryBackend) => Partial<MemoryBackend>;
}

export function makeMemoryService({ filterTimeoutMs, change }: MemoryServiceOptions = {}): MemoryService {
  const { clock, moveTo } = movableClock();
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId,
    hashPassword: async () => 'hash',
    ...(filterTimeoutMs !== undefined && { filterTimeoutMs }),
  });
  let taken = 0;
  return {
    ...makeFilterUseCases({ ...backend, ...change?.(backend), clock, newId }),
    backend,
    moveClockTo: moveTo,
    takeEntries: () => {
      const entries = backend.auditEntries().slice(taken);
      taken += entries.length;
      return entries.map(({ id: _id, ...entry }) => entry);
    },
  };
}
