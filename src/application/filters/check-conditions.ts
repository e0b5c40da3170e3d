/** Checks a filter from outside: its tree, its fields, its values and its regular expressions. */
import { isConstant } from '#application/constant.ts';
import { inSlices } from '#application/in-slices.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterFault, refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import { locatePatterns } from '#domain/filter/conditions/locate-patterns.ts';
import { parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { err, ok, type Result } from '#domain/result.ts';

/**
 * The filter as it is understood in the organizations of the scope, or every fault in it (at most 100). The work
 * counts towards the share of the user `onBehalfOf`.
 */
export type CheckConditions = (
  scope: AccessScope,
  conditions: unknown,
  onBehalfOf: string,
) => Promise<Result<ConditionGroup, readonly FilterFault[]>>;

export interface CheckConditionsDeps {
  readonly customFields: CustomFieldSource;
  readonly checkPatterns: PatternChecker;
}

export function makeCheckConditions(deps: CheckConditionsDeps): CheckConditions {
  /** By conditions that are constant and name core fields only: nothing makes them mean something else. */
  const remembered = new WeakMap<object, Result<ConditionGroup, never>>();

  async function parse(
    scope: AccessScope,
    conditions: unknown,
  ): Promise<Result<ConditionGroup, readonly FilterFault[]>> {
    const core = await inSlices(parseConditionsInSteps(conditions, CORE_CATALOG));
    if (core.ok && isConstant(conditions)) remembered.set(conditions, core);
    // Most filters name core fields only and need no custom definitions.
    return mayNameCustomFields(core)
      ? inSlices(parseConditionsInSteps(conditions, await loadCatalog(deps.customFields, scope)))
      : core;
  }

  return async (scope, conditions, onBehalfOf) => {
    if (conditions === undefined) return err([MISSING]);
    const known = isConstant(conditions) ? remembered.get(conditions) : undefined;
    const parsed = known ?? (await parse(scope, conditions));
    if (!parsed.ok) return parsed;
    const patterns = locatePatterns(parsed.value);
    if (patterns.length === 0) return parsed;
    const refused = await deps.checkPatterns(
      [...new Set(patterns.map(({ pattern }) => pattern))],
      onBehalfOf,
    );
    const faults = patterns.flatMap(({ pattern, path }): FilterFault[] => {
      const reason = refused.get(pattern);
      return reason === undefined ? [] : [{ path, code: 'invalid_pattern', message: refusedPattern(reason) }];
    });
    return faults.length === 0 ? ok(parsed.value) : err(faults);
  };
}

/** No other fault comes from not knowing them. */
function mayNameCustomFields(core: Result<ConditionGroup, readonly FilterFault[]>): boolean {
  return !core.ok && core.error.some(({ code }) => code === 'unknown_field');
}

const EXAMPLE = {
  operator: 'AND',
  conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
};

const MISSING: FilterFault = {
  path: 'conditions',
  code: 'not_a_group',
  message: `conditions is required: a group such as ${JSON.stringify(EXAMPLE)}`,
};

/** The fields that filters in this scope can name. */
export async function loadCatalog(
  customFields: CustomFieldSource,
  scope: AccessScope,
): Promise<FieldCatalog> {
  return buildCatalog(resolveCustomFields(await customFields(scope)));
}
