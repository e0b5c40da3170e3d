import type { Drive } from '#adapters/glpi/document/inventory-document.ts';
import type { Volume } from '#domain/device/device.ts';
import { firstText } from './texts.ts';

export function volumes(drives: readonly Drive[]): readonly Volume[] {
  return drives.map((drive, i) => {
    const total = totalOf(drive);
    return {
      name: volumeName(drive) ?? `Volume ${i + 1}`,
      filesystem: firstText(drive.filesystem),
      totalGb: total === null ? null : inGigabytes(total),
      freeGb: total === null || drive.free === undefined ? null : inGigabytes(Math.max(drive.free, 0)),
    };
  });
}

/** The percentage in use on the fullest local, writable volume, to a tenth. Null if unknown (Contract: §13). */
export function diskPercent(drives: readonly Drive[]): number | null {
  const shares = localDrives(drives).flatMap((drive) => {
    const total = totalOf(drive);
    if (total === null || drive.free === undefined) return [];
    return [((total - Math.min(Math.max(drive.free, 0), total)) / total) * 100];
  });
  return shares.length === 0 ? null : tenth(shares.reduce((a, b) => Math.max(a, b)));
}

/** Phones list a file system under several mount points. It counts once. */
export function localDrives(drives: readonly Drive[]): readonly Drive[] {
  return [...new Map(drives.filter(isLocal).map((drive) => [identityOf(drive), drive])).values()];
}

/** Letter, mount point or label (Contract: §13). Windows puts the kind of drive where others have the mount point. */
function volumeName({ letter, type, label, volumn, description }: Drive): string | null {
  const mountPoint = KIND_OF_DRIVE.test(type ?? '') ? undefined : type;
  return firstText(letter, mountPoint, label, volumn, description);
}

/** Zero means an unknown size, for example of a drive without a medium. */
function totalOf({ total = 0 }: Drive): number | null {
  return total > 0 ? total : null;
}

function isLocal({ filesystem = '', type = '', volumn = '' }: Drive): boolean {
  return !NOT_LOCAL.test(filesystem) && !KIND_NOT_LOCAL.test(type) && !REMOTE_PLACE.test(volumn);
}

/** Network, optical, RAM and image file systems. `fuseblk` is local: a disk with NTFS. */
const NOT_LOCAL =
  /^(?:nfs|cifs|smb|afp|ncp|fuse(?!blk)|sshfs|davfs|webdav|gluster|ceph|lustre|beegfs|9p|vboxsf|vmhgfs|prl_fs|autofs|iso9660|cd9660|udf|cdfs|hsfs|tmpfs|ramfs|devtmpfs|devfs|squashfs|overlay|aufs|erofs|cramfs|romfs)/i;

const KIND_OF_DRIVE =
  /^(?:unknown|no root directory|removable disk|local disk|network drive|compact disc|cd-?rom dis[ck]|ram disk)$/i;

const KIND_NOT_LOCAL = /^(?:network drive|compact disc|cd-?rom dis[ck]|ram disk)$/i;

const REMOTE_PLACE = /^(?:\\\\|\/\/|[^/]+:\/)/;

function identityOf({ serial, volumn, total, free }: Drive): string {
  return JSON.stringify(serial ?? volumn ?? [total, free]);
}

/** A gigabyte of the format has 1,024 megabytes. */
function inGigabytes(megabytes: number): number {
  return tenth(megabytes / 1_024);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
