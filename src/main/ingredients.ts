/** What the factories of parts are written with: names and types of everything that is put together. Types only. */
import type { Argon2PasswordHasher } from '#adapters/auth/argon2-password-hasher.ts';
import type { CachingCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { Worker } from '#adapters/system/worker.ts';
import type { Backend } from '#application/backend.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ComposeConfig, Composition, Parts } from './composition.ts';

/** The parts, and what they are made of besides each other. */
export interface Ingredients extends Parts {
  readonly storage: Storage;
  readonly argon2: Argon2PasswordHasher;
}

/** A backend, and what can be asked of the database behind it. */
export type Storage = Pick<
  PostgresBackend,
  'isEmpty' | 'resealSecrets' | 'pools' | 'withFreshness' | 'replicas' | 'close'
> & {
  readonly backend: Backend;
  readonly databaseTools: DatabaseTools | null;
  /** If absent, that of the backend is used. */
  readonly signInUnitOfWork?: UnitOfWork;
  readonly readiness: () => Promise<Readonly<Record<string, boolean>>>;
};

/** Settings that have a value even if the caller of `compose` leaves them out. */
export type Defaults = Required<Pick<Config, 'migrate' | 'filterTimeoutMs' | 'trustedProxies' | 'logLevel'>>;

/** One composition: its configuration, and what changes while it runs. */
export interface Run {
  readonly config: ComposeConfig & Defaults;
  /** Of the package. */
  readonly version: string;
  readonly ports: Partial<Backend>;
  isStopping: boolean;
  worker: Worker | null;
  credentials: CachingCredentialVerifier | null;
}

/** The ingredients with these names; each is made once per composition. */
export type Resolve = <K extends keyof Ingredients>(...names: readonly K[]) => Promise<Pick<Ingredients, K>>;

/** How to make each of these ingredients. A factory imports what it needs when it runs. */
export type Factories<Names extends keyof Ingredients> = {
  readonly [K in Names]: (from: Resolve, run: Run) => Ingredients[K] | Promise<Ingredients[K]>;
};

/** A service before it is put together: its ingredients are made when they are first asked for. */
export interface Assembly {
  readonly from: Resolve;
  /** Makes all parts. Rejects if the database cannot be used. */
  complete(): Promise<Composition>;
  /** Makes `/readyz` answer 503 from now on. */
  stopBeingReady(): void;
  /** Closes the database. */
  close(): Promise<void>;
}
