/** One condition with as many faults as fit a body. */
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 4;

const CONDITION = Object.fromEntries([
  ['field', 'hostname'],
  ['operator', 'equals'],
  ['value', 'x'],
  ...Array.from({ length: 90_000 }, (_, i) => [`m${i}`, 0]),
]);

const BODY = JSON.stringify({ conditions: { operator: 'AND', conditions: [CONDITION] } });

export const unknownMembers: Attack = {
  name: 'unknown-members',
  title: 'a condition with 90,000 unknown members',
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, () => ({ path: '/filters/preview', credential, body: BODY })),
};
