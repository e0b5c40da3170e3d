/** A model of computer, and what its units are fitted with. */
import type { OsFamily } from '#adapters/demo/catalogue/software/os-releases.ts';
import type { Weighted } from '#adapters/demo/seeded-random.ts';
import type { Architecture } from '#domain/device/device.ts';

/** What its units have in common, and the choices in which they differ. */
export interface ComputerModel {
  readonly manufacturer: string;
  readonly model: string;
  /** Of serial numbers, as `SeededRandom.fill` takes it; null where the firmware reports none. */
  readonly serialPattern: string | null;
  readonly architecture: Architecture;
  readonly isPortable: boolean;
  /** Name and cores. */
  readonly cpus: readonly (readonly [model: string, cores: number])[];
  /** null: no graphics reported. */
  readonly gpus: readonly (string | null)[];
  /** Gibibytes. */
  readonly ramGb: readonly number[];
  /** Gibibytes as the system counts them: a drive sold as 512 GB has 476. */
  readonly diskGb: readonly number[];
  readonly runs: Weighted<OsFamily>;
  /** How often it is met, relative to the other models of its list. */
  readonly weight: number;
}
