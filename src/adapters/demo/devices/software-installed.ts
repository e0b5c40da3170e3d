/** Which titles a computer of the demo has installed. */
import {
  LINUX_DESKTOP_SOFTWARE,
  LINUX_SERVER_SOFTWARE,
} from '#adapters/demo/catalogue/software/linux-software.ts';
import { MACOS_SOFTWARE } from '#adapters/demo/catalogue/software/macos-software.ts';
import type { PatchTrack } from '#adapters/demo/catalogue/software/os-releases.ts';
import { WINDOWS_SERVER_SOFTWARE } from '#adapters/demo/catalogue/software/server-software.ts';
import type { SoftwarePlatform } from '#adapters/demo/catalogue/software/software-platform.ts';
import type { SoftwareTitle } from '#adapters/demo/catalogue/software/software-title.ts';
import { TRADE_SOFTWARE } from '#adapters/demo/catalogue/software/trade-software.ts';
import { VENDOR_SOFTWARE } from '#adapters/demo/catalogue/software/vendor-software.ts';
import { KIOSK_SOFTWARE, WINDOWS_SOFTWARE } from '#adapters/demo/catalogue/software/windows-software.ts';
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { Trade } from '#adapters/demo/tenants/trades.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import type { Machine } from './device-machine.ts';

/** Between 5 and 25 titles, each once, as often as their shares say; none for what is no computer. */
export function installedSoftware(
  { computer, hardware }: Machine,
  trade: Trade,
  random: SeededRandom,
): readonly InstalledSoftware[] {
  if (computer === null) {
    return [];
  }
  const { software: platform, patches: track } = computer;
  const catalogue = SOFTWARE_BY_PLATFORM[platform].filter((title) => versionsOn(track, title).length > 0);
  const extras =
    platform === 'windows'
      ? [...TRADE_SOFTWARE[trade], ...(VENDOR_SOFTWARE[hardware.manufacturer ?? ''] ?? [])]
      : [];
  const chosen = [...catalogue, ...extras].filter((title) => random.chance(title.share));
  while (chosen.length > MAX_TITLES) {
    chosen.splice(random.integer(0, chosen.length - 1), 1);
  }
  for (const title of catalogue) {
    if (chosen.length < MIN_TITLES && !chosen.includes(title)) {
      chosen.push(title);
    }
  }
  return chosen.map((title) => ({
    name: title.name,
    version: installedVersion(versionsOn(track, title), random),
  }));
}

const MIN_TITLES = 5;
const MAX_TITLES = 25;
/** The share of entries without a version. */
const NO_VERSION_SHARE = 0.01;
/** The share of machines that are up to date. */
const NEWEST_SHARE = 0.62;

const SOFTWARE_BY_PLATFORM: Readonly<Record<SoftwarePlatform, readonly SoftwareTitle[]>> = {
  windows: WINDOWS_SOFTWARE,
  'windows-kiosk': KIOSK_SOFTWARE,
  'windows-server': WINDOWS_SERVER_SOFTWARE,
  macos: MACOS_SOFTWARE,
  'linux-desktop': LINUX_DESKTOP_SOFTWARE,
  'linux-server': LINUX_SERVER_SOFTWARE,
};

/** How package versions name another distribution than that of the track; null where versions do not. */
const FOREIGN_VERSIONS: Readonly<Record<PatchTrack, RegExp | null>> = {
  'windows-11': null,
  'windows-10': null,
  'windows-server': null,
  macos: null,
  ubuntu: /deb|\.el\d|\.fc\d/,
  debian: /ubuntu|\.el\d|\.fc\d/,
  redhat: /ubuntu|deb/,
};

function versionsOn(track: PatchTrack, { versions }: SoftwareTitle): readonly string[] {
  const foreign = FOREIGN_VERSIONS[track];
  return foreign === null ? versions : versions.filter((version) => !foreign.test(version));
}

function installedVersion(versions: readonly string[], random: SeededRandom): string | null {
  if (random.chance(NO_VERSION_SHARE)) {
    return null;
  }
  return random.chance(NEWEST_SHARE) ? (versions[0] ?? null) : random.pick(versions);
}
