/** Collects the faults of one load file, at most {@link MAX_FAULTS}. */
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { LoadFileError } from './load-file-error.ts';

export class FaultList {
  readonly #faults: FleetFault[] = [];

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Adds a fault and lets reading continue; throws a LoadFileError once there are {@link MAX_FAULTS}. */
  add(fault: FleetFault): void {
    this.#faults.push(fault);
    if (this.#faults.length >= MAX_FAULTS) throw new LoadFileError(this.#faults);
  }

  /** Adds a fault after which the file cannot be read any further; throws a LoadFileError. */
  end(fault: FleetFault): never {
    throw new LoadFileError([...this.#faults, fault]);
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw new LoadFileError(this.#faults);
  }
}
