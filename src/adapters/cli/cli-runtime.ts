/** What commands use of the rest of the program. `main/command-line.ts` implements it and loads modules on demand. */
import type { Backend } from '#application/backend.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import type { DemoGreeting } from './service/welcome.ts';

export interface CliRuntime {
  readonly version: string;
  readonly config: CliConfig;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly announce: Announce;
  /** Binds the configured address. Only `/healthz` succeeds until `answer` is called. */
  readonly bindServer: () => Promise<BoundServer>;
  readonly bindMetrics: () => Promise<BoundMetrics | null>;
  readonly startEmbeddedDatabase: () => Promise<EmbeddedDatabase>;
  /** Migrates the database first if `migrate` is true, or if it is absent and `MIGRATE` is on. */
  readonly openService: (databaseUrl: string, options: StorageOptions) => Promise<CliService>;
  readonly makeDemo: (now: EpochMs) => Promise<Demo>;
  readonly importLoadFiles: () => Promise<LoadFiles>;
  readonly importInventories: () => Promise<Inventories>;
  readonly importSecrets: () => Promise<
    Pick<SecretGenerator, 'apiKey' | 'enrolmentKey' | 'linkToken' | 'digest'>
  >;
  /** The service's URL, without a trailing slash. */
  readonly listensAt: () => Promise<string>;
  readonly makeOpenApiDocument: () => Promise<object>;
  /** Returns null if the error's own message is the best explanation. */
  readonly explainFailure: (error: unknown) => Promise<string | null>;
}

/** Prints a message for a person. A service without a terminal logs it instead, with the stack of `thrown`. */
export type Announce = (level: 'info' | 'warn' | 'fatal', message: string, thrown?: unknown) => void;

export interface CliConfig {
  /** Null means the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Without a trailing slash. Null means the address where the service listens. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  /** Null: the database keeps the key that encrypts its secrets. */
  readonly secretKey: string | null;
  readonly demo: boolean;
  readonly worker: boolean;
  /** Seconds for which requests are still accepted after SIGTERM. */
  readonly drainSeconds: number;
  /** Minutes between two contacts of an agent. */
  readonly contactMinutes: number;
  /** Null: the limit is derived from how often the agent reports. */
  readonly offlineAfterMinutes: number | null;
}

export interface StorageOptions {
  readonly migrate?: boolean;
  readonly allowsLostKeys?: boolean;
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** False if another service uses the data directory. */
  claim(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface CliService {
  readonly backend: Backend;
  readonly hashPassword: PasswordHasher;
  isEmpty(): Promise<boolean>;
  readonly resealSecrets: ResealSecrets;
  readonly databaseTools: DatabaseTools | null;
  /** Builds missing parts, such as the console. */
  prepare(): Promise<void>;
  answer(server: BoundServer): Promise<void>;
  showMetrics(server: BoundMetrics): Promise<void>;
  /** Links in mails use `BASE_URL`, else `listensAt`, else the configured host and port. */
  startWorker(listensAt?: string): Promise<Stoppable>;
  /** Makes `/readyz` answer 503 from now on. */
  stopBeingReady(): void;
  close(): Promise<void>;
}

interface Stoppable {
  stop(graceMs: number): Promise<void>;
}

export interface BoundServer {
  readonly url: string;
  answerWith(app: { readonly fetch: (request: Request, env: never) => Response | Promise<Response> }): void;
  drain(): void;
  close(graceMs: number): Promise<void>;
}

export interface BoundMetrics {
  readonly url: string;
  answerWith(metrics: { readonly print: () => Promise<string>; readonly contentType: string }): void;
  close(): Promise<void>;
}

export interface Demo extends DemoGreeting {
  readonly records: Iterable<LocatedRecord>;
  readonly currentTotpCode: (secret: string, now: EpochMs) => string;
}

export interface LoadFiles {
  readonly readLoadFile: (source: string | AsyncIterable<Buffer>) => AsyncIterable<LocatedRecord>;
  readonly printRecord: (record: FleetRecord) => string;
  readonly LoadFileError: abstract new (...args: never) => { readonly faults: readonly FleetFault[] };
}

export interface Inventories {
  readonly readInventory: (text: string) => Result<DeviceInventory, readonly string[]>;
}

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
