import type { FleetFault, LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

/** Lists every fault of the load file, at most {@link MAX_FAULTS}. */
export class LoadFileError extends Error {
  override readonly name = 'LoadFileError';
  readonly faults: readonly FleetFault[];

  constructor(faults: readonly FleetFault[]) {
    const first = faults[0];
    if (first === undefined) throw new Error('a LoadFileError needs at least one fault');
    super(`line ${first.line}: ${first.member} ${first.message}`);
    this.faults = faults;
  }
}

export type RecordPlace = Pick<LocatedRecord, 'line' | 'member'>;

export class FaultList {
  readonly #faults: FleetFault[] = [];

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  add(fault: FleetFault): void {
    this.#faults.push(fault);
    if (this.#faults.length >= MAX_FAULTS) throw new LoadFileError(this.#faults);
  }

  /** Throws with a fault after which the rest of the file cannot be read. */
  end(fault: FleetFault): never {
    throw new LoadFileError([...this.#faults, fault]);
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw new LoadFileError(this.#faults);
  }
}
