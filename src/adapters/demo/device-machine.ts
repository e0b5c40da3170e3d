import {
  type Architecture,
  type DeviceHardware,
  type DeviceRole,
  NO_HARDWARE,
  type OsType,
} from '#domain/device/device.ts';
import {
  APPLIANCES,
  type ApplianceModel,
  COMPUTERS,
  type ComputerModel,
  KIOSK_SHARES,
  type OrganizationProfile,
  OS_RELEASES,
  type PatchTrack,
  SOFTWARE_PLATFORMS,
  type SoftwarePlatform,
} from './demo-data.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Machine {
  readonly hardware: DeviceHardware;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: Architecture | null;
  readonly isPortable: boolean;
  readonly isKiosk: boolean;
  /** Null for appliances, because no agent lists their software. */
  readonly computer: { readonly software: SoftwarePlatform; readonly patches: PatchTrack } | null;
}

export function drawMachine(
  role: DeviceRole,
  organization: OrganizationProfile,
  random: SeededRandom,
): Machine {
  switch (role) {
    case 'workstation':
      return workstation(organization, random);
    case 'server':
      return computerOf(COMPUTERS.server, organization, random);
    case 'unknown':
      return UNKNOWN_MACHINE;
    default:
      return applianceOf(random.pick(APPLIANCES[role]), random);
  }
}

const UNKNOWN_MACHINE: Machine = {
  hardware: NO_HARDWARE,
  osType: null,
  osVersion: null,
  osBuild: null,
  architecture: null,
  isPortable: false,
  isKiosk: false,
  computer: null,
};

function workstation(organization: OrganizationProfile, random: SeededRandom): Machine {
  const { macShare, linuxShare, trade } = organization;
  const draw = random.fraction();
  if (draw < macShare) {
    return computerOf(COMPUTERS.apple, organization, random);
  }
  if (draw < macShare + linuxShare) {
    return computerOf(COMPUTERS.linux, organization, random);
  }
  const models = random.chance(KIOSK_SHARES[trade] ?? 0) ? COMPUTERS.kiosk : COMPUTERS.windows;
  return computerOf(models, organization, random);
}

function computerOf(
  models: readonly ComputerModel[],
  { windowsEdition }: OrganizationProfile,
  random: SeededRandom,
): Machine {
  const unit = random.pickWeighted(models.map((model) => [model, model.weight] as const));
  const family = random.pickWeighted(unit.runs);
  const [osType, version, patches, , builds] = random.pickWeighted(
    OS_RELEASES[family].map((release) => [release, release[3]] as const),
  );
  const [cpuModel, cpuCores] = random.pick(unit.cpus);
  return {
    hardware: {
      manufacturer: unit.manufacturer,
      model: unit.model,
      serialNumber: unit.serialPattern === null ? null : random.fill(unit.serialPattern),
      cpuModel,
      gpuModel: random.pick(unit.gpus),
      cpuCores,
      ramTotalMb: random.pick(unit.ramGb) * 1_024,
      diskTotalGb: random.pick(unit.diskGb),
    },
    osType,
    osVersion: version.replace('{edition}', windowsEdition),
    osBuild: random.pick(builds),
    architecture: unit.architecture,
    isPortable: unit.isPortable,
    isKiosk: SOFTWARE_PLATFORMS[family] === 'windows-kiosk',
    computer: { software: SOFTWARE_PLATFORMS[family], patches },
  };
}

/** An appliance reports its firmware as the version. Its system is not Windows, macOS or Linux. */
function applianceOf(
  [manufacturer, model, serialPattern, [cpuCores, ramTotalMb, diskTotalGb], firmware]: ApplianceModel,
  random: SeededRandom,
): Machine {
  const [osVersion = null, osBuild = null] = random.pick(firmware).split(', ');
  return {
    ...UNKNOWN_MACHINE,
    hardware: {
      ...NO_HARDWARE,
      manufacturer,
      model,
      serialNumber: random.fill(serialPattern),
      cpuCores,
      ramTotalMb,
      diskTotalGb,
    },
    osVersion,
    osBuild,
  };
}
