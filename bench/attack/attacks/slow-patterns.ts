/** Two users of one organization send six filters at once, each too slow for two seconds. */
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS_EACH = 6;

/** Back references must be tried in every way. */
const CONDITIONS = Array.from({ length: 500 }, (_, i) => ({
  field: 'hardware.cpuModel',
  operator: 'matches',
  value: `(.*)(.*)(.*)\\3\\2\\1y${i}`,
}));

const BODY = JSON.stringify({
  conditions: { operator: 'AND', conditions: [{ operator: 'OR', conditions: CONDITIONS }] },
});

export const slowPatterns: Attack = {
  name: 'slow-patterns',
  title: 'slow patterns by two of one organization',
  flood: async ({ url, attackers }, tally, signal) => {
    const question = (credential: string) => ({ path: '/filters/preview', credential, body: BODY });
    const floods = attackers.map((credential) =>
      floodWith(url, CLIENTS_EACH, tally, signal, () => question(credential)),
    );
    await Promise.all(floods);
  },
};
