import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { Backend } from '#application/backend.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { ReplicaChange } from '#application/telemetry/database-use.ts';
import { announcing, type Factories, type Resolve, type Run, type Storage } from './service.ts';

export const STORAGE_PARTS: Factories<'backend' | 'storage'> = {
  backend: async (from, run) => {
    const { backend } = (await from('storage')).storage;
    return { ...backend, ...(await announcing(backend, run)), ...(await limiting(backend, run)) };
  },
  storage: async (from, run) => withPorts(await openStorage(from, run), run.ports),
};

/** Sign-ins have separate connections unless the caller supplies a unit of work. */
export async function withPorts(opened: Storage, ports: Partial<Backend>): Promise<Storage> {
  const { signInUnitOfWork, ...rest } = opened;
  const ownSignIn = ports.unitOfWork === undefined && signInUnitOfWork !== undefined;
  const storage = { ...rest, backend: { ...rest.backend, ...ports }, ...(ownSignIn && { signInUnitOfWork }) };
  return ports.auditLog === undefined ? storage : recordedBy(storage, ports.auditLog);
}

async function recordedBy(storage: Storage, auditLog: AuditLog): Promise<Storage> {
  const { recordElsewhere, recordMaintenance, recordResealing, recordTransactions } = await import(
    '#application/audit/record-elsewhere.ts'
  );
  const { backend, resealSecrets, databaseTools: tools, signInUnitOfWork } = storage;
  return {
    ...storage,
    backend: recordElsewhere(backend, auditLog),
    resealSecrets: recordResealing(resealSecrets, auditLog),
    databaseTools: tools && {
      ...tools,
      partnerMaintenance: recordMaintenance(tools.partnerMaintenance, auditLog),
    },
    ...(signInUnitOfWork !== undefined && {
      signInUnitOfWork: recordTransactions(signInUnitOfWork, auditLog),
    }),
  };
}

/** Wraps a supplied backend, which its owner monitors and closes. */
export function keepOpen(backend: Backend): Storage {
  return {
    backend,
    isEmpty: async () => false,
    resealSecrets: async () => ({ resealed: 0, unreadable: 0 }),
    databaseTools: null,
    pools: () => [],
    readiness: async () => ({}),
    close: async () => undefined,
  };
}

async function openStorage(from: Resolve, { config }: Run): Promise<Storage> {
  const { databaseUrl: url, databasePooler = null } = config;
  if (url === null) throw new Error('compose needs a databaseUrl, or a backend must be supplied');
  const { openPostgresBackend } = await import('#adapters/postgres/postgres-backend.ts');
  const { digestSecret } = await import('#adapters/auth/secret-generator.ts');
  const { makeSecretBox } = await import('#adapters/system/secret-box.ts');
  const { clock, ...parts } = await from('clock', 'newId', 'hashPassword');
  const backend = await openPostgresBackend({
    ...config,
    ...{ ...parts, clock, ...(clock !== systemClock && { hostClock: clock }) },
    url,
    databasePooler,
    digestSecret,
    makeSecretBox,
    onReplicaChange: await replicaReporter(from),
  });
  return { ...backend, backend, readiness: async () => ({ ...(await backend.readiness()) }) };
}

async function replicaReporter(from: Resolve) {
  const { log } = await from('log');
  return ({ isUsed, ...facts }: ReplicaChange) =>
    isUsed ? log.info(facts, 'replica is used') : log.warn(facts, 'replica is passed over');
}

async function limiting({ rateLimiter }: Pick<Backend, 'rateLimiter'>, { config: { metrics } }: Run) {
  if (metrics === undefined) return { rateLimiter };
  const { measureRateLimiter } = await import('#adapters/metrics/measure.ts');
  return { rateLimiter: measureRateLimiter(rateLimiter, metrics) };
}

export const FOUNDATION_PARTS: Factories<
  'clock' | 'cautiousClock' | 'newId' | 'hashPassword' | 'verifyPassword' | 'log' | 'argon2'
> = {
  clock: () => systemClock,
  cautiousClock: async (from) => {
    const { clock, log, backend } = await from('clock', 'log', 'backend');
    const { sharedClock } = backend;
    // A clock that the host supplies is trusted even if it jumps.
    if (clock !== systemClock) return async () => clock();
    const { makeCautiousClock } = await import('#application/cautious-clock.ts');
    const own = makeCautiousClock({ clock, monotonicMs: () => performance.now(), log });
    // This process may have been started while its clock was ahead.
    return async () => Math.min(own(), await sharedClock());
  },
  newId: () => uuidV7,
  hashPassword: async (from) => (await from('argon2')).argon2.hashPassword,
  verifyPassword: async (from) => (await from('argon2')).argon2.verifyPassword,
  log: async (_, { config: { logLevel, tracing } }) =>
    (await import('#adapters/system/logger.ts')).makeLogger(logLevel, tracing?.traceIds),
  argon2: async () => {
    const { makeArgon2PasswordHasher } = await import('#adapters/auth/argon2-password-hasher.ts');
    const { availableParallelism } = await import('node:os');
    // Leaves half of the machine's cores to previews.
    return makeArgon2PasswordHasher({ maxConcurrent: Math.max(1, Math.floor(availableParallelism() / 2)) });
  },
};
