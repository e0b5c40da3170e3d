/** Filters for tests, parsed as the service parses them. */
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { EpochMs } from '#domain/time.ts';
import { SOME_INSTANT } from './builders.ts';

/** A condition as in a request. */
export interface RawCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** A group as in a request. */
export interface RawGroup {
  readonly operator: 'AND' | 'OR';
  readonly conditions: readonly (RawCondition | RawGroup)[];
}

export function and(...conditions: readonly (RawCondition | RawGroup)[]): RawGroup {
  return { operator: 'AND', conditions };
}

export function or(...conditions: readonly (RawCondition | RawGroup)[]): RawGroup {
  return { operator: 'OR', conditions };
}

/** Parses a valid filter; throws if it is invalid. */
export function parseFilter(group: unknown, catalog: FieldCatalog = CORE_CATALOG): ConditionGroup {
  const parsed = parseConditions(group, catalog);
  if (!parsed.ok) throw new Error(`the filter was refused: ${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

/** Every regular expression in the filter, in document order. */
export function patternsIn(filter: ConditionGroup): readonly string[] {
  const patterns: string[] = [];
  foldConditions(filter, {
    condition: ({ predicate }) => void (predicate.kind === 'pattern' && patterns.push(predicate.pattern)),
    group: () => undefined,
  });
  return patterns;
}

/** Where filters are evaluated. */
export interface MatchTarget {
  readonly matcher: DeviceMatcher;
  readonly customFields: CustomFieldSource;
}

/** Parses a filter with the custom fields of the scope. */
export async function parseIn(
  { customFields }: Pick<MatchTarget, 'customFields'>,
  scope: AccessScope,
  group: unknown,
): Promise<ConditionGroup> {
  return parseFilter(group, buildCatalog(resolveCustomFields(await customFields(scope))));
}

/** The hostnames of the devices that match, in the order of a preview; at most 100. */
export async function findHostnames(
  target: MatchTarget,
  scope: AccessScope,
  group: unknown,
  at: EpochMs = SOME_INSTANT,
): Promise<readonly string[]> {
  const filter = await parseIn(target, scope, group);
  const found = await target.matcher.preview({ filter, scope, at, onBehalfOf: 'test' }, 100);
  if (!found.ok) throw new Error(`the preview was refused: ${JSON.stringify(found.error)}`);
  if (found.value.totalCount !== found.value.devices.length) {
    throw new Error(`${found.value.totalCount} devices match, and ${found.value.devices.length} came`);
  }
  return found.value.devices.map(({ hostname }) => hostname);
}
