import type { InstalledSoftware } from '#domain/device/device.ts';
import type { Patch, PatchStatus } from '#domain/fleet/fleet-record.ts';
import { PATCHES, type PatchTrack, SOFTWARE, type SoftwareTitle, type Trade } from './demo-data.ts';
import type { Machine } from './device-machine.ts';
import { type SeededRandom, stableId, type Weighted } from './seeded-random.ts';

/** 5 to 25 titles. Only computers have software. */
export function installedSoftware(
  { computer, hardware }: Machine,
  trade: Trade,
  random: SeededRandom,
): readonly InstalledSoftware[] {
  if (computer === null) {
    return [];
  }
  const { software: platform, patches: track } = computer;
  const catalogue = SOFTWARE.platforms[platform].filter((title) => versionsOn(track, title).length > 0);
  const extras =
    platform === 'windows'
      ? [...SOFTWARE.trades[trade], ...(SOFTWARE.vendors[hardware.manufacturer ?? ''] ?? [])]
      : [];
  const chosen = [...catalogue, ...extras].filter(([, share]) => random.chance(share));
  while (chosen.length > MAX_TITLES) {
    chosen.splice(random.integer(0, chosen.length - 1), 1);
  }
  for (const title of catalogue) {
    if (chosen.length < MIN_TITLES && !chosen.includes(title)) {
      chosen.push(title);
    }
  }
  return chosen.map((title) => ({
    name: title[0],
    version: installedVersion(versionsOn(track, title), random),
  }));
}

const MIN_TITLES = 5;
const MAX_TITLES = 25;
const NO_VERSION_SHARE = 0.01;
const NEWEST_SHARE = 0.62;

const FOREIGN_VERSIONS: Readonly<Record<PatchTrack, RegExp | null>> = {
  'windows-11': null,
  'windows-10': null,
  'windows-server': null,
  macos: null,
  ubuntu: /deb|\.el\d|\.fc\d/,
  debian: /ubuntu|\.el\d|\.fc\d/,
  redhat: /ubuntu|deb/,
};

function versionsOn(track: PatchTrack, [, , ...versions]: SoftwareTitle): readonly string[] {
  const foreign = FOREIGN_VERSIONS[track];
  return foreign === null ? versions : versions.filter((version) => !foreign.test(version));
}

function installedVersion(versions: readonly string[], random: SeededRandom): string | null {
  if (random.chance(NO_VERSION_SHARE)) {
    return null;
  }
  return random.chance(NEWEST_SHARE) ? (versions[0] ?? null) : random.pick(versions);
}

/** Up to six titles, most of them installed. Only computers report patches. */
export function devicePatches(
  deviceKey: string,
  { computer, osVersion, architecture }: Machine,
  random: SeededRandom,
): readonly Patch[] | null {
  if (computer === null) {
    return null;
  }
  const statuses = random.chance(WELL_KEPT_SHARE) ? WELL_KEPT : BEHIND;
  return PATCHES[computer.patches]
    .filter(
      ([, release]) => (release === undefined || osVersion?.includes(release)) && random.chance(TITLE_SHARE),
    )
    .slice(0, MAX_PATCHES)
    .map(([title]) => ({
      id: random.chance(NO_ID_SHARE) ? null : stableId('patch', `${deviceKey} ${title}`),
      title: title.replace('{architecture}', architecture ?? ''),
      status: random.pickWeighted(statuses),
    }));
}

const MAX_PATCHES = 6;
const TITLE_SHARE = 0.55;
/** Old agents report patches without an id. */
const NO_ID_SHARE = 0.1;
const WELL_KEPT_SHARE = 0.7;

const WELL_KEPT: Weighted<PatchStatus> = [
  ['installed', 96],
  ['pending', 3],
  ['failed', 1],
];
const BEHIND: Weighted<PatchStatus> = [
  ['installed', 55],
  ['pending', 38],
  ['failed', 7],
];
