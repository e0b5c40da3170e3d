/**
 * Large fleets are explained from a sample if counting every node for every device would take too long (Contract: §12).
 */
import type { Criterion } from '#domain/filter/conditions/condition.ts';
import { eachCriterion } from '#domain/filter/conditions/expand-inner.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceId } from '#domain/ids.ts';

/**
 * In evaluations of plain conditions. An explanation that needs more counts only a sample. PostgreSQL makes
 * about 15 million evaluations a second on one quiet core.
 */
export const EXPLAIN_EFFORT = 5_000_000;

/** A condition on rows costs as much as this many on a column, because rows are in separate tables. */
const COST_OF_ROWS = 10;

const COSTLY: ReadonlySet<Criterion['reads']> = new Set(['rows', 'software', 'versions']);

/** A larger sample would cost more and be hardly more precise: the error is at most 0.7 percentage points. */
const LARGEST_SAMPLE = 20_000;

/** The sample takes one in this many devices; 1: all are counted. */
export function sampleInterval(conditions: Iterable<Criterion>, devices: number): number {
  let cost = 0;
  for (const condition of conditions) {
    eachCriterion(condition, simplifyConditions, ({ reads }) => {
      cost += COSTLY.has(reads) ? COST_OF_ROWS : 1;
    });
  }
  const effort = cost * devices;
  if (effort <= EXPLAIN_EFFORT) return 1;
  return Math.ceil(Math.max(effort / EXPLAIN_EFFORT, devices / LARGEST_SAMPLE));
}

/** Decides by a hash of the id (FNV-1a), because ids may follow a pattern. */
export function isSampled(id: DeviceId, interval: number): boolean {
  if (interval === 1) return true;
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % interval === 0;
}
