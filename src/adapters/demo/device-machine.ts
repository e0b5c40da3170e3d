/** What a device of the demo is made of and what runs on it. */
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
  type OrganizationProfile,
  OS_RELEASES,
  type OsFamily,
  type PatchTrack,
  type SoftwarePlatform,
  type Trade,
} from './demo-data.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Hardware and operating system, which go together. */
export interface Machine {
  readonly hardware: DeviceHardware;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: Architecture | null;
  readonly isPortable: boolean;
  /** A till, a panel or a guest terminal. */
  readonly isKiosk: boolean;
  /** null for everything but computers: no agent lists their software. */
  readonly computer: { readonly software: SoftwarePlatform; readonly patches: PatchTrack } | null;
}

/** A machine for the role, as the organization would buy it. */
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

/** The share (0-1) of workstations that are tills, panels and guest terminals. */
const KIOSK_SHARES: Partial<Readonly<Record<Trade, number>>> = {
  logistics: 0.06,
  manufacturing: 0.14,
  hospitality: 0.2,
  retail: 0.45,
  utility: 0.08,
  brewing: 0.15,
};

const SOFTWARE_PLATFORMS: Readonly<Record<OsFamily, SoftwarePlatform>> = {
  'windows-11': 'windows',
  'windows-10': 'windows',
  'windows-10-32-bit': 'windows-kiosk',
  'windows-kiosk': 'windows-kiosk',
  'windows-server': 'windows-server',
  'windows-server-old': 'windows-server',
  'macos-current': 'macos',
  'macos-old': 'macos',
  'linux-desktop': 'linux-desktop',
  'linux-server': 'linux-server',
  'linux-server-arm': 'linux-server',
  'linux-raspberry': 'linux-server',
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

/** Appliances report their firmware; their operating system is none of the three. */
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
