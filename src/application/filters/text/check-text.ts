/** Checks a filter that is written as a line of text (Contract: §11). */
import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import {
  notePatterns,
  type PatternFaultDeps,
  withPatternFaults,
} from '#application/filters/pattern-faults.ts';
import { inSlices } from '#application/in-slices.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { NamedKind, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { CORE_CATALOG, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { parseConditionsInSteps, type RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterTextInSteps } from '#domain/filter/text/parse/parse-filter-text.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

export interface CheckedText {
  /** As it would be sent in JSON. */
  readonly conditions: ConditionJson;
  readonly filter: ConditionGroup;
}

/**
 * The text `q`, as sent, as it is understood in the organizations of the scope, or every fault in it (at most 100),
 * each with its place. The work counts towards the share of the user `onBehalfOf`.
 */
export type CheckText = (
  scope: AccessScope,
  q: unknown,
  onBehalfOf: string,
) => Promise<Result<CheckedText, ApplicationError>>;

export interface CheckTextDeps extends PatternFaultDeps {
  readonly customFields: CustomFieldSource;
  readonly namesInReach: NamesInReach;
}

export function makeCheckText(deps: CheckTextDeps): CheckText {
  return async (scope, q, onBehalfOf) => {
    if (typeof q !== 'string') return err(toValidationError([NOT_A_TEXT]));
    const unstorable = unstorableReason(q);
    if (unstorable !== null) {
      return err(toValidationError([{ path: 'q', code: 'invalid_value', message: `q ${unstorable}` }]));
    }
    // Most texts need neither custom fields nor names; what they do need, the first reading finds out.
    const wanted = new Set<NamedKind>();
    const noteWanted: ResolveName = ({ key }) => {
      wanted.add(kindOfNamed(key));
      return [];
    };
    const patterns = new Set<string>();
    const note = notePatterns(patterns);
    const first = await inSlices(parseFilterTextInSteps(q, CORE_CATALOG, noteWanted, note));
    const catalog = first.ok ? CORE_CATALOG : await loadCatalog(deps.customFields, scope);
    const resolveName = await loadNames(deps.namesInReach, scope, wanted);
    const read = (refusePattern: RefusePattern) =>
      inSlices(parseFilterTextInSteps(q, catalog, resolveName, refusePattern));
    const text = await withPatternFaults(
      deps,
      patterns,
      onBehalfOf,
      first.ok ? first : await read(note),
      read,
    );
    if (!text.ok) return err(toTextError(text.error));
    return ok({ conditions: text.value, filter: await understand(text.value, catalog) });
  };
}

const NOT_A_TEXT: FieldError = {
  path: 'q',
  code: 'value_required',
  message: 'q must be a text: a filter such as "status:online tags:vip"',
};

function kindOfNamed(key: string): NamedKind {
  return key === 'siteId' ? 'site' : 'organization';
}

/** Finds ids by name, in any case, among those of the wanted kinds. */
async function loadNames(
  namesInReach: NamesInReach,
  scope: AccessScope,
  wanted: ReadonlySet<NamedKind>,
): Promise<ResolveName> {
  const idsByName = new Map<string, string[]>();
  for (const kind of wanted) {
    for (const { id, name } of await namesInReach(scope, kind)) {
      const key = `${kind} ${foldCase(name)}`;
      const ids = idsByName.get(key);
      if (ids === undefined) idsByName.set(key, [id]);
      else ids.push(id);
    }
  }
  return ({ key }, name) => idsByName.get(`${kindOfNamed(key)} ${foldCase(name)}`) ?? [];
}

/** What the grammar gives is valid by the same catalogue. */
async function understand(conditions: ConditionJson, catalog: FieldCatalog): Promise<ConditionGroup> {
  const parsed = await inSlices(parseConditionsInSteps(conditions, catalog));
  if (parsed.ok) return parsed.value;
  throw new Error(`a filter text became conditions with a fault: ${parsed.error[0]?.message}`);
}

/** Each fault of the text as one of the parameter or member `q`. */
export function toTextError(faults: readonly TextFault[]): ApplicationError {
  return toFilterError(
    faults.map(({ start, end, code, message, suggestions }) => ({
      path: 'q',
      code,
      message,
      start,
      end,
      suggestions,
    })),
  );
}
