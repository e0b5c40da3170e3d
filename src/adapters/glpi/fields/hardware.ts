import type { InventoryContent, Storage } from '#adapters/glpi/document/inventory-document.ts';
import type { DeviceHardware } from '#domain/device/device.ts';
import type { ReportedIdentity } from '#domain/inventory/device-inventory.ts';
import { firstText, nameplateText } from './texts.ts';
import { localDrives } from './volumes.ts';

/**
 * Sums built-in disks, or local file systems if no disk reports a size; in gibibytes with two decimals. "MB"
 * means millions of bytes for disks and mebibytes for file systems.
 */
function diskTotalGb({ storages = [], drives = [] }: InventoryContent): number | null {
  const ofDisks = sum(storages.filter(isBuiltIn).map(({ disksize }) => disksize)) * BYTES_PER_MEGABYTE;
  const ofDrives = sum(localDrives(drives).map(({ total }) => total)) * BYTES_PER_MEBIBYTE;
  const bytes = ofDisks > 0 ? ofDisks : ofDrives;
  return bytes > 0 ? Math.round((bytes / BYTES_PER_GIBIBYTE) * 100) / 100 : null;
}

const BYTES_PER_MEGABYTE = 1_000_000;
const BYTES_PER_MEBIBYTE = 2 ** 20;
const BYTES_PER_GIBIBYTE = 2 ** 30;

function sum(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((total, size) => total + Math.max(size ?? 0, 0), 0);
}

function isBuiltIn({ type = '', description = '', interface: bus = '' }: Storage): boolean {
  return !/\b(?:cd|dvd|bd|optical|floppy|tape|removable|usb|rom)/i.test(`${type} ${description} ${bus}`);
}

export function hardware(content: InventoryContent): DeviceHardware {
  const { bios, cpus = [], network_device: networkDevice, videos = [] } = content;
  return {
    manufacturer: nameplateText(bios?.smanufacturer, bios?.mmanufacturer, networkDevice?.manufacturer),
    model: nameplateText(bios?.smodel, bios?.mmodel, networkDevice?.model),
    serialNumber: serialNumber(content),
    cpuModel: firstText(
      ...cpus.flatMap(({ name, familyname, description }) => [name, familyname, description]),
    ),
    gpuModel: firstText(...videos.flatMap(({ name, chipset }) => [name, chipset])),
    cpuCores: positive(cpus.reduce((cores, { core, corecount }) => cores + (core ?? corecount ?? 0), 0)),
    ramTotalMb: ramTotalMb(content),
    diskTotalGb: diskTotalGb(content),
  };
}

/** What a partial inventory says for certain: no section that is missing would decide otherwise. */
export function carriedHardware(content: InventoryContent, values: DeviceHardware): Partial<DeviceHardware> {
  const hasMachine = content.hardware !== undefined || content.network_device !== undefined;
  const isCertain: Readonly<Record<string, boolean>> = {
    serialNumber: hasMachine,
    ramTotalMb: hasMachine,
    diskTotalGb: content.storages !== undefined,
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== null && isCertain[name] !== false),
  );
}

/** Null for containers, which report the serial number of their host. */
function serialNumber({
  bios,
  hardware: system,
  network_device: networkDevice,
}: InventoryContent): string | null {
  if (CONTAINER.test(system?.vmsystem ?? '')) return null;
  return nameplateText(bios?.ssn, bios?.enclosureserial, bios?.msn, networkDevice?.serial);
}

const CONTAINER =
  /^(?:docker|podman|oci|container|lxc|lxc-libvirt|systemd-nspawn|rkt|virtuozzo|openvz|wsl|bsdjail|solariszone)$/i;

function ramTotalMb({ hardware: system, memories = [], network_device: networkDevice }: InventoryContent) {
  const ofModules = memories.reduce((total, { capacity = 0 }) => total + capacity, 0);
  return (
    positive(system?.memory) ??
    positive(ofModules) ??
    positive(networkDevice?.ram) ??
    positive(networkDevice?.memory)
  );
}

function positive(value: number | undefined): number | null {
  return value !== undefined && value > 0 ? value : null;
}

/** Leaves out MAC addresses of bridges, tunnels and virtual adapters, which other machines have too (Contract: §13). */
export function reportedIdentity({
  hardware,
  network_device: networkDevice,
  networks = [],
}: InventoryContent): ReportedIdentity {
  const own = networks.filter(({ virtualdev: isVirtual }) => isVirtual !== true).map(({ mac }) => mac);
  const macAddresses = [...own, networkDevice?.mac]
    .map((mac) => firstText(mac))
    .filter((mac) => mac !== null);
  return { systemUuid: firstText(hardware?.uuid), macAddresses: [...new Set(macAddresses)] };
}
