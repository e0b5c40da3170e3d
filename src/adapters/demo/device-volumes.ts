import type { DeviceMetrics, Volume } from '#domain/device/device.ts';
import type { Machine } from './device-machine.ts';

/** The fullest volume has the device's `diskPercent`. */
export function deviceVolumes(
  { hardware, osType, osVersion }: Pick<Machine, 'hardware' | 'osType' | 'osVersion'>,
  { diskPercent }: DeviceMetrics,
): readonly Volume[] {
  const { diskTotalGb } = hardware;
  if (diskTotalGb === null || diskPercent === null) return [];
  const isServer = osVersion?.includes('Server') ?? false;
  switch (osType) {
    case 'windows':
      return isServer
        ? [
            volume('C:', 'NTFS', 0.3 * diskTotalGb, diskPercent),
            volume('D:', 'NTFS', 0.7 * diskTotalGb, diskPercent / 2),
          ]
        : [volume('C:', 'NTFS', diskTotalGb - RECOVERY_GB, diskPercent)];
    case 'macos':
      return [volume('/', 'apfs', diskTotalGb, diskPercent)];
    case 'linux':
      return [
        volume('/', 'ext4', diskTotalGb - BOOT_GB, diskPercent),
        volume('/boot', 'ext4', BOOT_GB, diskPercent / 3),
      ];
    default:
      return [volume('/volume1', 'btrfs', diskTotalGb, diskPercent)];
  }
}

const RECOVERY_GB = 0.8;
const BOOT_GB = 1;

function volume(name: string, filesystem: string, totalGb: number, usedPercent: number): Volume {
  return { name, filesystem, totalGb: tenth(totalGb), freeGb: tenth(totalGb * (1 - usedPercent / 100)) };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
