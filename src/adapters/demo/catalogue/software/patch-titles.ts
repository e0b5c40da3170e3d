/** Titles of patches, by what they are for; newest first. */
import type { PatchTrack } from './os-releases.ts';

/** A patch, and the systems that it is for. */
export interface PatchTitle {
  /** `{architecture}` stands for the processor's. */
  readonly title: string;
  /** A part of the versions of the systems that it is for; null: all of the track. */
  readonly release: string | null;
}

/** By track. */
export const PATCH_TITLES: Readonly<Record<PatchTrack, readonly PatchTitle[]>> = {
  'windows-11': [
    ...cumulative('25H2', 'Windows 11 Version 25H2', ['2025-10', 'KB5066835'], ['2025-09', 'KB5065426']),
    ...cumulative('24H2', 'Windows 11 Version 24H2', ['2025-10', 'KB5066835'], ['2025-09', 'KB5065426']),
    ...cumulative('24H2', 'Windows 11 Version 24H2', ['2025-08', 'KB5063878'], ['2025-07', 'KB5062553']),
    ...cumulative('23H2', 'Windows 11 Version 23H2', ['2025-10', 'KB5066793'], ['2025-09', 'KB5065431']),
    ...cumulative('23H2', 'Windows 11 Version 23H2', ['2025-08', 'KB5063875']),
    patch('Feature update to Windows 11, version 25H2', '24H2'),
    patch('Windows Malicious Software Removal Tool {architecture} - v5.136 (KB890830)'),
    patch('Security Intelligence Update for Microsoft Defender Antivirus - KB2267602'),
    patch('Intel - net - 12.19.2.60'),
    patch('Realtek Semiconductor Corp. - MEDIA - 6.0.9739.1'),
    patch('2025-09 .NET 8.0.20 Update for {architecture} Client (KB5066126)'),
  ],
  'windows-10': [
    ...cumulative('22H2', 'Windows 10 Version 22H2', ['2025-10', 'KB5066791'], ['2025-09', 'KB5065429']),
    ...cumulative('22H2', 'Windows 10 Version 22H2', ['2025-08', 'KB5063709']),
    ...cumulative('LTSC 2021', 'Windows 10 Version 21H2', ['2025-10', 'KB5066791'], ['2025-09', 'KB5065429']),
    ...cumulative('LTSC 2019', 'Windows 10 Version 1809', ['2025-10', 'KB5066586'], ['2025-09', 'KB5065428']),
    patch('Windows Malicious Software Removal Tool {architecture} - v5.136 (KB890830)'),
    patch('Security Intelligence Update for Microsoft Defender Antivirus - KB2267602'),
    patch('Security Update for Microsoft Office 2016 (KB5002790) 32-Bit Edition'),
    patch('Intel Corporation - Display - 31.0.101.2137'),
  ],
  'windows-server': [
    ...cumulative('2025', 'Microsoft server operating system version 24H2', ['2025-10', 'KB5066835']),
    ...cumulative('2022', 'Microsoft server operating system version 21H2', ['2025-10', 'KB5066782']),
    ...cumulative('2022', 'Microsoft server operating system version 21H2', ['2025-09', 'KB5065432']),
    ...cumulative('2019', 'Windows Server 2019', ['2025-10', 'KB5066586'], ['2025-09', 'KB5065428']),
    ...cumulative('2016', 'Windows Server 2016', ['2025-10', 'KB5066836'], ['2025-09', 'KB5065427']),
    patch('Security Update for SQL Server 2019 RTM CU32 (KB5065222)'),
    patch('Windows Malicious Software Removal Tool {architecture} - v5.136 (KB890830)'),
    patch('Security Intelligence Update for Microsoft Defender Antivirus - KB2267602'),
    patch('Broadcom Inc. - net - 228.0.116.0'),
  ],
  macos: [
    patch('macOS Tahoe 26.1', 'macOS 26'),
    patch('macOS Sequoia 15.7.1', 'macOS 15'),
    patch('macOS Sonoma 14.8.1', 'macOS 14'),
    patch('macOS Ventura 13.7.8', 'macOS 13'),
    patch('Safari 26.0.1'),
    patch('Command Line Tools for Xcode 26.0'),
    patch('XProtectPlistConfigData 5319'),
    patch('Pro Video Formats 2.4'),
  ],
  ubuntu: [
    patch('linux-image-generic 6.8.0-86.87', '24.04'),
    patch('openssl 3.0.13-0ubuntu3.6', '24.04'),
    patch('libc6 2.39-0ubuntu8.6', '24.04'),
    patch('sudo 1.9.15p5-3ubuntu5.24.04.1', '24.04'),
    patch('linux-image-generic 5.15.0.160.157', '22.04'),
    patch('openssl 3.0.2-0ubuntu1.20', '22.04'),
    patch('libc6 2.35-0ubuntu3.11', '22.04'),
    patch('sudo 1.9.9-1ubuntu2.5', '22.04'),
    patch('tzdata 2025b'),
    patch('snapd 2.71'),
    patch('ubuntu-pro-client 36'),
    patch('cloud-init 25.2'),
  ],
  debian: [
    patch('linux-image-amd64 6.1.153-1', '12'),
    patch('openssl 3.0.17-1~deb12u3', '12'),
    patch('libc6 2.36-9+deb12u13', '12'),
    patch('openssh-server 1:9.2p1-2+deb12u7', '12'),
    patch('openssl 3.5.1-1+deb13u1', '13'),
    patch('linux-image-amd64 6.12.48-1', '13'),
    patch('openssl 1.1.1w-0+deb11u4', '11'),
    patch('tzdata 2025b'),
    patch('ca-certificates 20250419'),
  ],
  redhat: [
    patch('RHSA-2025:17398 Important: kernel security update', 'Red Hat'),
    patch('RHSA-2025:16904 Important: openssl security update', 'Red Hat'),
    patch('RHSA-2025:15702 Moderate: cups security update', 'Red Hat'),
    patch('RHBA-2025:14826 tzdata bug fix and enhancement update', 'Red Hat'),
    patch('FEDORA-2025-3dc9a1b7e2 kernel-6.16.12-200.fc42', 'Fedora'),
    patch('FEDORA-2025-81c4e2d03f firefox-144.0-2.fc42', 'Fedora'),
    patch('FEDORA-2025-f9d2a0c66b openssl-3.2.6-2.fc42', 'Fedora'),
  ],
};

function patch(title: string, release: string | null = null): PatchTitle {
  return { title, release };
}

/** Cumulative updates of a release of Windows, by month. */
function cumulative(
  release: string,
  product: string,
  ...months: readonly (readonly [month: string, article: string])[]
): readonly PatchTitle[] {
  return months.map(([month, article]) =>
    patch(`${month} Cumulative Update for ${product} for {architecture}-based Systems (${article})`, release),
  );
}
