/** Gathers what is wrong with one load file, until it is enough to refuse it. */
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { LoadFileError } from './load-file-error.ts';

/** The faults of one file, in the order in which they were found. */
export class FaultList {
  readonly #faults: FleetFault[] = [];

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Adds one and goes on; throws a LoadFileError when that makes it 100, as many as one refusal names. */
  add(fault: FleetFault): void {
    this.#faults.push(fault);
    if (this.#faults.length >= MAX_FAULTS) throw new LoadFileError(this.#faults);
  }

  /** Adds one after which the file cannot be read on; throws a LoadFileError. */
  end(fault: FleetFault): never {
    throw new LoadFileError([...this.#faults, fault]);
  }

  /** Throws a LoadFileError where there is any fault. */
  throwIfAny(): void {
    if (!this.isEmpty) throw new LoadFileError(this.#faults);
  }
}
