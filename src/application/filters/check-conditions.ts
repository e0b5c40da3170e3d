/** Checks conditions that a client sent: their tree, fields, values and regular expressions. */
import { type InnerFilterDeps, readInnerFilters } from '#application/filters/inner-filters.ts';
import { inSlices } from '#application/in-slices.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { PatternChecker } from '#application/ports/filters/pattern-checker.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import {
  buildCatalog,
  CORE_CATALOG,
  type FieldCatalog,
  withInnerFilters,
} from '#domain/filter/catalog/field-catalog.ts';
import { type InnerFilters, namedFilters } from '#domain/filter/catalog/inner-filters.ts';
import { withUndefinedFields } from '#domain/filter/catalog/undefined-fields.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterFault, refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditionsInSteps, type RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import { err, type Result } from '#domain/result.ts';

/**
 * Returns the filter as understood in the organizations of the scope, or its faults (at most 100). The work
 * counts towards the share of the user `onBehalfOf`. `how` says whether a custom field that these
 * organizations do not define is a fault or NULL (`withUndefinedFields`).
 */
export type CheckConditions = (
  scope: AccessScope,
  conditions: unknown,
  onBehalfOf: string,
  how?: HowToCheck,
) => Promise<Result<ConditionGroup, readonly FilterFault[]>>;

export interface HowToCheck {
  readonly undefinedFields?: 'fault' | 'null';
  /** Decides which filters the conditions may name. Unsaved conditions have no owner. */
  readonly owner?: Owner | null;
}

export interface CheckConditionsDeps extends PatternFaultDeps, InnerFilterDeps {}

type Parsed = Result<ConditionGroup, readonly FilterFault[]>;

export function makeCheckConditions(deps: CheckConditionsDeps): CheckConditions {
  async function parse(
    scope: AccessScope,
    conditions: unknown,
    undefinedFields: 'fault' | 'null',
    withInner: (catalog: FieldCatalog) => FieldCatalog,
    refusePattern: RefusePattern,
  ): Promise<Parsed> {
    const core = await inSlices(parseConditionsInSteps(conditions, withInner(CORE_CATALOG), refusePattern));
    // Most filters name only core fields, so custom fields need not be loaded.
    if (!mayNameCustomFields(core)) return core;
    const defined = await loadCatalog(deps.customFields, scope);
    const catalog = undefinedFields === 'null' ? withUndefinedFields(defined, conditions) : defined;
    return inSlices(parseConditionsInSteps(conditions, withInner(catalog), refusePattern));
  }

  return async (scope, conditions, onBehalfOf, { undefinedFields = 'fault', owner = null } = {}) => {
    if (conditions === undefined) return err([MISSING]);
    const patterns = new Set<string>();
    const withInner = await loadInner(deps, scope, conditions, owner);
    const parsed = await parse(scope, conditions, undefinedFields, withInner, notePatterns(patterns));
    return withPatternFaults(deps, patterns, onBehalfOf, parsed, (refusePattern) =>
      parse(scope, conditions, undefinedFields, withInner, refusePattern),
    );
  };
}

export async function loadInner(
  deps: InnerFilterDeps,
  scope: AccessScope,
  conditions: unknown,
  owner: Owner | null,
): Promise<(catalog: FieldCatalog) => FieldCatalog> {
  const named = namedFilters(conditions);
  const inner: InnerFilters =
    named.length === 0 ? new Map() : await readInnerFilters(deps, scope, named, owner);
  return named.length === 0 ? (catalog) => catalog : (catalog) => withInnerFilters(catalog, inner);
}

/** Only an unknown field can turn out to be a custom field. */
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

export async function loadCatalog(
  customFields: CustomFieldSource,
  scope: AccessScope,
): Promise<FieldCatalog> {
  return buildCatalog(resolveCustomFields(await customFields(scope)));
}

// Reports regular expressions that the database refuses, together with the other faults (Contract: §1, every fault).

export interface PatternFaultDeps {
  readonly checkPatterns: PatternChecker;
}

/** Collects the regular expressions and refuses none. */
export function notePatterns(patterns: Set<string>): RefusePattern {
  return (pattern) => {
    patterns.add(pattern);
    return null;
  };
}

/**
 * Returns `read` if the database accepts every pattern. Otherwise calls `readAgain`, which reports the
 * refused ones. The work counts towards the share of the user `onBehalfOf`.
 */
export async function withPatternFaults<Read>(
  { checkPatterns }: PatternFaultDeps,
  patterns: ReadonlySet<string>,
  onBehalfOf: string,
  read: Read,
  readAgain: (refusePattern: RefusePattern) => Promise<Read>,
): Promise<Read> {
  if (patterns.size === 0) return read;
  const refused = await checkPatterns([...patterns], onBehalfOf);
  if (refused.size === 0) return read;
  return readAgain((pattern) => {
    const reason = refused.get(pattern);
    return reason === undefined ? null : refusedPattern(reason);
  });
}
