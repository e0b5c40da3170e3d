/** Operating systems that the demo's computers run, with real versions and builds. */
import type { OsType } from '#domain/device/device.ts';

/** What a computer model can run; each family has releases of its own. */
export type OsFamily =
  | 'windows-11'
  | 'windows-10'
  | 'windows-10-32-bit'
  | 'windows-kiosk'
  | 'windows-server'
  | 'windows-server-old'
  | 'macos-current'
  | 'macos-old'
  | 'linux-desktop'
  | 'linux-server'
  | 'linux-server-arm'
  | 'linux-raspberry';

/** Which list of patches applies to a release. */
export type PatchTrack =
  | 'windows-11'
  | 'windows-10'
  | 'windows-server'
  | 'macos'
  | 'ubuntu'
  | 'debian'
  | 'redhat';

/** A release of a family. */
export interface OsRelease {
  readonly osType: OsType;
  /** `{edition}` stands for the organization's edition of Windows. */
  readonly version: string;
  /** Newest first. */
  readonly builds: readonly string[];
  readonly patchTrack: PatchTrack;
  /** How often it is met, relative to the other releases of its family. */
  readonly weight: number;
}

/** By family. */
export const OS_RELEASES: Readonly<Record<OsFamily, readonly OsRelease[]>> = {
  'windows-11': [
    windows11('25H2', ['26200.6899', '26200.6584'], 12),
    windows11(
      '24H2',
      ['26100.6899', '26100.6584', '26100.4946', '26100.4349', '26100.3194', '26100.2894'],
      50,
    ),
    windows11('23H2', ['22631.6060', '22631.5909', '22631.5335', '22631.4317', '22631.3880'], 34),
    windows11('22H2', ['22621.4317', '22621.3880', '22621.2861'], 5),
    windows11('21H2', ['22000.3260', '22000.2538'], 1),
  ],
  'windows-10': [
    windows10(
      '22H2',
      ['19045.6456', '19045.6332', '19045.5965', '19045.5487', '19045.4651', '19045.3803'],
      40,
    ),
    windows10('21H2', ['19044.3086', '19044.2846', '19044.1288'], 4),
    windows10('1909', ['18363.2274', '18363.1556'], 1),
  ],
  'windows-10-32-bit': [
    windows10('22H2', ['19045.6332', '19045.5487'], 1),
    windows10('1809', ['17763.3770'], 1),
  ],
  'windows-kiosk': [
    kiosk('Windows 10 IoT Enterprise LTSC 2021', ['19044.6456', '19044.5965', '19044.4529'], 5),
    kiosk('Windows 10 IoT Enterprise LTSC 2019', ['17763.7922', '17763.6659'], 2),
  ],
  'windows-server': [
    windowsServer('Windows Server 2025 Standard', ['26100.6899', '26100.4349'], 12),
    windowsServer(
      'Windows Server 2022 Standard',
      ['20348.4294', '20348.3807', '20348.2849', '20348.2159'],
      42,
    ),
    windowsServer('Windows Server 2022 Datacenter', ['20348.4294', '20348.3932'], 6),
    windowsServer('Windows Server 2019 Standard', ['17763.7919', '17763.7434', '17763.6414'], 26),
  ],
  'windows-server-old': [
    windowsServer('Windows Server 2016 Standard', ['14393.8519', '14393.8148', '14393.7336'], 6),
    windowsServer('Windows Server 2012 R2 Standard', ['9600.21620', '9600.20778'], 3),
  ],
  'macos-current': [
    macOs('26.1', ['25B78'], 8),
    macOs('26.0.1', ['25A362'], 12),
    macOs('15.7.1', ['24G231'], 24),
    macOs('15.6.1', ['24G90'], 18),
    macOs('15.5', ['24F74'], 8),
    macOs('15.3.1', ['24D70'], 5),
    macOs('14.8.1', ['23J30'], 8),
    macOs('14.7.4', ['23H420'], 5),
    macOs('14.5', ['23F79'], 3),
    macOs('13.7.8', ['22H730'], 3),
  ],
  'macos-old': [
    macOs('13.7.8', ['22H730'], 4),
    macOs('13.7.4', ['22H420'], 3),
    macOs('12.7.6', ['21H1320'], 4),
    macOs('11.7.10', ['20G1427'], 2),
  ],
  'linux-desktop': [
    linux('Ubuntu 24.04.3 LTS', ['6.14.0-33-generic', '6.8.0-85-generic', '6.8.0-60-generic'], 'ubuntu', 12),
    linux('Ubuntu 22.04.5 LTS', ['6.8.0-85-generic', '5.15.0-157-generic'], 'ubuntu', 7),
    linux('Debian GNU/Linux 13 (trixie)', ['6.12.48+deb13-amd64'], 'debian', 4),
    linux('Debian GNU/Linux 12 (bookworm)', ['6.1.0-40-amd64', '6.1.0-31-amd64'], 'debian', 3),
    linux('Fedora Linux 42 (Workstation Edition)', ['6.16.10-200.fc42.x86_64'], 'redhat', 2),
  ],
  'linux-server': [
    linux('Ubuntu 24.04.3 LTS', ['6.8.0-85-generic', '6.8.0-71-generic', '6.8.0-51-generic'], 'ubuntu', 12),
    linux('Ubuntu 22.04.5 LTS', ['5.15.0-157-generic', '5.15.0-134-generic'], 'ubuntu', 12),
    linux('Ubuntu 20.04.6 LTS', ['5.4.0-216-generic', '5.4.0-200-generic'], 'ubuntu', 4),
    linux('Ubuntu 18.04.6 LTS', ['4.15.0-213-generic'], 'ubuntu', 1),
    linux('Debian GNU/Linux 12 (bookworm)', ['6.1.0-40-amd64', '6.1.0-28-amd64'], 'debian', 10),
    linux('Debian GNU/Linux 11 (bullseye)', ['5.10.0-35-amd64'], 'debian', 3),
    linux('Red Hat Enterprise Linux 10.0 (Coughlan)', ['6.12.0-55.41.1.el10_0.x86_64'], 'redhat', 2),
    linux('Red Hat Enterprise Linux 9.6 (Plow)', ['5.14.0-570.51.1.el9_6.x86_64'], 'redhat', 8),
    linux('Red Hat Enterprise Linux 8.10 (Ootpa)', ['4.18.0-553.78.1.el8_10.x86_64'], 'redhat', 5),
    linux('Red Hat Enterprise Linux Server 7.9 (Maipo)', ['3.10.0-1160.119.1.el7.x86_64'], 'redhat', 1),
  ],
  'linux-server-arm': [
    linux('Ubuntu 24.04.3 LTS', ['6.8.0-85-generic'], 'ubuntu', 3),
    linux('Red Hat Enterprise Linux 9.6 (Plow)', ['5.14.0-570.51.1.el9_6.aarch64'], 'redhat', 1),
  ],
  'linux-raspberry': [
    linux('Debian GNU/Linux 12 (bookworm)', ['6.12.47+rpt-rpi-v8', '6.6.51+rpt-rpi-v8'], 'debian', 3),
    linux('Ubuntu 24.04.3 LTS', ['6.8.0-1040-raspi'], 'ubuntu', 1),
  ],
};

function windows11(release: string, builds: readonly string[], weight: number): OsRelease {
  const version = `Windows 11 {edition} ${release}`;
  return { osType: 'windows', version, builds: of10(builds), patchTrack: 'windows-11', weight };
}

function windows10(release: string, builds: readonly string[], weight: number): OsRelease {
  const version = `Windows 10 {edition} ${release}`;
  return { osType: 'windows', version, builds: of10(builds), patchTrack: 'windows-10', weight };
}

function kiosk(version: string, builds: readonly string[], weight: number): OsRelease {
  return { osType: 'windows', version, builds: of10(builds), patchTrack: 'windows-10', weight };
}

function windowsServer(version: string, builds: readonly string[], weight: number): OsRelease {
  const numbers = version.includes('2012') ? builds.map((build) => `6.3.${build}`) : of10(builds);
  return { osType: 'windows', version, builds: numbers, patchTrack: 'windows-server', weight };
}

function macOs(release: string, builds: readonly string[], weight: number): OsRelease {
  return { osType: 'macos', version: `macOS ${release}`, builds, patchTrack: 'macos', weight };
}

/** A distribution; the build of Linux is its kernel. */
function linux(
  version: string,
  builds: readonly string[],
  patchTrack: PatchTrack,
  weight: number,
): OsRelease {
  return { osType: 'linux', version, builds, patchTrack, weight };
}

/** Windows 10, 11 and Server from 2016 all report kernel 10.0. */
function of10(builds: readonly string[]): readonly string[] {
  return builds.map((build) => `10.0.${build}`);
}
