/** Filters that conditions can name. Some of them name each other (Contract: §18). */
import fc from 'fast-check';
import type { Device } from '#domain/device/device.ts';
import { type FieldCatalog, withInnerFilters } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { RawGroup } from '#test/support/filters.ts';
import { leavesOf, randomFilter } from './random-filters.ts';

/** So many filters name no filter, and as many may name those. */
const PLAIN = 4;

/** So many levels of filters that name the one below twice. The whole tree would have thousands of nodes. */
const DOUBLING = 14;

/** Adds filters to the catalog, the same for the same seed. Some cover only a part of the organizations. */
export function withRandomFilters(
  catalog: FieldCatalog,
  devices: readonly Device[],
  seed: number,
): FieldCatalog {
  const inner = new Map<string, Result<InnerFilter, string>>();
  const orgIds = [...new Set(devices.map(({ orgId }) => orgId))];
  const current = () => withInnerFilters(catalog, inner);
  const add = (raw: RawGroup, covered: ReadonlySet<OrgId> | null = null): string => {
    const parsed = parseConditions(raw, current());
    if (!parsed.ok) throw new Error(`a drawn filter is refused: ${JSON.stringify(parsed.error)}`);
    const id = `f1170000-0000-4000-8000-${String(inner.size).padStart(12, '0')}` as FilterId;
    inner.set(id, ok({ id, orgIds: covered, conditions: parsed.value }));
    return id;
  };
  const addSome = (round: number, isWanted: (field: string) => boolean) => {
    // The run finds the patterns of a question only in the conditions of the outermost filter.
    const leaves = leavesOf(current(), devices).filter(
      ({ field, operator }) => operator !== 'matches' && isWanted(field),
    );
    const drawn = fc.record({
      raw: randomFilter(leaves),
      covered: fc.oneof(
        fc.constant(null),
        fc.subarray(orgIds).map((some) => new Set(some)),
      ),
    });
    const some = fc.sample(drawn, { seed: seed + round, numRuns: PLAIN });
    // Large filters are slow to evaluate if they are named often.
    return some.map(({ raw, covered }) => add(countNodes(raw) > MANY ? SHORT : raw, covered));
  };
  const plain = addSome(0, () => true);
  addSome(1, (field) => field === 'filter' || field === 'status' || field === 'tags');
  let [below = ''] = plain;
  for (let level = 0; level < DOUBLING; level++) {
    const other = plain[level % plain.length];
    const named = (operator: string, value: unknown) => ({ field: 'filter', operator, value });
    below = add({
      operator: level % 2 === 0 ? 'OR' : 'AND',
      conditions: [
        { operator: 'AND', conditions: [named('equals', below), named('notEquals', other)] },
        { operator: 'OR', conditions: [named('notIn', [below]), named('in', [other])] },
      ],
    });
  }
  return current();
}

const MANY = 200;

/** Without recursion, because filters may be nested too deeply for it. */
function countNodes(root: RawGroup): number {
  const nodes: unknown[] = [root];
  for (const node of nodes) nodes.push(...((node as Partial<RawGroup>).conditions ?? []));
  return nodes.length;
}

const SHORT: RawGroup = {
  operator: 'OR',
  conditions: [{ field: 'status', operator: 'notEquals', value: 'online' }],
};
