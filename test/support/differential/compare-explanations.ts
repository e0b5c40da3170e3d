/** Compares the explanation of a filter on PostgreSQL with each node as evaluated in process for each device. */
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import type { Device } from '#domain/device/device.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { compilePredicate, type DevicePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { readActual } from '#domain/filter/evaluate/read-field.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Reach } from './differential-world.ts';

export interface ExplainQuestion {
  readonly reach: Reach;
  /** All its patterns can be translated. */
  readonly filter: ConditionGroup;
  readonly at: EpochMs;
  readonly onBehalfOf: string;
  /** One of the devices in reach. */
  readonly device: Device | null;
}

/** Describes the difference; null if there is none. */
export async function findWrongExplanation(
  explainFilter: FilterExplainer,
  { reach, filter, at, onBehalfOf, device }: ExplainQuestion,
): Promise<string | null> {
  const { scope, devices } = reach;
  const deviceId = device?.id ?? null;
  const explained = await explainFilter({ filter, scope, at, onBehalfOf, deviceId });
  if (!explained.ok) return `the explanation is refused: ${JSON.stringify(explained.error)}`;
  const nodes = listNodes(filter);
  const matchers = nodes.map(({ node }) => compile([node]));
  const countWhere = (matches: DevicePredicate) => devices.filter((each) => matches(each, at)).length;
  const expected = {
    deviceCount: devices.length,
    totalCount: countWhere(matchers[0] as DevicePredicate),
    sampledCount: null,
    counts: nodes.map(({ node, parent }, i) => {
      const group = parent === null ? undefined : nodes[parent]?.node;
      const isDemand = group?.kind === 'group' && group.operator === 'AND' && group.conditions.length > 1;
      const siblings = isDemand ? group.conditions.filter((member) => member !== node) : null;
      return {
        count: countWhere(matchers[i] as DevicePredicate),
        countWithout: siblings === null ? null : countWhere(compile(siblings)),
      };
    }),
    device:
      device &&
      nodes.map(({ node }, i) => ({
        matches: matchers[i]?.(device, at) === true,
        actual: node.kind === 'condition' ? readActual(node.field, device, at) : undefined,
      })),
  };
  const { sampledCount, counts } = explained.value;
  // PostgreSQL counts hundreds of conditions of a large filter on a sample.
  const sampled = sampledCount === null ? {} : { sampledCount, counts };
  // Compared as JSON, in which 0 and -0 are equal.
  const [given, right] = [JSON.stringify(explained.value), JSON.stringify({ ...expected, ...sampled })];
  return given === right ? null : `the explanation is ${given}, and should be ${right}`;
}

/** A test of whether a device matches all conditions. */
function compile(conditions: ConditionGroup['conditions']): DevicePredicate {
  const compiled = compilePredicate({ kind: 'group', operator: 'AND', conditions }, translatePattern);
  if (!compiled.ok) throw new Error('a pattern cannot be translated');
  return compiled.value;
}
