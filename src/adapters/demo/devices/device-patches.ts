/** The patches of a device of the demo. */
import { PATCH_TITLES } from '#adapters/demo/catalogue/software/patch-titles.ts';
import type { SeededRandom, Weighted } from '#adapters/demo/seeded-random.ts';
import { stableId } from '#adapters/demo/stable-id.ts';
import type { Patch, PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { Machine } from './device-machine.ts';

/** Up to six of the titles for its system, each once, most of them in place; none for what is no computer. */
export function devicePatches(
  deviceKey: string,
  { computer, osVersion, architecture }: Machine,
  random: SeededRandom,
): readonly Patch[] {
  if (computer === null) {
    return [];
  }
  const statuses = random.chance(WELL_KEPT_SHARE) ? WELL_KEPT : BEHIND;
  return PATCH_TITLES[computer.patches]
    .filter(({ release }) => (release === null || osVersion?.includes(release)) && random.chance(TITLE_SHARE))
    .slice(0, MAX_PATCHES)
    .map(({ title }) => ({
      id: random.chance(NO_ID_SHARE) ? null : stableId('patch', `${deviceKey} ${title}`),
      title: title.replace('{architecture}', architecture ?? ''),
      status: random.pickWeighted(statuses),
    }));
}

const MAX_PATCHES = 6;
/** How likely each title for its system was ever offered to a device. */
const TITLE_SHARE = 0.55;
/** The share of patches that an old agent reported without an id. */
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
