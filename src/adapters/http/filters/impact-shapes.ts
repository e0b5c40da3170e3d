/**
 * Contract: §18. Kept out of `filter-shapes.ts` to avoid an import cycle: these shapes use device shapes,
 * which use filter shapes.
 */
import * as v from 'valibot';
import { count, INSTANT, type Shape, shown } from '#adapters/http/common-shapes.ts';
import { DEVICE_ROW } from '#adapters/http/devices/device-shapes.ts';
import { EXPLAIN_BODY } from './filter-shapes.ts';

export const IMPACT_BODY = v.object({
  conditions: EXPLAIN_BODY.entries.conditions,
  q: EXPLAIN_BODY.entries.q,
});

const SAMPLE = shown(v.array(DEVICE_ROW), []);

/** Used in an answer and in the problem `confirmation_needed`. */
export const IMPACT = v.object({
  version: count(3, 'The version that would be changed.'),
  before: count(120, 'The number of devices that match now.'),
  after: count(129, 'The number of devices that would match.'),
  entering: count(12),
  leaving: count(3),
  samples: v.pipe(
    v.object({ entering: SAMPLE, leaving: SAMPLE }),
    v.description('The first ten that would enter, and that would leave, by host name.'),
  ),
  usedBy: shown(
    v.array(v.object({ kind: v.picklist(['subscription', 'filter']), id: v.string(), name: v.string() })),
    [],
  ),
  evaluatedAt: INSTANT,
});
export type Impact = Shape<typeof IMPACT>;
