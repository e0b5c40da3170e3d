import type { DeviceAtNode, FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import {
  compileCriteria,
  compilePredicate,
  type DevicePredicate,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { readActual } from '#domain/filter/evaluate/read-field.ts';
import { isSampled, sampleInterval } from '#domain/filter/evaluate/sample-devices.ts';
import { markNodes, NodeTally } from '#domain/filter/evaluate/tally-nodes.ts';
import { err, ok } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { type EvaluationDeps, toPatternRefusal, translatePatternsOf, visitDevices } from './visit-devices.ts';

export function makeFilterExplainer(deps: EvaluationDeps): FilterExplainer {
  return async ({ filter, deviceId, at, ...request }) => {
    const nodes = listNodes(filter);
    const tally = new NodeTally(nodes);
    let deviceCount = 0;
    let totalCount = 0;
    let interval = 1;
    let device: readonly DeviceAtNode[] | null = null;
    const slices = visitDevices(deps, request, async () => {
      const conditions = conditionsAmong(nodes);
      const translatePattern = await translatePatternsOf(filter, deps.translatePattern);
      const compiled = compileCriteria(conditions, translatePattern);
      if (!compiled.ok) return err(toPatternRefusal(compiled.error));
      const whole = compilePredicate(filter, translatePattern);
      if (!whole.ok) return err(toPatternRefusal(whole.error));
      const predicates = byIndex(nodes, compiled.value);
      interval = sampleInterval(conditions, deps.world.devices.countIn(reachableOrgIds(request.scope)));
      return ok((each) => {
        const holds = (index: number) => predicates[index]?.(each, at) === true;
        deviceCount++;
        if (isSampled(each.id, interval)) tally.add(holds);
        if (interval > 1 && whole.value(each, at)) totalCount++;
        if (each.id === deviceId) device = describe(nodes, markNodes(nodes, holds), each, at);
      });
    });
    for await (const refusal of slices) if (refusal !== null) return err(refusal);
    if (deviceId !== null && device === null) return err({ kind: 'unknown-device' });
    const { counts } = tally;
    return ok({
      deviceCount,
      totalCount: interval > 1 ? totalCount : (counts[0]?.count ?? 0),
      sampledCount: interval > 1 ? tally.deviceCount : null,
      counts,
      device,
    });
  };
}

function conditionsAmong(nodes: readonly ListedNode[]) {
  return nodes.flatMap(({ node }) => (node.kind === 'condition' ? [node] : []));
}

function byIndex(
  nodes: readonly ListedNode[],
  predicates: readonly DevicePredicate[],
): readonly (DevicePredicate | null)[] {
  let next = 0;
  return nodes.map(({ node }) => (node.kind === 'condition' ? (predicates[next++] ?? null) : null));
}

function describe(
  nodes: readonly ListedNode[],
  marks: readonly boolean[],
  device: Device,
  at: EpochMs,
): readonly DeviceAtNode[] {
  return nodes.map(({ node }, i) => ({
    matches: marks[i] === true,
    actual: node.kind === 'condition' ? readActual(node.field, device, at) : undefined,
  }));
}
