/** A model of device that is no computer: found on the network and watched from outside. */
import type { DeviceRole } from '#domain/device/device.ts';

/** Roles without an agent of ours. */
export type ApplianceRole = Exclude<DeviceRole, 'workstation' | 'server' | 'unknown'>;

/** What its units have in common. */
export interface ApplianceModel {
  readonly manufacturer: string;
  readonly model: string;
  /** Of serial numbers, as `SeededRandom.fill` takes it. */
  readonly serialPattern: string;
  /** Newest first. */
  readonly firmware: readonly Firmware[];
  /** null: it does not say. */
  readonly cpuCores: number | null;
  /** Mebibytes. */
  readonly ramMb: number | null;
  /** Gibibytes. */
  readonly diskGb: number | null;
}

interface Firmware {
  readonly version: string;
  /** null where it has none beside its version. */
  readonly build: string | null;
}

/** A model; firmware is written `version` or `version, build`. */
export function appliance(
  manufacturer: string,
  model: string,
  serialPattern: string,
  firmware: readonly string[],
  cpuCores: number | null = null,
  ramMb: number | null = null,
  diskGb: number | null = null,
): ApplianceModel {
  return {
    manufacturer,
    model,
    serialPattern,
    firmware: firmware.map(parseFirmware),
    cpuCores,
    ramMb,
    diskGb,
  };
}

function parseFirmware(text: string): Firmware {
  const [version = text, build = null] = text.split(', ');
  return { version, build };
}
