/** The types that factories of parts use: the names and types of all ingredients. */
import type { Argon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import type { CachingCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { Backend } from '#application/backend.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ComposeConfig, Composition, Parts } from './composition.ts';

/** The parts and what they are built from. */
export interface Ingredients extends Parts {
  readonly storage: Storage;
  readonly argon2: Argon2PasswordHasher;
}

/** A backend and the state of its database. */
export type Storage = Pick<
  PostgresBackend,
  'isEmpty' | 'resealSecrets' | 'pools' | 'withFreshness' | 'replicas' | 'close'
> & {
  readonly backend: Backend;
  readonly databaseTools: DatabaseTools | null;
  /** If absent, the backend's unit of work serves sign-ins too. */
  readonly signInUnitOfWork?: UnitOfWork;
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
};

/** Settings that have a default in `compose`. */
export type Defaults = Required<Pick<Config, 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'>>;

/** One composition: its configuration and mutable state. */
export interface Run {
  readonly config: ComposeConfig & Defaults;
  /** The package's version. */
  readonly version: string;
  readonly ports: Partial<Backend>;
  isStopping: boolean;
  worker: Worker | null;
  credentials: CachingCredentialVerifier | null;
}

/** Resolves the named ingredients. Each is created once per composition. */
export type Resolve = <K extends keyof Ingredients>(...names: readonly K[]) => Promise<Pick<Ingredients, K>>;

/** Factories of the named ingredients. A factory imports its modules when it runs. */
export type Factories<Names extends keyof Ingredients> = {
  readonly [K in Names]: (from: Resolve, run: Run) => Ingredients[K] | Promise<Ingredients[K]>;
};

/** A service before completion. Ingredients are created on first use. */
export interface Assembly {
  readonly from: Resolve;
  /** Creates all parts. Rejects if the database cannot be used. */
  complete(): Promise<Composition>;
  /** Makes `/readyz` answer 503 from now on. */
  stopBeingReady(): void;
  close(): Promise<void>;
}
