/** Machines report without end, with one enrolment key. Each report is refused only after it is read. */
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 64;

/** 1.2 MB from an unknown machine with more programs than most. */
const BODY = JSON.stringify({
  action: 'inventory',
  deviceid: 'attack',
  partial: true,
  content: {
    versionclient: 'attack',
    softwares: Array.from({ length: 5_000 }, (_, i) => ({ name: `program ${i}`, comments: 'x'.repeat(200) })),
  },
});

export const reports: Attack = {
  name: 'reports',
  title: 'inventories of 1.2 MB, 64 at once, with one key',
  needsEnrolmentKey: true,
  flood: async ({ url, enrolmentKey: credential }, tally, signal) => {
    if (credential === null) return;
    await floodWith(url, CLIENTS, tally, signal, () => ({
      base: '',
      path: '/inventory',
      credential,
      body: BODY,
    }));
  },
};
