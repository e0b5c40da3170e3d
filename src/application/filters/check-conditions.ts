/** Checks a filter from outside: its tree, its fields, its values and its regular expressions. */
import { inSlices } from '#application/in-slices.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { FilterFault } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditionsInSteps, type RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import { err, type Result } from '#domain/result.ts';
import { notePatterns, type PatternFaultDeps, withPatternFaults } from './pattern-faults.ts';

/**
 * The filter as understood in the organizations of the scope, or all its faults (at most 100). The work counts
 * towards the share of the user `onBehalfOf`.
 */
export type CheckConditions = (
  scope: AccessScope,
  conditions: unknown,
  onBehalfOf: string,
) => Promise<Result<ConditionGroup, readonly FilterFault[]>>;

export interface CheckConditionsDeps extends PatternFaultDeps {
  readonly customFields: CustomFieldSource;
}

type Parsed = Result<ConditionGroup, readonly FilterFault[]>;

export function makeCheckConditions(deps: CheckConditionsDeps): CheckConditions {
  async function parse(
    scope: AccessScope,
    conditions: unknown,
    refusePattern: RefusePattern,
  ): Promise<Parsed> {
    const core = await inSlices(parseConditionsInSteps(conditions, CORE_CATALOG, refusePattern));
    // Most filters name core fields only and need no custom definitions.
    if (!mayNameCustomFields(core)) return core;
    const catalog = await loadCatalog(deps.customFields, scope);
    return inSlices(parseConditionsInSteps(conditions, catalog, refusePattern));
  }

  return async (scope, conditions, onBehalfOf) => {
    if (conditions === undefined) return err([MISSING]);
    const patterns = new Set<string>();
    const parsed = await parse(scope, conditions, notePatterns(patterns));
    return withPatternFaults(deps, patterns, onBehalfOf, parsed, (refusePattern) =>
      parse(scope, conditions, refusePattern),
    );
  };
}

/** Unknown fields are the only faults that custom fields can cure. */
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
