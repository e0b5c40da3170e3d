/** What the commands need of the rest of the service; `main.ts` provides it. */
import type { Backend } from '#application/backend.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';

export interface CliRuntime {
  /** Runs the service until it is told to stop. */
  readonly serve: () => Promise<void>;
  /** Runs what goes on behind the requests, and no server, until it is told to stop. */
  readonly work: () => Promise<void>;
  /** Brings the database up to date; whether anything was pending is told through progress. */
  readonly migrate: () => Promise<void>;
  /** Opens storage for the time of the work, beside a running service or without one. */
  readonly withBackend: <T>(work: (backend: Backend) => Promise<T>) => Promise<T>;
  readonly readLoadFile: (path: string) => AsyncIterable<LocatedRecord>;
  /** The faults that ended the reading of a load file, or null where the error is another. */
  readonly loadFileFaults: (error: unknown) => readonly FleetFault[] | null;
  readonly readInventory: (text: string) => Result<DeviceInventory, readonly string[]>;
  readonly generateApiKey: () => string;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

/** Ends a command with a message and a non-zero exit. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
