/** What a device of the demo is made of and what runs on it. */
import { APPLE_MODELS } from '#adapters/demo/catalogue/models/apple-models.ts';
import type { ApplianceModel } from '#adapters/demo/catalogue/models/appliance-model.ts';
import type { ComputerModel } from '#adapters/demo/catalogue/models/computer-model.ts';
import { LINUX_MODELS } from '#adapters/demo/catalogue/models/linux-models.ts';
import { NETWORK_MODELS } from '#adapters/demo/catalogue/models/network-models.ts';
import { PERIPHERAL_MODELS } from '#adapters/demo/catalogue/models/peripheral-models.ts';
import { SERVER_MODELS } from '#adapters/demo/catalogue/models/server-models.ts';
import { KIOSK_MODELS, WINDOWS_MODELS } from '#adapters/demo/catalogue/models/windows-models.ts';
import {
  OS_RELEASES,
  type OsFamily,
  type PatchTrack,
} from '#adapters/demo/catalogue/software/os-releases.ts';
import type { SoftwarePlatform } from '#adapters/demo/catalogue/software/software-platform.ts';
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { OrganizationProfile } from '#adapters/demo/tenants/organizations.ts';
import type { Trade } from '#adapters/demo/tenants/trades.ts';
import {
  type Architecture,
  type DeviceHardware,
  type DeviceRole,
  NO_HARDWARE,
  type OsType,
} from '#domain/device/device.ts';

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
      return computerOf(SERVER_MODELS, organization, random);
    case 'router':
    case 'switch':
    case 'firewall':
    case 'access_point':
    case 'nas':
      return applianceOf(random.pick(NETWORK_MODELS[role]), random);
    case 'unknown':
      return UNKNOWN_MACHINE;
    default:
      return applianceOf(random.pick(PERIPHERAL_MODELS[role]), random);
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
    return computerOf(APPLE_MODELS, organization, random);
  }
  if (draw < macShare + linuxShare) {
    return computerOf(LINUX_MODELS, organization, random);
  }
  const models = random.chance(KIOSK_SHARES[trade] ?? 0) ? KIOSK_MODELS : WINDOWS_MODELS;
  return computerOf(models, organization, random);
}

function computerOf(
  models: readonly ComputerModel[],
  { windowsEdition }: OrganizationProfile,
  random: SeededRandom,
): Machine {
  const unit = random.pickWeighted(models.map((model) => [model, model.weight] as const));
  const family = random.pickWeighted(unit.runs);
  const release = random.pickWeighted(OS_RELEASES[family].map((one) => [one, one.weight] as const));
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
    osType: release.osType,
    osVersion: release.version.replace('{edition}', windowsEdition),
    osBuild: random.pick(release.builds),
    architecture: unit.architecture,
    isPortable: unit.isPortable,
    isKiosk: SOFTWARE_PLATFORMS[family] === 'windows-kiosk',
    computer: { software: SOFTWARE_PLATFORMS[family], patches: release.patchTrack },
  };
}

/** Appliances report their firmware; their operating system is none of the three. */
function applianceOf(model: ApplianceModel, random: SeededRandom): Machine {
  const firmware = random.pick(model.firmware);
  return {
    ...UNKNOWN_MACHINE,
    hardware: {
      ...NO_HARDWARE,
      manufacturer: model.manufacturer,
      model: model.model,
      serialNumber: random.fill(model.serialPattern),
      cpuCores: model.cpuCores,
      ramTotalMb: model.ramMb,
      diskTotalGb: model.diskGb,
    },
    osVersion: firmware.version,
    osBuild: firmware.build,
  };
}
