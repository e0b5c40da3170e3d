/** What the commands need from the rest of the program; `main/command-line.ts` supplies it, and loads each thing when it is used. */
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
  /** Of the package. */
  readonly version: string;
  readonly config: CliConfig;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** Takes the configured address, where `/healthz` is answered from now on. */
  readonly bindServer: () => Promise<BoundServer>;
  /** Takes METRICS_PORT where it is set, else null. */
  readonly bindMetrics: () => Promise<BoundMetrics | null>;
  readonly startEmbeddedDatabase: () => Promise<EmbeddedDatabase>;
  /** Opens the service on a database, which is migrated first unless `MIGRATE=off` and `migrate` is not set. */
  readonly openService: (databaseUrl: string, options: StorageOptions) => Promise<CliService>;
  readonly makeDemo: (now: EpochMs) => Promise<Demo>;
  readonly importLoadFiles: () => Promise<LoadFiles>;
  readonly importInventories: () => Promise<Inventories>;
  readonly importSecrets: () => Promise<Pick<SecretGenerator, 'apiKey' | 'enrolmentKey' | 'digest'>>;
  /** Where a service with these settings listens; no trailing slash. */
  readonly listensAt: () => Promise<string>;
  readonly makeOpenApiDocument: () => Promise<object>;
  /** What an error of the database means to the operator; null where there are no better words than its own. */
  readonly explainFailure: (error: unknown) => Promise<string | null>;
}

/** The settings that the commands themselves go by. */
export interface CliConfig {
  /** Null runs the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Where users and machines find the service, without a trailing slash; if null, where it listens. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  /** Null if the database keeps the key that encrypts its secrets. */
  readonly secretKey: string | null;
  /** Whether the first start on an embedded database loads the demo fleet. */
  readonly demo: boolean;
  /** Whether `serve` runs the worker, too. */
  readonly worker: boolean;
  /** How long requests are taken after SIGTERM, in seconds. */
  readonly drainSeconds: number;
}

/** How a database is opened. */
export interface StorageOptions {
  /** Runs migrations even with `MIGRATE=off`. */
  readonly migrate?: boolean;
  /** Opens it even where secrets are sealed with a key that is not known. */
  readonly allowsLostKeys?: boolean;
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** False if another service runs on the data directory. */
  claim(): Promise<boolean>;
  stop(): Promise<void>;
}

/** The service as commands run it. */
export interface CliService {
  readonly backend: Backend;
  readonly hashPassword: PasswordHasher;
  /** Whether the database holds no tenant yet. */
  isEmpty(): Promise<boolean>;
  readonly resealSecrets: ResealSecrets;
  /** Null where the backend has no database of its own. */
  readonly databaseTools: DatabaseTools | null;
  /** Builds what is served and is not there yet. */
  prepare(): Promise<void>;
  /** Answers the server's requests from now on. */
  answer(server: BoundServer): Promise<void>;
  /** Answers the server's requests with the metrics from now on. */
  showMetrics(server: BoundMetrics): Promise<void>;
  /** Links in mails lead to `BASE_URL`, else to `listensAt`, else to the configured host and port. */
  startWorker(listensAt?: string): Promise<Stoppable>;
  /** Makes `/readyz` answer 503 from now on. */
  stopBeingReady(): void;
  close(): Promise<void>;
}

interface Stoppable {
  /** Finishes what is in flight, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface BoundServer {
  /** No trailing slash. */
  readonly url: string;
  answerWith(app: { readonly fetch: (request: Request, env: never) => Response | Promise<Response> }): void;
  /** Asks clients to open a new connection for their next request. */
  drain(): void;
  /** Finishes what is in flight, within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface BoundMetrics {
  /** Where the metrics are. */
  readonly url: string;
  answerWith(metrics: { readonly print: () => Promise<string>; readonly contentType: string }): void;
  close(): Promise<void>;
}

export interface Demo extends DemoGreeting {
  readonly records: Iterable<LocatedRecord>;
  /** The current one-time code of a TOTP secret. */
  readonly currentTotpCode: (secret: string, now: EpochMs) => string;
}

export interface LoadFiles {
  readonly readLoadFile: (source: string | AsyncIterable<Buffer>) => AsyncIterable<LocatedRecord>;
  /** The record as a line of such a file. */
  readonly printRecord: (record: FleetRecord) => string;
  /** What reading throws if the file is invalid. */
  readonly LoadFileError: abstract new (
    ...args: never
  ) => { readonly faults: readonly FleetFault[] };
}

export interface Inventories {
  readonly readInventory: (text: string) => Result<DeviceInventory, readonly string[]>;
}

/** Ends a command with a message and a non-zero exit code. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
