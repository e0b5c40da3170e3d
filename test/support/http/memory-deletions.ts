/** The deletion of accounts on a new backend in memory, with a clock that only the test moves. */
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend, type MemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeReadAuditLog, type ReadAuditLog } from '#application/audit/read-audit-log.ts';
import { makeRequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import { type CompleteDeletions, makeCompleteDeletions } from '#application/deletion/complete-deletions.ts';
import { type DeletionUseCases, makeDeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { EpochMs } from '#domain/time.ts';
import { movableClock, newId } from '#test/support/builders.ts';

/** Everyone's password. */
export const PASSWORD = 'correct horse battery staple';

export interface LoggedError {
  readonly facts: object;
  readonly message: string;
}

export interface MemoryDeletions {
  readonly deletions: DeletionUseCases;
  readonly completeDeletions: CompleteDeletions;
  readonly readAuditLog: ReadAuditLog;
  readonly backend: MemoryBackend;
  now(): EpochMs;
  moveClockTo(instant: EpochMs): void;
  /** Takes the audit entries since the last call, without their random ids. */
  takeEntries(): readonly Omit<AuditEntry, 'id'>[];
  readonly errors: readonly LoggedError[];
  /** How often a password was checked. */
  passwordChecks(): number;
}

export interface MemoryDeletionsOptions {
  /** Replaces the unit of work of the backend. */
  readonly changeWork?: (unitOfWork: UnitOfWork) => UnitOfWork;
}

export function makeMemoryDeletions({
  changeWork = (work) => work,
}: MemoryDeletionsOptions = {}): MemoryDeletions {
  const { clock, moveTo } = movableClock();
  const memory = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId,
    hashPassword: async (password) => `hash of ${password}`,
  });
  const backend = { ...memory, unitOfWork: changeWork(memory.unitOfWork) };
  const errors: LoggedError[] = [];
  let passwordChecks = 0;
  let taken = 0;
  return {
    deletions: makeDeletionUseCases({
      ...backend,
      clock,
      newId,
      requireFreshMfa: makeRequireFreshMfa({ clock, maxAgeSeconds: 900 }),
      checkPassword: async (_userId, password) => {
        passwordChecks++;
        return password === PASSWORD;
      },
      hasProvenRecently: async () => false,
    }),
    completeDeletions: makeCompleteDeletions({
      unitOfWork: backend.unitOfWork,
      makeSystemEntry: makeSystemEntryFactory({ clock, newId }),
      clock,
      log: {
        info: () => undefined,
        debug: () => undefined,
        warn: () => undefined,
        error: (facts, message) => errors.push({ facts, message }),
      },
    }),
    readAuditLog: makeReadAuditLog(backend),
    backend,
    now: clock,
    moveClockTo: moveTo,
    takeEntries: () => {
      const entries = backend.auditEntries().slice(taken);
      taken += entries.length;
      return entries.map(({ id: _id, ...entry }) => entry);
    },
    errors,
    passwordChecks: () => passwordChecks,
  };
}
