/** A few titles on nearly every device, and a long tail of others. */
import { type SeededRandom, seededRandom } from '#adapters/demo/seeded-random.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';

/** With the share of devices. */
const COMMON: readonly (readonly [name: string, share: number])[] = [
  ['Google Chrome', 0.78],
  ['Microsoft Edge', 0.7],
  ['7-Zip 24.08 (x64)', 0.55],
  ['Microsoft 365 Apps for enterprise', 0.62],
  ['Adobe Acrobat Reader', 0.5],
  ['Zoom Workplace', 0.35],
  ['Mozilla Firefox', 0.3],
  ['VLC media player', 0.2],
  ['TeamViewer', 0.15],
  ['Chrome Remote Desktop Host', 0.06],
];

const MAKERS = ['Contoso', 'Fabrikam', 'Northwind', 'Tailspin', 'Adatum', 'Litware', 'Proseware', 'Wingtip'];
const PRODUCTS = ['Backup Agent', 'Ledger', 'Print Driver', 'VPN Client', 'Runtime', 'Scanner', 'Designer'];
const VERSIONS = ['1.0.4', '2.13.0', '11.2', '24.1.3', '131.0.6778.86', '6.0.1', null];

const TAIL_LENGTH = 4_000;

const TAIL: readonly string[] = Array.from({ length: TAIL_LENGTH }, (_, n) => {
  const random = seededRandom(`title ${n}`);
  return `${random.pick(MAKERS)} ${random.pick(PRODUCTS)} ${n % 97} ${random.fill('##.#')}`;
});

/** `count` distinct titles, or fewer if the long tail repeats itself. */
export function drawSoftware(random: SeededRandom, count: number): readonly InstalledSoftware[] {
  const names = new Set<string>();
  for (const [name, share] of COMMON) if (names.size < count && random.chance(share)) names.add(name);
  for (let tries = 0; names.size < count && tries < 4 * count; tries++) {
    // Some titles of the tail are on many devices, most on few.
    names.add(TAIL[Math.floor(TAIL_LENGTH * random.fraction() ** 3)] ?? '');
  }
  return Array.from(names, (name) => ({
    name,
    version: isCommon(name) ? drawRelease(random) : random.pick(VERSIONS),
  }));
}

function isCommon(name: string): boolean {
  return COMMON.some(([common]) => common === name);
}

/** One of 31 releases, the newer the more often. */
function drawRelease(random: SeededRandom): string {
  const major = 131 - Math.floor(RELEASES * random.fraction() ** 3);
  return `${major}.0.${major * 50}.${major % 90}`;
}

const RELEASES = 31;
