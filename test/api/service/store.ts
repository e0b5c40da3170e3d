/** The store of a service under test: a world in this process, or a new database. */
import { type ComposeConfig, type Composition, compose, type Overrides, type Parts } from 'fleetsift';
import { Client } from 'pg';
import { inject } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { createMigratedDatabase } from '#test/support/database/fresh-database.ts';
import { wayTo } from '#test/support/database/pooler.ts';
import { checkAnswers } from '#test/support/http/check-answers.ts';
import { makeMemoryProbe } from './memory-probe.ts';
import { makePostgresProbe } from './postgres-probe.ts';
import type { Probe } from './probe.ts';

export type BackendKind = 'memory' | 'postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** The backend that the API suites of this project run on; see `vitest.config.ts`. */
    backend: BackendKind;
  }
}

export interface StoreSettings {
  readonly filterTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly outboundPrivate?: boolean;
  readonly baseUrl?: string | null;
}

type StoreOverrides = Overrides & Pick<Parts, 'hashPassword'>;

interface AnyStore {
  readonly probe: Probe;
  /** Starts an instance of the service. Instances on one store share its data; close each of them. */
  compose(settings: StoreSettings, overrides: StoreOverrides): Promise<Composition>;
  close(): Promise<void>;
}

export interface MemoryStore extends AnyStore {
  readonly kind: 'memory';
}

export interface PostgresStore extends AnyStore {
  readonly kind: 'postgres';
  /** The owner's connection string. */
  readonly url: string;
  /** A session of the owner. */
  readonly owner: Client;
}

export type Store = MemoryStore | PostgresStore;

export function openStore(kind: BackendKind): Promise<Store> {
  return kind === 'memory' ? openMemoryStore() : openPostgresStore();
}

const CONFIG = { databaseUrl: null, migrate: false, trustedProxies: [], logLevel: 'silent' } as const;

async function openMemoryStore(): Promise<MemoryStore> {
  const world = makeWorld();
  let backend: Parts['backend'] | undefined;
  return {
    kind: 'memory',
    probe: makeMemoryProbe(world),
    compose: async (settings, overrides) => {
      const { clock = systemClock, newId = uuidV7, hashPassword } = overrides;
      backend ??= createMemoryBackend({
        world,
        translatePattern,
        digestSecret,
        clock,
        newId,
        hashPassword,
        ...settings,
      });
      const composition = await compose({ ...CONFIG, ...settings }, { backend, ...overrides });
      checkAnswers(composition.app);
      return composition;
    },
    close: async () => undefined,
  };
}

async function openPostgresStore(): Promise<PostgresStore> {
  const { url, drop } = await createMigratedDatabase(inject('databaseUrl'), inject('templateDatabase'));
  const owner = new Client({ connectionString: url });
  owner.on('error', () => undefined);
  await owner.connect();
  let isMigrated = false;
  return {
    kind: 'postgres',
    url,
    owner,
    probe: makePostgresProbe(owner),
    compose: async (settings, overrides) => {
      const { url: databaseUrl, databasePooler } = wayTo(url);
      const config: ComposeConfig = {
        ...CONFIG,
        ...settings,
        databaseUrl,
        databasePooler,
        migrate: !isMigrated,
      };
      const composition = await compose(config, overrides);
      isMigrated = true;
      checkAnswers(composition.app);
      return composition;
    },
    close: async () => {
      await owner.end();
      await drop();
    },
  };
}
