/** Versions of the agent that the demo's computers run: the newest on most, and a long tail of old ones. */
import type { Weighted } from '#adapters/demo/seeded-random.ts';

/** Newest first. */
export const AGENT_VERSIONS: Weighted<string> = [
  ['4.2.1', 540],
  ['4.2.0', 180],
  ['4.2.0-beta.3', 8],
  ['4.1.3', 90],
  ['4.1.0', 35],
  ['4.0.2', 40],
  ['3.9.5', 30],
  ['3.7.1', 18],
  ['3.2.0', 12],
  ['2.14.0', 9],
  ['2.11.4', 7],
  ['2.6.0', 4],
  ['1.9.8', 3],
  ['0.9.12', 1],
];

/** The watchdog beside the agent came with 3.0. */
export function hasWatchdog(agentVersion: string | null): boolean {
  return agentVersion !== null && Number.parseInt(agentVersion, 10) >= 3;
}
