import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { DeviceHardware } from '#domain/device/device.ts';
import { diskTotalGb } from './disks.ts';
import { firstText, nameplateText } from './first-text.ts';

/** Prefers the system's nameplate to the main board's. Network devices have their own. */
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

/** Null for containers, which see their host's. */
function serialNumber({
  bios,
  hardware: system,
  network_device: networkDevice,
}: InventoryContent): string | null {
  if (CONTAINER.test(system?.vmsystem ?? '')) return null;
  return nameplateText(bios?.ssn, bios?.enclosureserial, bios?.msn, networkDevice?.serial);
}

/** As agents name them. */
const CONTAINER =
  /^(?:docker|podman|oci|container|lxc|lxc-libvirt|systemd-nspawn|rkt|virtuozzo|openvz|wsl|bsdjail|solariszone)$/i;

/** Mebibytes: agents count memory so, whatever the format says. */
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
