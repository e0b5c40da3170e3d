import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';

/** Thrown while a load file is read, with every fault found in it, at most 100. */
export class LoadFileError extends Error {
  override readonly name = 'LoadFileError';
  /** At least one, in the order of the file. */
  readonly faults: readonly FleetFault[];

  constructor(faults: readonly FleetFault[]) {
    const first = faults[0];
    if (first === undefined) throw new Error('a LoadFileError needs at least one fault');
    super(`line ${first.line}: ${first.member} ${first.message}`);
    this.faults = faults;
  }
}
