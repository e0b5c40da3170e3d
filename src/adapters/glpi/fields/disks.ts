import type { Drive, InventoryContent, Storage } from '#adapters/glpi/document/inventory-document.ts';

/**
 * Gibibytes to two decimals: built-in disks or, if none reports a size, local file systems. The format says "MB" for
 * both: millions of bytes for disks, mebibytes for file systems.
 */
export function diskTotalGb({ storages = [], drives = [] }: InventoryContent): number | null {
  const ofDisks = sum(storages.filter(isBuiltIn).map(({ disksize }) => disksize)) * BYTES_PER_MEGABYTE;
  const ofDrives = sum(distinctLocalDrives(drives).map(({ total }) => total)) * BYTES_PER_MEBIBYTE;
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

/** Each local file system once; phones list one under several mount points. */
function distinctLocalDrives(drives: readonly Drive[]): readonly Drive[] {
  const local = drives.filter(({ filesystem = '', volumn = '' }) => !isRemote(filesystem, volumn));
  return [...new Map(local.map((drive) => [identityOf(drive), drive])).values()];
}

function isRemote(filesystem: string, volume: string): boolean {
  return (
    /^(?:nfs|cifs|smb|afp|fuse|sshfs|davfs|glusterfs|ceph|iso9660|udf|cdfs|tmpfs|overlay)/i.test(
      filesystem,
    ) || /^(?:\\\\|\/\/|[^/]+:\/)/.test(volume)
  );
}

function identityOf({ serial, volumn, total, free }: Drive): string {
  return JSON.stringify(serial ?? volumn ?? [total, free]);
}
